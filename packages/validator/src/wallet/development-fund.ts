/**
 * The development fund: its manager gives coupons to beneficiaries, and takes one back before it is minted or expires.
 * The fund itself is the DSO's alone: scans disclose its contracts, and results of choices name those that come back.
 */
import type { AllocateRequest, ContractWithState, WireContract } from "@callsign/api";
import {
  AmuletRules,
  type ContractId,
  type Decimal,
  DevelopmentFundCoupon,
  decimalFromUnits,
  formatDecimal,
  type PartyId,
  scanJson,
  sum,
  type Time,
  UnclaimedDevelopmentFundCoupon,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { getExerciseResult } from "../ledger/exercise-result.ts";
import { MAX_FUND_REASON } from "../limits/limits.ts";
import { disclose, type NetworkFacts, readContractId } from "../scans/network-facts.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import { unclaimedFundCoupons } from "../scans/scan-lookups.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { wireContract } from "../store/wire-contract.ts";
import { actOnceOn, type OnceAction, type OnceParts } from "./act-once.ts";
import { notFound } from "./get-owned.ts";
import { invalid, readAmount, readPartyField, readText, readTimeField } from "./request-fields.ts";
import type { Wallet } from "./wallet.ts";

export interface FundParts extends OnceParts {
  readonly scans: ScanGroup;
}

export interface FundAllocation {
  readonly coupon: ContractId;
  /** The coupon of the rest; null if nothing is left. */
  readonly rest: ContractId | null;
}

/** Coupons that the party gave and coupons that it was given; the first to expire comes first. */
export async function listFundCoupons(store: WalletStore, { party }: Wallet): Promise<WireContract[]> {
  const coupons = await store.list(DevelopmentFundCoupon, { party });
  return coupons
    .toSorted((a, b) => Number(a.payload.expiresAt - b.payload.expiresAt))
    .map((coupon) => wireContract(DevelopmentFundCoupon, coupon));
}

/** The same request within a day gives the same coupon, as in Splice, which refuses it. */
export async function allocateFundCoupon(
  { ledger, facts, scans, once, participant }: FundParts,
  { party }: Wallet,
  given: AllocateRequest,
): Promise<FundAllocation> {
  const terms = {
    beneficiary: readPartyField("beneficiary", given.beneficiary),
    amount: readAmount("amount", given.amount, "coin"),
    expiresAt: readTimeField("expiresAt", given.expiresAt),
    reason: readText("reason", given.reason, MAX_FUND_REASON),
  };
  const choice = "AmuletRules_AllocateDevelopmentFundCoupon";
  const makeBatch = async () => {
    const rules = await facts.coinRules();
    const taken = selectFundCoupons(await scans.read(unclaimedFundCoupons), terms.amount);
    const unclaimedDevelopmentFundCouponCids = taken.map(readContractId);
    const argument = { ...terms, unclaimedDevelopmentFundCouponCids, fundManager: party };
    return {
      commands: [exercise(AmuletRules, rules.contractId, choice, argument)],
      disclosed: [rules.disclosed, ...taken.map(disclose)],
    };
  };
  const offset = await once.run({
    ...{ operation: "allocate-fund-coupon", party, content: given },
    what: "A development fund coupon",
    id: formatTerms(terms),
    check: () => requireManager(facts, party),
    submit: (identity) => ledger.submitAs("user", party, makeBatch, identity),
    answerOf: (transaction) => String(transaction.offset),
  });
  const place = { offset: Number(offset), party };
  const result = await getExerciseResult(participant, place, { template: AmuletRules, choice });
  return {
    coupon: result.developmentFundCouponCid,
    rest: result.optUnclaimedDevelopmentFundCouponCid,
  };
}

interface Terms {
  readonly beneficiary: PartyId;
  readonly amount: Decimal;
  readonly expiresAt: Time;
  readonly reason: string;
}

/** All terms of a request, for comparison: other terms are another request. */
function formatTerms({ beneficiary, amount, expiresAt, reason }: Terms): string {
  return `of ${formatDecimal(amount)} for ${beneficiary} until ${expiresAt} with the reason ${JSON.stringify(reason)}`;
}

async function requireManager(facts: NetworkFacts, party: PartyId): Promise<void> {
  let manager = await findManager(facts);
  if (manager === party) return;
  // A vote may have changed it a moment ago.
  facts.drop();
  manager = await findManager(facts);
  if (manager === null)
    throw invalid("The network has no manager of its development fund: the SVs decide on one by a vote.");
  if (manager !== party)
    throw invalid(
      `Only the manager of the development fund, ${manager}, gives its coupons; you are ${party}.`,
    );
}

async function findManager(facts: NetworkFacts): Promise<PartyId | null> {
  const { configSchedule } = (await facts.coinRules()).payload;
  return configSchedule.initialValue.optDevelopmentFundManager;
}

/** Selects the largest coupons first, as in Splice, until they cover the amount. */
function selectFundCoupons(
  coupons: readonly ContractWithState[],
  amount: Decimal,
): readonly ContractWithState[] {
  const sorted = coupons
    .map((coupon) => ({
      coupon,
      ...UnclaimedDevelopmentFundCoupon.record.fromJson(coupon.contract.payload, scanJson),
    }))
    .toSorted((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1));
  const taken: ContractWithState[] = [];
  let covered = 0n;
  for (const { coupon, amount: worth } of sorted) {
    if (covered >= amount) break;
    taken.push(coupon);
    covered += worth;
  }
  if (covered >= amount) return taken;
  const fund = sum(sorted.map((each) => each.amount));
  const missing = formatDecimal(decimalFromUnits(amount - fund));
  throw invalid(
    `The development fund has ${formatDecimal(fund)}, and ${missing} more is needed: ask for less.`,
  );
}

/** The id of the contract that the coupon's amount went back to; repeated within a day, that of the first call. */
export async function withdrawFundCoupon(
  parts: FundParts,
  wallet: Wallet,
  given: { readonly contractId: string; readonly reason: string },
): Promise<string> {
  const { store, participant } = parts;
  const { party } = wallet;
  const { contractId } = given;
  const reason = readText("reason", given.reason, MAX_FUND_REASON);
  const choice = "DevelopmentFundCoupon_Withdraw";
  const action: OnceAction<WalletContract<DevelopmentFundCoupon>> = {
    ...{ operation: "withdrawDevelopmentFundCoupon", what: "coupon", contractId, submitter: "user" },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(DevelopmentFundCoupon, cid, choice, { reason })],
    }),
    answerOf: async ({ offset }) => {
      const sought = { template: DevelopmentFundCoupon, choice } as const;
      const result = await getExerciseResult(participant, { offset, party }, sought);
      return result.unclaimedDevelopmentFundCouponCid;
    },
  };
  return await actOnceOn(parts, wallet, action, () => getGivenCoupon(store, wallet, contractId));
}

/** The beneficiary sees the coupon, too, and may not withdraw it. */
async function getGivenCoupon(
  store: WalletStore,
  { party }: Wallet,
  contractId: string,
): Promise<WalletContract<DevelopmentFundCoupon>> {
  const coupon = await store.find(DevelopmentFundCoupon, contractId);
  const { beneficiary, fundManager } = coupon?.payload ?? {};
  if (coupon === undefined || (party !== beneficiary && party !== fundManager))
    throw notFound("development fund coupon", contractId);
  if (party === fundManager) return coupon;
  throw invalid(`Only ${fundManager}, who gave this coupon, withdraws it; you are ${party}.`);
}
