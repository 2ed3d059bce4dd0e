/**
 * What a wallet can pay with: its coins, and its rewards of rounds that issue now, with what the ledger must be shown
 * for them. The rewards for burns of hosted users are the validator's, by the rights that users gave it.
 */
import type { DisclosedContract } from "@callsign/api";
import {
  Amulet,
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  type ContractId,
  type Decimal,
  DevelopmentFundCoupon,
  decimalFromUnits,
  type IssuingMiningRound,
  multiply,
  type PartyId,
  type PayloadOf,
  type PaymentTransferContext,
  SvRewardCoupon,
  sum,
  type Time,
  type TransferInput,
  UnclaimedActivityRecord,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  ZERO,
} from "@callsign/ledger";
import type { Held } from "../ledger/contract-rows.ts";
import { MAX_COINS, type WalletStore } from "../ledger/wallet-store.ts";
import { type CoinContext, disclose, readContractId } from "../scan-reads/network-facts.ts";
import { type Coin, type Reward, selectInputs } from "./select-inputs.ts";

export interface CoinInputs {
  readonly inputs: readonly TransferInput[];
  readonly context: PaymentTransferContext;
  readonly disclosed: readonly DisclosedContract[];
  /** Whose coupons are among the inputs: their contracts are read. */
  readonly readAs: readonly PartyId[];
  /** The rounds of the context are open from then on. */
  readonly notBefore: Time;
  /** How many coins are among the inputs, and what the rewards there are are worth. */
  readonly coins: number;
  readonly rewardValue: Decimal;
}

export interface CoinInputParts {
  readonly store: WalletStore;
  readonly operatorParty: PartyId;
}

interface Found extends Reward {
  /** Whose coupon it is. */
  readonly user: PartyId;
  readonly issuing: IssuingMiningRound;
}

const UNIT = 10_000_000_000n;
type Valued<T> = (payload: T, issuing: IssuingMiningRound) => Decimal;

/** Nothing goes in: what a tap needs. */
export function noInputs(context: CoinContext): CoinInputs {
  return assemble(context, { inputs: [], used: [], rights: [], coins: 0, rewardValue: ZERO });
}

export async function gatherInputs(
  parts: CoinInputParts,
  party: PartyId,
  context: CoinContext,
  now: Time,
): Promise<CoinInputs> {
  const { store, operatorParty } = parts;
  const held = await store.list(Amulet, { owner: party }, MAX_COINS);
  const coins = held.map(
    ({ contractId, payload }): Coin => ({
      amount: payload.amount.initialAmount,
      input: { tag: "InputAmulet", value: contractId },
    }),
  );
  const rights = party === operatorParty ? await store.list(ValidatorRight, { link: operatorParty }) : [];
  const rewards = await listRewards(parts, party, context, rights);
  const others = await listOthers(store, party, now);
  const rewardValue = sum([...rewards.map(({ value }) => value), ...others.map(({ value }) => value)]);
  const inputs = selectInputs(
    { coins, rewards, others: others.map(({ input }) => input) },
    context.maxInputs,
  );
  const used = rewards.filter(({ input }) => inputs.includes(input));
  return assemble(context, { inputs, used, rights, coins: coins.length, rewardValue });
}

/** Each kind up to as many as can go in at once. */
async function listRewards(
  { store }: CoinInputParts,
  party: PartyId,
  { issuing, maxInputs }: CoinContext,
  rights: readonly Held<PayloadOf<typeof ValidatorRight>>[],
): Promise<readonly Found[]> {
  const found: Found[] = [];
  const note = async <T extends AnyTemplateDeclaration>(
    template: T,
    {
      owner,
      inputOf,
      worthOf,
    }: {
      readonly owner: PartyId;
      readonly inputOf: (contractId: ContractId) => TransferInput;
      readonly worthOf: Valued<PayloadOf<T>>;
    },
  ) => {
    for (const { payload: round } of issuing) {
      const { number } = round.round;
      const held = await store.list(template, { owner, name: String(number) }, maxInputs);
      for (const { contractId, payload } of held) {
        const value = worthOf(payload, round);
        found.push({ round: number, value, input: inputOf(contractId), user: owner, issuing: round });
      }
    }
  };
  const faucet: Valued<unknown> = (_, round) => round.optIssuancePerValidatorFaucetCoupon ?? ZERO;
  await note(AppRewardCoupon, {
    owner: party,
    inputOf: (value) => ({ tag: "InputAppRewardCoupon", value }),
    worthOf: ({ amount, featured }, round) =>
      multiply(
        amount,
        featured ? round.issuancePerFeaturedAppRewardCoupon : round.issuancePerUnfeaturedAppRewardCoupon,
      ),
  });
  await note(SvRewardCoupon, {
    owner: party,
    inputOf: (value) => ({ tag: "InputSvRewardCoupon", value }),
    worthOf: ({ weight }, round) =>
      multiply(decimalFromUnits(weight * UNIT), round.issuancePerSvRewardCoupon),
  });
  await note(ValidatorFaucetCoupon, {
    owner: party,
    inputOf: (optInputValidatorFaucetCoupon) => ({
      tag: "ExtTransferInput",
      value: { dummyUnitField: {}, optInputValidatorFaucetCoupon },
    }),
    worthOf: faucet,
  });
  await note(ValidatorLivenessActivityRecord, {
    owner: party,
    inputOf: (value) => ({ tag: "InputValidatorLivenessActivityRecord", value }),
    worthOf: faucet,
  });
  for (const { payload } of rights) {
    await note(ValidatorRewardCoupon, {
      owner: payload.user,
      inputOf: (value) => ({ tag: "InputValidatorRewardCoupon", value }),
      worthOf: ({ amount }, round) => multiply(amount, round.issuancePerValidatorRewardCoupon),
    });
  }
  return found;
}

interface Other {
  readonly value: Decimal;
  readonly input: TransferInput;
}

/** An expired one would spoil the whole payment. */
async function listOthers(store: WalletStore, owner: PartyId, now: Time): Promise<readonly Other[]> {
  const records = await store.list(UnclaimedActivityRecord, { owner });
  const coupons = await store.list(DevelopmentFundCoupon, { owner });
  return [
    ...records
      .filter(({ payload }) => payload.expiresAt > now)
      .map(({ contractId: value, payload }) => ({
        value: payload.amount,
        input: { tag: "InputUnclaimedActivityRecord", value } as const,
      })),
    ...coupons
      .filter(({ payload }) => payload.expiresAt > now)
      .map(({ contractId: value, payload }) => ({
        value: payload.amount,
        input: { tag: "InputDevelopmentFundCoupon", value } as const,
      })),
  ];
}

interface Chosen {
  readonly inputs: readonly TransferInput[];
  readonly used: readonly Found[];
  readonly rights: readonly Held<PayloadOf<typeof ValidatorRight>>[];
  readonly coins: number;
  readonly rewardValue: Decimal;
}

/** Names only the rounds and rights that the inputs need. */
function assemble(coin: CoinContext, { inputs, used, rights, coins, rewardValue }: Chosen): CoinInputs {
  const numbers = new Set(used.map(({ round }) => round));
  const rounds = coin.issuing.filter(({ payload }) => numbers.has(payload.round.number));
  const users = new Set(
    used.filter(({ input }) => input.tag === "InputValidatorRewardCoupon").map(({ user }) => user),
  );
  const needed = new Map(
    rights.filter(({ payload }) => users.has(payload.user)).map((right) => [right.payload.user, right]),
  );
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
        validatorRights: [...needed].map(([user, { contractId }]) => [user, contractId] as const),
        featuredAppRight: null,
      },
    },
    disclosed: [...coin.disclosed, ...rounds.map(({ contract }) => disclose(contract))],
    readAs: [...users],
    notBefore: opens.reduce((latest, each) => (each > latest ? each : latest)),
    coins,
    rewardValue,
  };
}
