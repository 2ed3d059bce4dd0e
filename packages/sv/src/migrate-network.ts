/**
 * The migration of a network to the next id. Its SVs are stopped. Every SV's replica catches up with the log; those that
 * stand in the same state, and are a quorum, sign the first entry of a new log, which goes on with that state. The new
 * log is applied once and exported again: SVs will start from it, and it has to give the same state.
 *
 * All of this happens in a folder of its own, and the log is moved out of it at the end. A run that was killed leaves
 * nothing that counts, and the next run begins anew.
 */
import { dirname, join } from "node:path";
import { draftContinuation, MAX_PART_BYTES, type Member, type Network, type Time } from "@callsign/ledger";
import { CannotStart, Closing, type Host, SignatureChecks, sha256, signEntry } from "@callsign/node";
import { logStore, type OrderedLog, Sequencer, SqliteLog } from "@callsign/synchronizer";
import { type AgreedState, agreeOnState, exportCopy } from "./migration/agree-on-state.ts";
import { countState, type StateCounts } from "./migration/count-state.ts";
import { isMigratedTo, migratedLogName } from "./migration/network-log.ts";
import {
  type NetworkOpening,
  openCaughtUp,
  openCopies,
  openStoppedLog,
  type StoppedNetwork,
  type SvCopy,
} from "./stopped-network.ts";

/** The network that goes on, by the id that it has. */
export interface MigrationConfig extends StoppedNetwork {
  /** Is told what is done, as it is done. */
  readonly report?: (progress: string) => void;
}

export interface MigratedNetwork {
  readonly migrationId: bigint;
  /** The path of the new log. */
  readonly logPath: string;
  /** Null if the migration was complete before. */
  readonly carried: CarriedNetwork | null;
}

export interface CarriedNetwork {
  /** The last entries of the log before, and of the new one. */
  readonly from: { readonly sequence: number; readonly digest: string };
  readonly to: { readonly sequence: number; readonly digest: string };
  /** The SVs that have signed. */
  readonly signedBy: readonly string[];
  /** SVs that have not, and why. */
  readonly left: ReadonlyMap<string, string>;
  readonly parts: number;
  readonly counts: StateCounts;
}

/** Nothing in this folder counts. */
const WORKSHOP = "migrating";

export async function migrateNetwork(config: MigrationConfig, host: Host): Promise<MigratedNetwork> {
  const { dataFolder } = config;
  const migrationId = config.migrationId + 1n;
  const logPath = join(dataFolder, migratedLogName(migrationId));
  if (isMigratedTo({ dataFolder, migrationId }, host.files)) return { migrationId, logPath, carried: null };
  const closing = new Closing();
  const workshop = join(dataFolder, WORKSHOP);
  try {
    const carried = await carryOver(config, { workshop, logPath }, { host, closing });
    host.files.remove(workshop);
    return { migrationId, logPath, carried };
  } finally {
    await closing.close();
  }
}

interface NewPlaces {
  readonly workshop: string;
  readonly logPath: string;
}

async function carryOver(
  config: MigrationConfig,
  { workshop, logPath }: NewPlaces,
  opening: NetworkOpening,
): Promise<CarriedNetwork> {
  const { files } = opening.host;
  const { svs, report = () => undefined } = config;
  const log = await openStoppedLog(config, opening);
  const { copies, left } = await openCopies(config, log, opening);
  const agreed = agreeOnState(copies, left);
  checkFoundingSvs(agreed.network);
  for (const { name } of copies.filter((copy) => !agreed.copies.includes(copy)))
    left.set(name, "its state differs");
  const from = agreed.source.index.state.head;
  report(`${agreed.copies.length} of ${svs.length} SVs have the same state after entry ${from.sequence}`);
  files.remove(workshop);
  files.makeFolder(workshop);
  const made = join(workshop, logStore.fileName);
  const { to, counts } = await makeLog({ ...config, report }, made, { agreed, host: opening.host });
  files.move(made, logPath);
  const signedBy = agreed.copies.map(({ name }) => name);
  return { from, to, signedBy, left, parts: agreed.parts.length, counts };
}

/** Writes the new log, applies it, and compares. Everything is closed afterwards. */
async function makeLog(
  { clock, log: events, report }: MigrationConfig & Required<Pick<MigrationConfig, "report">>,
  path: string,
  { agreed, host }: { readonly agreed: AgreedState<SvCopy>; readonly host: Host },
): Promise<Pick<CarriedNetwork, "to" | "counts">> {
  const closing = new Closing();
  try {
    const log = closing.add(new SqliteLog(path, host));
    await writeEntries(log, agreed, clock);
    report(`the new log has ${(await log.head()).sequence} entries`);
    const { name, identity, index: before } = agreed.source;
    const place = { dataFolder: dirname(path), log: events, checks: new SignatureChecks() };
    const { index } = await openCaughtUp({ ...place, name, identity, orderedLog: log }, { host, closing });
    const { state } = index;
    let at = 0;
    for (const part of exportCopy({ index }, before.now)) {
      if (sha256(part) !== agreed.parts[at])
        throw new Error(`part ${at} of the new state differs from the old one`);
      at++;
    }
    if (at !== agreed.parts.length || state.network?.awaitedParts?.length !== 0)
      throw new Error(`the new state has ${at} parts instead of ${agreed.parts.length}`);
    report("the new log gives the same state");
    return { to: state.head, counts: countState(state) };
  } finally {
    await closing.close();
  }
}

/** One part at a time. The SVs sign with the keys they have on the ledger. */
async function writeEntries(
  log: OrderedLog,
  { network, parts, copies, source }: AgreedState<SvCopy>,
  clock: () => Time,
): Promise<void> {
  const { state } = source.index;
  const sequencer = new Sequencer({ log, hash: sha256, clock, maxContentBytes: MAX_PART_BYTES });
  const members = network.svs.map((id) => state.findMember(id) as Member);
  const value = draftContinuation({ head: state.head, network }, members, parts);
  const keys = copies.map(({ identity }) => identity.signingKey);
  await sequencer.submit(signEntry({ tag: "ContinueNetwork", value }, keys));
  for (const content of exportCopy(source)) await sequencer.submit({ content, signatures: [] });
}

/** The DSO's namespace is a hash of the founding SVs' keys: the new log would refuse other SVs as this DSO's. */
function checkFoundingSvs({ svSerial = 0n }: Network): void {
  if (svSerial === 0n) return;
  throw new CannotStart(
    `the network's SVs have changed ${svSerial} times, and only its founding SVs can carry it over into a new log. ` +
      "Stay on this log: a new protocol version does not need another one",
  );
}
