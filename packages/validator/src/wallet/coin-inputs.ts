/**
 * The inputs of a wallet's payment: its coins, and its rewards of rounds that issue now, with the disclosures that the
 * ledger needs for them.
 */
import type { DisclosedContract } from "@callsign/api";
import {
  Amulet,
  type Decimal,
  DevelopmentFundCoupon,
  type PartyId,
  type PaymentTransferContext,
  sum,
  type Time,
  type TransferInput,
  UnclaimedActivityRecord,
  ZERO,
} from "@callsign/ledger";
import { MAX_COINS } from "../limits/limits.ts";
import { type CoinContext, disclose, readContractId } from "../scans/network-facts.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { type Coin, selectInputs } from "./select-inputs.ts";
import { listRewards, type RewardParts, type WalletReward } from "./wallet-rewards.ts";

export interface CoinInputs {
  readonly inputs: readonly TransferInput[];
  readonly context: PaymentTransferContext;
  readonly disclosed: readonly DisclosedContract[];
  /** Users whose coupons are among the inputs. */
  readonly readAs: readonly PartyId[];
  /** The time at which all rounds of the context are open. */
  readonly notBefore: Time;
  /** The number of coins among the inputs, and the value of all rewards. */
  readonly coins: number;
  readonly rewardValue: Decimal;
}

/** The inputs of a tap: none. */
export function noInputs(context: CoinContext): CoinInputs {
  return assemble(context, { inputs: [], used: [], coins: 0, rewardValue: ZERO });
}

/** `chooseCoins` leaves some coins alone; all are taken if it is omitted. */
export async function gatherInputs(
  parts: RewardParts,
  party: PartyId,
  context: CoinContext,
  now: Time,
  chooseCoins: (held: readonly Coin[]) => readonly Coin[] = (held) => held,
): Promise<CoinInputs> {
  const { store } = parts;
  const held = await store.list(Amulet, { owner: party }, MAX_COINS);
  const coins = chooseCoins(
    held.map(
      ({ contractId, payload }): Coin => ({
        amount: payload.amount.initialAmount,
        input: { tag: "InputAmulet", value: contractId },
      }),
    ),
  );
  const rounds = context.issuing.map(({ payload }) => payload);
  const rewards = await listRewards(parts, party, { rounds, limit: context.maxInputs });
  const others = await listOthers(store, party, now);
  const rewardValue = sum([...rewards.map(({ value }) => value), ...others.map(({ value }) => value)]);
  const inputs = selectInputs(
    { coins, rewards, others: others.map(({ input }) => input) },
    context.maxInputs,
  );
  const used = rewards.filter(({ input }) => inputs.includes(input));
  const merged = inputs.filter(({ tag }) => tag === "InputAmulet").length;
  return assemble(context, { inputs, used, coins: merged, rewardValue });
}

interface Other {
  readonly value: Decimal;
  readonly input: TransferInput;
}

const OTHERS = [
  [UnclaimedActivityRecord, "InputUnclaimedActivityRecord"],
  [DevelopmentFundCoupon, "InputDevelopmentFundCoupon"],
] as const;

/** Contracts that can be minted at any time. An expired one would fail the whole payment, and is left out. */
async function listOthers(store: WalletStore, owner: PartyId, now: Time): Promise<readonly Other[]> {
  const others: Other[] = [];
  for (const [template, tag] of OTHERS)
    for (const { contractId: value, payload } of await store.list(template, { owner }))
      if (payload.expiresAt > now) others.push({ value: payload.amount, input: { tag, value } });
  return others;
}

interface Chosen extends Pick<CoinInputs, "inputs" | "coins" | "rewardValue"> {
  readonly used: readonly WalletReward[];
}

/** The context names only rounds and rights that the inputs need. */
function assemble(coin: CoinContext, { inputs, used, coins, rewardValue }: Chosen): CoinInputs {
  const numbers = new Set(used.map(({ round }) => round));
  const rounds = coin.issuing.filter(({ payload }) => numbers.has(payload.round.number));
  const rights = new Map(used.flatMap(({ right }) => (right === null ? [] : [[right.user, right] as const])));
  const opens = [coin.roundOpensAt, ...rounds.map(({ payload }) => payload.opensAt)];
  return {
    inputs,
    context: {
      amuletRules: coin.amuletRules,
      context: {
        openMiningRound: coin.openMiningRound,
        issuingMiningRounds: rounds.map(
          ({ payload, contract }) => [payload.round, readContractId(contract)] as const,
        ),
        validatorRights: [...rights].map(([user, { contractId }]) => [user, contractId] as const),
        featuredAppRight: null,
      },
    },
    disclosed: [...coin.disclosed, ...rounds.map(({ contract }) => disclose(contract))],
    readAs: [...rights.keys()],
    notBefore: opens.reduce((latest, each) => (each > latest ? each : latest)),
    coins,
    rewardValue,
  };
}
