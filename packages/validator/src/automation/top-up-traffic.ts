/**
 * Buys traffic for the validator's participant when what was bought before runs low, and not before the interval since
 * the last purchase is over. A contract on the ledger keeps when that was, so that a restart buys nothing twice. On a
 * DevNet the purchase taps what it costs; elsewhere a wallet with too little coin buys nothing, and that is told.
 */
import { hash } from "node:crypto";
import { spliceError } from "@callsign/api";
import {
  Amulet,
  addDuration,
  type Decimal,
  decimalFromUnits,
  divide,
  formatDecimal,
  formatParticipantId,
  multiply,
  type PartyId,
  type PayloadOf,
  parseDecimal,
  type Time,
  timeFromMicros,
  ValidatorTopUpState,
} from "@callsign/ledger";
import { create } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { NotEnoughCoin } from "../ledger/ledger-refusal.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { StoredContract } from "../store/contract-rows.ts";
import { MAX_COINS, type WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { type Automation, onePage } from "./automation.ts";
import { stale } from "./stale.ts";
import { decideTopUpTerms, POLLING_SECONDS, type TopUpConfig, type TopUpTerms } from "./top-up-terms.ts";

export interface TopUpParts {
  readonly store: WalletStore;
  readonly facts: NetworkFacts;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly directory: WalletDirectory;
  readonly participant: ParticipantClient;
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
}

const TASK = "top-up";
const POLLING_MICROSECONDS = BigInt(POLLING_SECONDS) * 1_000_000n;
const UNIT = 10_000_000_000n;

type State = PayloadOf<typeof ValidatorTopUpState>;

interface Situation extends TopUpTerms {
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: bigint;
  readonly isDevNet: boolean;
  /** In dollars a megabyte. */
  readonly price: Decimal;
}

export function topUpTraffic(parts: TopUpParts, config: TopUpConfig): Automation {
  const { store, facts, ledger, clock, directory, operatorParty } = parts;
  const situation = () => readSituation(parts, config);
  return {
    name: "top-up-traffic",
    reactsTo: [ValidatorTopUpState],
    listDue: onePage(async (now) => {
      const found = await situation();
      const state = await findState(store, operatorParty, found);
      if (state !== undefined && mayBuyAt(state.payload, found) > now) return [];
      const left = await facts.extraTraffic(found.synchronizerId, found.memberId);
      return BigInt(left) < found.bytes ? [{ task: TASK, owner: operatorParty }] : [];
    }),
    nextDueAt: async (now) => {
      const found = await situation();
      const state = await findState(store, operatorParty, found);
      const allowed = state === undefined ? now : mayBuyAt(state.payload, found);
      // How much is left is looked at every now and then, once more may be bought.
      return allowed > now ? allowed : now + POLLING_MICROSECONDS;
    },
    perform: async () => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined) return false;
      await createState(parts, await situation());
      await ledger.runOperation(wallet, async ({ amuletPrice }) => {
        const found = await situation();
        const state = await findState(store, operatorParty, found);
        if (state === undefined || mayBuyAt(state.payload, found) > clock.now) throw stale(TASK);
        if (!found.isDevNet) await checkFunds(store, operatorParty, { found, amuletPrice });
        const { memberId, synchronizerId, migrationId } = found;
        const value = {
          ...{ memberId, synchronizerId, migrationId, trafficAmount: found.bytes },
          minTopupInterval: { microseconds: found.intervalMicroseconds },
          topupStateCid: state.contractId,
        };
        return {
          operation: { tag: "CO_BuyMemberTraffic", value },
          notBefore: mayBuyAt(state.payload, found),
        };
      });
      return true;
    },
  };
}

async function readSituation({ facts, participant }: TopUpParts, config: TopUpConfig): Promise<Situation> {
  const { isDevNet, configSchedule } = await facts.coinRules();
  const { activeSynchronizer, fees } = configSchedule.initialValue.decentralizedSynchronizer;
  return {
    ...decideTopUpTerms(config, fees.minTopupAmount),
    memberId: formatParticipantId(await participant.participantId()),
    synchronizerId: activeSynchronizer,
    migrationId: config.migrationId ?? 0n,
    isDevNet,
    price: fees.extraTrafficPrice,
  };
}

function mayBuyAt({ lastPurchasedAt }: State, { intervalMicroseconds }: TopUpTerms): Time {
  return addDuration(lastPurchasedAt, intervalMicroseconds);
}

async function findState(
  store: WalletStore,
  validator: string,
  { memberId, synchronizerId, migrationId }: Situation,
): Promise<StoredContract<State> | undefined> {
  const states = await store.list(ValidatorTopUpState, { owner: validator });
  return states.find(
    ({ payload }) =>
      payload.memberId === memberId &&
      payload.synchronizerId === synchronizerId &&
      payload.migrationId === migrationId,
  );
}

/** As if the last purchase had been long ago. Made once: one that was on its way before a restart is not repeated. */
async function createState(parts: TopUpParts, found: Situation): Promise<void> {
  const { store, ledger, operatorParty: validator, dso } = parts;
  if ((await findState(store, validator, found)) !== undefined) return;
  await ledger.requireCopy();
  const { memberId, synchronizerId, migrationId } = found;
  const place = [validator, memberId, synchronizerId, String(migrationId)];
  const commandId = `top-up-state_${hash("sha256", ["1", ...place].join("/"), "hex")}`;
  const lastPurchasedAt = timeFromMicros(0n);
  const payload = { dso, validator, memberId, synchronizerId, migrationId, lastPurchasedAt };
  await ledger.submitAsOperator(
    async () => {
      if ((await findState(store, validator, found)) !== undefined) throw stale("the top-up state");
      return { commands: [create(ValidatorTopUpState, payload)] };
    },
    { commandId },
  );
}

/** Rounded as the ledger rounds it. */
function costOf({ bytes, price }: Situation, amuletPrice: Decimal): Decimal {
  const million = parseDecimal("1000000");
  if (!million.ok) throw new Error(million.error);
  const megabytes = divide(decimalFromUnits(bytes * UNIT), million.value);
  return divide(multiply(megabytes, price), amuletPrice);
}

async function checkFunds(
  store: WalletStore,
  owner: PartyId,
  { found, amuletPrice }: { readonly found: Situation; readonly amuletPrice: Decimal },
): Promise<void> {
  const cost = costOf(found, amuletPrice);
  const coins = await store.list(Amulet, { owner }, MAX_COINS);
  // As a plain number: coins that somebody sent may be more together than an amount can hold.
  const held = coins.reduce((total, { payload }) => total + payload.amount.initialAmount, 0n);
  if (held >= cost) return;
  const balance = decimalFromUnits(held);
  const megabytes = Number(found.bytes) / 1e6;
  const text = `Not enough coin for ${megabytes} MB of traffic: it costs ${formatDecimal(cost)}, and there are ${formatDecimal(balance)}.`;
  throw new NotEnoughCoin(spliceError(400, text));
}
