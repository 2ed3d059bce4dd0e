/**
 * Requests to buy traffic for a participant. The wallet pays as soon as the request is on the ledger. A request that
 * would fail then is refused at once: too few bytes, another synchronizer, a party without a participant, too little coin.
 */
import type { BuyTrafficStatus, CreateBuyTrafficRequest } from "@callsign/api";
import { BuyTrafficRequest, decimalFromUnits, formatDecimalShort, WalletAppInstall } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { TrackedOutcomes } from "../history/tracked-outcomes.ts";
import { exercise } from "../ledger/commands.ts";
import { MAX_TRACKED_TEXT } from "../limits/limits.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import { hostOfParty } from "../scans/scan-lookups.ts";
import { invalid, readPartyField, readText, readTimeField } from "./request-fields.ts";
import { checkNewRequest, type TrackedParts } from "./tracked-requests.ts";
import { sumCoins, trafficCostOf } from "./traffic-cost.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated } from "./wallet-ledger.ts";

export interface TrafficRequestParts extends TrackedParts {
  readonly scans: ScanGroup;
  /** The network's migration that traffic is bought for. */
  readonly migrationId: number;
}

const WHAT = "Buy traffic request with trackingId";

export async function createTrafficRequest(
  parts: TrafficRequestParts,
  { party, install }: Wallet,
  given: CreateBuyTrafficRequest,
): Promise<string> {
  const { once, ledger, migrationId } = parts;
  const receiver = readPartyField("receiving_validator_party_id", given.receiving_validator_party_id);
  const terms = {
    synchronizerId: given.domain_id,
    migrationId: BigInt(migrationId),
    trafficAmount: BigInt(given.traffic_amount),
    expiresAt: readTimeField("expires_at", given.expires_at),
    trackingId: readText("tracking_id", given.tracking_id, MAX_TRACKED_TEXT),
  };
  if (terms.trafficAmount <= 0n) throw invalid("trafficAmount must be positive");
  return await once.run({
    ...{ operation: "createBuyTrafficRequest", party, what: WHAT, id: terms.trackingId, content: given },
    check: async () => {
      await checkNewRequest(parts, { party, kind: "traffic-request", what: WHAT, ...terms });
      await checkPurchase(parts, party, terms);
    },
    submit: async (identity) => {
      const memberId = await findMember(parts.scans, receiver, terms.synchronizerId);
      const choice = "WalletAppInstall_CreateBuyTrafficRequest";
      const commands = [exercise(WalletAppInstall, install, choice, { ...terms, memberId })];
      return await ledger.submitAs("operator", party, async () => ({ commands }), identity);
    },
    answerOf: (transaction) => getCreated(transaction, BuyTrafficRequest),
  });
}

/** Throws if the purchase would fail. */
async function checkPurchase(
  { facts, store }: TrafficRequestParts,
  party: string,
  {
    synchronizerId,
    trafficAmount: bytes,
  }: { readonly synchronizerId: string; readonly trafficAmount: bigint },
): Promise<void> {
  const { configSchedule } = (await facts.coinRules()).payload;
  const { requiredSynchronizers, fees } = configSchedule.initialValue.decentralizedSynchronizer;
  const known = requiredSynchronizers.map.map(([id]) => id);
  if (!known.includes(synchronizerId))
    throw invalid(
      `domain_id: ${synchronizerId.slice(0, 200)} is no synchronizer of this network: ${known.join(", ")}`,
    );
  if (bytes < fees.minTopupAmount)
    throw invalid(
      `traffic_amount: ${bytes} is too little; the network sells ${fees.minTopupAmount} bytes or more.`,
    );
  const { amuletPrice } = (await facts.usableRound()).payload;
  const cost = trafficCostOf({ bytes, price: fees.extraTrafficPrice }, amuletPrice);
  const missing = cost - (await sumCoins(store, party));
  if (missing <= 0n) return;
  const text = formatDecimalShort(decimalFromUnits(missing));
  throw new ValidatorError({ kind: "not-enough-coin", missing: text });
}

async function findMember(scans: ScanGroup, party: string, synchronizerId: string): Promise<string> {
  const host = await scans.read(hostOfParty(synchronizerId, party));
  if (host === null) throw invalid(`Could not find participant hosting ${party} on domain ${synchronizerId}`);
  if (host === "several")
    throw invalid(
      `Receiving validator party ${party} is hosted on multiple participants, which is not currently supported`,
    );
  return host.participantId;
}

export async function getTrafficRequestStatus(
  history: TrackedOutcomes,
  { party }: Wallet,
  trackingId: string,
): Promise<BuyTrafficStatus> {
  const found = await history.find(party, "traffic-request", trackingId);
  if (found === undefined)
    throw new ValidatorError({ kind: "request-not-found", what: "buy traffic request", id: trackingId });
  if (found.status === "completed") return { status: "completed", transaction_id: found.transactionId };
  if (found.status !== "failed") return { status: "created" };
  // A cancelled request is called rejected.
  const failure_reason = found.kind === "expired" ? "expired" : "rejected";
  return { status: "failed", failure_reason, rejection_reason: found.reason ?? null };
}
