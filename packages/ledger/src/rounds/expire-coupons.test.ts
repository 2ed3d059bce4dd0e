import { describe, expect, test } from "vitest";
import type { ContractId } from "../values/contract-id.ts";
import { expiryBatches, isRoundArchivable, type LeftCoupons } from "./expire-coupons.ts";

const closed = "00c105ed" as ContractId;
const cids = (count: number, kind = "00") =>
  Array.from({ length: count }, (_, i) => `${kind}${i}` as ContractId);

const nothing: LeftCoupons = {
  validatorRewardCouponCids: [],
  appCouponCids: [],
  svRewardCouponCids: [],
  livenessRecordCids: [],
};

describe("a closed round", () => {
  test("can be archived once nothing is left of it, and then there is nothing to expire", () => {
    expect(isRoundArchivable(nothing)).toBe(true);
    expect(expiryBatches(closed, nothing)).toEqual([]);
  });

  test.each(Object.keys(nothing))("cannot be archived while one of its %s is left", (kind) => {
    expect(isRoundArchivable({ ...nothing, [kind]: cids(1) })).toBe(false);
  });
});

describe("batches of coupons to expire", () => {
  test("hold one kind each, and name the round", () => {
    const left = {
      validatorRewardCouponCids: cids(1, "aa"),
      appCouponCids: cids(2, "bb"),
      svRewardCouponCids: cids(3, "cc"),
      livenessRecordCids: cids(4, "dd"),
    };
    const empty = {
      closedRoundCid: closed,
      validatorRewardCouponCids: [],
      appCouponCids: [],
      svRewardCouponCids: [],
      optValidatorFaucetCouponCids: null,
      optValidatorLivenessActivityRecordCids: [],
    };
    expect(expiryBatches(closed, left)).toEqual([
      { ...empty, validatorRewardCouponCids: cids(1, "aa") },
      { ...empty, appCouponCids: cids(2, "bb") },
      { ...empty, svRewardCouponCids: cids(3, "cc") },
      { ...empty, optValidatorLivenessActivityRecordCids: cids(4, "dd") },
    ]);
  });

  test.each([
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("hold at most a hundred: %i make batches of %j", (count, sizes) => {
    const batches = expiryBatches(closed, { ...nothing, svRewardCouponCids: cids(count) });
    expect(batches.map(({ svRewardCouponCids }) => svRewardCouponCids.length)).toEqual(sizes);
    expect(batches.flatMap(({ svRewardCouponCids }) => svRewardCouponCids)).toEqual(cids(count));
  });
});
