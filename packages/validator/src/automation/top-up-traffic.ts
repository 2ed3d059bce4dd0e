/**
 * Buys traffic for the validator's participant when the last purchase runs low, and not before the interval since then
 * is over. A contract on the ledger records the time of the purchase, so that a restart buys nothing twice. On a DevNet
 * the purchase taps its cost; elsewhere a wallet with too little coin buys nothing, and its status says so.
 */
import { hash } from "node:crypto";
import {
  addDuration,
  type Decimal,
  decimalFromUnits,
  formatDecimal,
  formatParticipantId,
  type PayloadOf,
  SECOND,
  type Time,
  timeFromMicros,
  ValidatorTopUpState,
} from "@callsign/ledger";
import { onePage, SKIPPED } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { create } from "../ledger/commands.ts";
import { POLLING_SECONDS } from "../limits/limits.ts";
import type { CoinContext } from "../scans/network-facts.ts";
import type { TopUpConfig } from "../settings/top-up-settings.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { sumCoins, type TrafficPurchase, trafficCostOf } from "../wallet/traffic-cost.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import { decideTopUpTerms, type TopUpTerms } from "./top-up-terms.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

const TASK = "top-up";
const POLLING_MICROSECONDS = BigInt(POLLING_SECONDS) * SECOND;

type State = PayloadOf<typeof ValidatorTopUpState>;

interface Situation extends TopUpTerms, TrafficPurchase {
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: bigint;
  readonly isDevNet: boolean;
}

/** The terms, and the migration of the network that traffic is bought for. */
export interface TopUpSettings extends TopUpConfig {
  readonly migrationId: number;
}

export function topUpTraffic(parts: AutomationParts, config: TopUpSettings): ValidatorAutomation {
  const { facts, ledger, clock, directory, reserve, operatorParty } = parts;
  const situation = () => readSituation(parts, config);
  return {
    name: "top-up-traffic",
    concerns: [ValidatorTopUpState],
    listDue: onePage(async (now) => {
      const found = await situation();
      const state = await findState(parts, found);
      if (state !== undefined && mayBuyAt(state.payload, found) > now) return [];
      const left = await facts.extraTraffic(found.synchronizerId, found.memberId);
      return BigInt(left) < found.bytes ? [{ task: TASK, owner: operatorParty }] : [];
    }),
    nextDueAt: async (now) => {
      const found = await situation();
      const state = await findState(parts, found);
      const allowed = state === undefined ? now : mayBuyAt(state.payload, found);
      // Once a purchase is allowed, the remaining traffic is polled.
      return allowed > now ? allowed : now + POLLING_MICROSECONDS;
    },
    perform: async () => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined) return SKIPPED;
      await createState(parts, await situation());
      const buy = async ({ amuletPrice }: CoinContext) => {
        const found = await situation();
        const state = await findState(parts, found);
        if (state === undefined || mayBuyAt(state.payload, found) > clock.now) return "stale";
        if (!found.isDevNet) await checkFunds(parts, found, amuletPrice);
        const { memberId, synchronizerId, migrationId } = found;
        const value = {
          ...{ memberId, synchronizerId, migrationId, trafficAmount: found.bytes },
          minTopupInterval: { microseconds: found.intervalMicroseconds },
          topupStateCid: state.contractId,
        };
        return {
          operation: { tag: "CO_BuyMemberTraffic", value } as const,
          notBefore: mayBuyAt(state.payload, found),
        };
      };
      const bought = ledger.runOperation(wallet, buy, { priority: "high" });
      return await outcomeOf(bought.finally(() => reserve.drop()));
    },
  };
}

export interface TopUpForecast {
  readonly bytes: number;
  /** The time from which the purchase is allowed, in seconds since 1970. */
  readonly allowedAtSeconds: number;
}

/** True if the operator has too little coin for the next purchase. On a DevNet the purchase taps its cost. */
export async function lacksTopUpFunds(parts: AutomationParts, config: TopUpSettings): Promise<boolean> {
  const found = await readSituation(parts, config);
  if (found.isDevNet) return false;
  const { amuletPrice } = await parts.facts.coinContext();
  return (await sumCoins(parts.store, parts.operatorParty)) < trafficCostOf(found, amuletPrice);
}

type SituationParts = Pick<AutomationParts, "facts" | "participant">;
type StateParts = Pick<AutomationParts, "store" | "operatorParty">;

/** The next purchase, if the traffic runs low. Before the first one it is allowed at once. */
export async function forecastTopUp(
  parts: SituationParts & StateParts,
  config: TopUpSettings,
): Promise<TopUpForecast> {
  const found = await readSituation(parts, config);
  const state = await findState(parts, found);
  const allowedAt = state === undefined ? 0n : mayBuyAt(state.payload, found);
  return { bytes: Number(found.bytes), allowedAtSeconds: Number(allowedAt) / 1e6 };
}

async function readSituation(
  { facts, participant }: SituationParts,
  config: TopUpSettings,
): Promise<Situation> {
  const { isDevNet, configSchedule } = (await facts.coinRules()).payload;
  const { activeSynchronizer, fees } = configSchedule.initialValue.decentralizedSynchronizer;
  return {
    ...decideTopUpTerms(config, fees.minTopupAmount),
    memberId: formatParticipantId(await participant.participantId()),
    synchronizerId: activeSynchronizer,
    migrationId: BigInt(config.migrationId),
    isDevNet,
    price: fees.extraTrafficPrice,
  };
}

function mayBuyAt({ lastPurchasedAt }: State, { intervalMicroseconds }: TopUpTerms): Time {
  return addDuration(lastPurchasedAt, intervalMicroseconds);
}

async function findState(
  { store, operatorParty }: StateParts,
  { memberId, synchronizerId, migrationId }: Situation,
): Promise<WalletContract<State> | undefined> {
  const states = await store.list(ValidatorTopUpState, { owner: operatorParty });
  return states.find(
    ({ payload }) =>
      payload.memberId === memberId &&
      payload.synchronizerId === synchronizerId &&
      payload.migrationId === migrationId,
  );
}

/** Creates the state as if the last purchase had been long ago. Its one command id keeps a restart from creating another. */
async function createState(parts: AutomationParts, found: Situation): Promise<void> {
  const { ledger, operatorParty: validator, dso } = parts;
  if ((await findState(parts, found)) !== undefined) return;
  await ledger.requireCopy();
  const { memberId, synchronizerId, migrationId } = found;
  const place = [validator, memberId, synchronizerId, String(migrationId)];
  const commandId = `top-up-state_${hash("sha256", ["1", ...place].join("/"), "hex")}`;
  const lastPurchasedAt = timeFromMicros(0n);
  const payload = { dso, validator, memberId, synchronizerId, migrationId, lastPurchasedAt };
  await ledger.submitAs(
    "operator",
    validator,
    async () => {
      if ((await findState(parts, found)) !== undefined) return "stale";
      return { commands: [create(ValidatorTopUpState, payload)] };
    },
    { commandId, priority: "high" },
  );
}

async function checkFunds(
  { store, operatorParty: owner }: AutomationParts,
  found: Situation,
  amuletPrice: Decimal,
): Promise<void> {
  const cost = trafficCostOf(found, amuletPrice);
  const held = await sumCoins(store, owner);
  if (held >= cost) return;
  throw new ValidatorError({
    kind: "traffic-too-expensive",
    megabytes: Number(found.bytes) / 1e6,
    cost: formatDecimal(cost),
    balance: formatDecimal(decimalFromUnits(held)),
  });
}
