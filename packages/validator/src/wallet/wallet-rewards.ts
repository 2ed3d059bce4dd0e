/**
 * A wallet's rewards of rounds that issue now, with the value of each. The rewards for the burns of hosted users are
 * the validator's, by the rights that the users gave it.
 */
import {
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  type ContractId,
  type Decimal,
  decimalFromUnits,
  type IssuingMiningRound,
  multiply,
  ONE,
  type PartyId,
  type PayloadOf,
  SvRewardCoupon,
  type TransferInput,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  ZERO,
} from "@callsign/ledger";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Reward } from "./select-inputs.ts";

export interface RewardParts {
  readonly store: WalletStore;
  readonly operatorParty: PartyId;
}

export interface RewardRight {
  readonly user: PartyId;
  readonly contractId: ContractId;
}

export interface WalletReward extends Reward {
  /** The right by which the validator mints it; null for the wallet's own. */
  readonly right: RewardRight | null;
}

interface Kind {
  readonly template: AnyTemplateDeclaration;
  readonly inputOf: (contractId: ContractId) => TransferInput;
  readonly worthOf: (payload: never, round: IssuingMiningRound) => Decimal;
}

function kind<T extends AnyTemplateDeclaration>(
  template: T,
  inputOf: Kind["inputOf"],
  worthOf: (payload: PayloadOf<T>, round: IssuingMiningRound) => Decimal,
): Kind {
  return { template, inputOf, worthOf };
}

const perRecord = (_: unknown, round: IssuingMiningRound) =>
  round.optIssuancePerValidatorFaucetCoupon ?? ZERO;

const OWN: readonly Kind[] = [
  kind(
    AppRewardCoupon,
    (value) => ({ tag: "InputAppRewardCoupon", value }),
    ({ amount, featured }, round) =>
      multiply(
        amount,
        featured ? round.issuancePerFeaturedAppRewardCoupon : round.issuancePerUnfeaturedAppRewardCoupon,
      ),
  ),
  kind(
    SvRewardCoupon,
    (value) => ({ tag: "InputSvRewardCoupon", value }),
    ({ weight }, round) => multiply(decimalFromUnits(weight * ONE), round.issuancePerSvRewardCoupon),
  ),
  kind(
    ValidatorFaucetCoupon,
    (optInputValidatorFaucetCoupon) => ({
      tag: "ExtTransferInput",
      value: { dummyUnitField: {}, optInputValidatorFaucetCoupon },
    }),
    perRecord,
  ),
  kind(
    ValidatorLivenessActivityRecord,
    (value) => ({ tag: "InputValidatorLivenessActivityRecord", value }),
    perRecord,
  ),
];

const OF_USERS = kind(
  ValidatorRewardCoupon,
  (value) => ({ tag: "InputValidatorRewardCoupon", value }),
  ({ amount }, round) => multiply(amount, round.issuancePerValidatorRewardCoupon),
);

/** Lists at most `limit` rewards of each kind and round: no more can go into one payment. */
export async function listRewards(
  { store, operatorParty }: RewardParts,
  party: PartyId,
  { rounds, limit }: { readonly rounds: readonly IssuingMiningRound[]; readonly limit: number },
): Promise<readonly WalletReward[]> {
  const rights = new Map<string, RewardRight | null>();
  const found: WalletReward[] = [];
  const kinds = party === operatorParty ? [...OWN, OF_USERS] : OWN;
  for (const round of rounds) {
    const { number } = round.round;
    for (const each of kinds) {
      const isOfUsers = each === OF_USERS;
      const coupons = isOfUsers
        ? await store.listMintableIn(number, { validator: party, limit })
        : await store.list(each.template, { name: String(number), owner: party }, limit);
      for (const { contractId, owner, payload } of coupons) {
        if (isOfUsers && !rights.has(owner)) rights.set(owner, await findRight(store, operatorParty, owner));
        const right = isOfUsers ? (rights.get(owner) ?? null) : null;
        if (isOfUsers && right === null) continue;
        const value = each.worthOf(payload as never, round);
        found.push({ round: number, value, input: each.inputOf(contractId), right });
      }
    }
  }
  return found;
}

async function findRight(store: WalletStore, validator: PartyId, user: string): Promise<RewardRight | null> {
  const [right] = await store.list(ValidatorRight, { owner: user, link: validator }, 1);
  return right === undefined ? null : { user: right.payload.user, contractId: right.contractId };
}
