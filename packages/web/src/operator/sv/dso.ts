/** Fields of the ledger's contracts that an SV's operator sees. */
import { fieldsOf, pairsOf, textOf } from "./ledger-json.ts";

export interface SvOfDso {
  readonly party: string;
  readonly name: string;
  readonly joinedRound: string;
  /** In basis points. */
  readonly weight: string;
}

/** By name. */
export function listSvs(dsoRules: unknown): readonly SvOfDso[] {
  const { svs } = fieldsOf(dsoRules);
  const read = pairsOf(svs).map(([party, value]) => {
    const { name, joinedAsOfRound, svRewardWeight } = fieldsOf(value);
    const joinedRound = textOf(fieldsOf(joinedAsOfRound)["number"]);
    return { party, name: textOf(name), joinedRound, weight: textOf(svRewardWeight) };
  });
  return read.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** The configuration of the coin's rules that holds now. */
export function readCoinConfig(amuletRules: unknown): unknown {
  return fieldsOf(fieldsOf(amuletRules)["configSchedule"])["initialValue"];
}

export function readDsoConfig(dsoRules: unknown): unknown {
  return fieldsOf(dsoRules)["config"];
}

/** The ledger asks for a minute where the rules name no pause. */
const DEFAULT_COOLDOWN_MILLISECONDS = 60_000;

/** The time from which an SV that voted at the given time may vote again on the same matter. */
export function nextVoteAfter(votedAt: string, dsoRules: unknown): string {
  const { microseconds } = fieldsOf(fieldsOf(readDsoConfig(dsoRules))["voteCooldownTime"]);
  const cooldown =
    typeof microseconds === "string" ? Number(microseconds) / 1000 : DEFAULT_COOLDOWN_MILLISECONDS;
  return new Date(Date.parse(votedAt) + cooldown).toISOString();
}

export interface NodeUrls {
  readonly scan: string;
  readonly sequencer: string;
}

/** The places that an SV has published; empty where it has none. */
export function findNodeUrls(states: readonly unknown[], sv: string): NodeUrls {
  const fields = states.map(fieldsOf).find((each) => each["sv"] === sv) ?? {};
  const { synchronizerNodes } = fieldsOf(fields["state"]);
  const [first] = pairsOf(synchronizerNodes);
  const { scan, sequencer } = fieldsOf(first?.[1]);
  return {
    scan: textOf(fieldsOf(scan)["publicUrl"]),
    sequencer: textOf(fieldsOf(sequencer)["url"]),
  };
}

export function readRound(payload: unknown) {
  const fields = fieldsOf(payload);
  return {
    number: textOf(fieldsOf(fields["round"])["number"]),
    price: textOf(fields["amuletPrice"]),
    opensAt: textOf(fields["opensAt"]),
    closesAt: textOf(fields["targetClosesAt"]),
  };
}

export function readPriceVote(payload: unknown) {
  const { sv, amuletPrice, lastUpdatedAt } = fieldsOf(payload);
  const price = typeof amuletPrice === "string" ? amuletPrice : null;
  return { sv: textOf(sv), price, updatedAt: textOf(lastUpdatedAt) };
}

export function readLicense(payload: unknown) {
  const { validator, sponsor, metadata, faucetState, lastActiveAt } = fieldsOf(payload);
  const { version, contactPoint } = fieldsOf(metadata);
  const { lastReceivedFor } = fieldsOf(faucetState);
  return {
    validator: textOf(validator),
    sponsor: textOf(sponsor),
    version: textOf(version),
    contactPoint: textOf(contactPoint),
    lastRound: textOf(fieldsOf(lastReceivedFor)["number"]),
    lastActiveAt: typeof lastActiveAt === "string" ? lastActiveAt : null,
  };
}
