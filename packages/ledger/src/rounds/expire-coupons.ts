/**
 * The end of a closed round: unclaimed coupons are expired in batches, and once none is left the round is
 * archived. A batch holds one kind of coupon, so that SVs who work at the same time get in each other's way less.
 */
import type { ContractId } from "../values/contract-id.ts";

/** The unclaimed coupons of a round, by kind. */
export interface LeftCoupons {
  readonly validatorRewardCouponCids: readonly ContractId[];
  readonly appCouponCids: readonly ContractId[];
  readonly svRewardCouponCids: readonly ContractId[];
  readonly livenessRecordCids: readonly ContractId[];
}

/** The coupons that one claim of expired rewards takes. */
export interface ExpiryBatch {
  readonly closedRoundCid: ContractId;
  readonly validatorRewardCouponCids: readonly ContractId[];
  readonly appCouponCids: readonly ContractId[];
  readonly svRewardCouponCids: readonly ContractId[];
  readonly optValidatorFaucetCouponCids: null;
  readonly optValidatorLivenessActivityRecordCids: readonly ContractId[];
}

const MAX_BATCH_SIZE = 100;

/** Faucet coupons of old do not keep a round from being archived, as Splice has it: nothing creates them any more. */
export function isRoundArchivable(left: LeftCoupons): boolean {
  return (
    left.validatorRewardCouponCids.length === 0 &&
    left.appCouponCids.length === 0 &&
    left.svRewardCouponCids.length === 0 &&
    left.livenessRecordCids.length === 0
  );
}

export function expiryBatches(closedRoundCid: ContractId, left: LeftCoupons): readonly ExpiryBatch[] {
  const empty: ExpiryBatch = {
    closedRoundCid,
    validatorRewardCouponCids: [],
    appCouponCids: [],
    svRewardCouponCids: [],
    optValidatorFaucetCouponCids: null,
    optValidatorLivenessActivityRecordCids: [],
  };
  return [
    ...inBatches(left.validatorRewardCouponCids).map((cids) => ({
      ...empty,
      validatorRewardCouponCids: cids,
    })),
    ...inBatches(left.appCouponCids).map((cids) => ({ ...empty, appCouponCids: cids })),
    ...inBatches(left.svRewardCouponCids).map((cids) => ({ ...empty, svRewardCouponCids: cids })),
    ...inBatches(left.livenessRecordCids).map((cids) => ({
      ...empty,
      optValidatorLivenessActivityRecordCids: cids,
    })),
  ];
}

function inBatches(cids: readonly ContractId[]): readonly (readonly ContractId[])[] {
  const batches: (readonly ContractId[])[] = [];
  for (let from = 0; from < cids.length; from += MAX_BATCH_SIZE) {
    batches.push(cids.slice(from, from + MAX_BATCH_SIZE));
  }
  return batches;
}
