import { expect, test } from "vitest";
import type { IssuanceConfig } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-config.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import { issuanceOf } from "./issuance.ts";

/** The first half year: ticks of ten minutes, half a cent a coin. */
const config: IssuanceConfig = {
  amuletToIssuePerYear: decimal("40000000000.0"),
  validatorRewardPercentage: decimal("0.05"),
  appRewardPercentage: decimal("0.15"),
  validatorRewardCap: decimal("0.2"),
  featuredAppRewardCap: decimal("100.0"),
  unfeaturedAppRewardCap: decimal("0.6"),
  optValidatorFaucetCap: decimal("2.85"),
  optDevelopmentFundPercentage: decimal("0.0"),
};
const round = { tickMicroseconds: 600_000_000n, price: decimal("0.005") };
const totals = {
  validator: decimal("10000.0"),
  featured: decimal("400.0"),
  unfeatured: decimal("9600.0"),
  svWeight: 100n,
  records: 50n,
};
const perCoupon = {
  inRound: decimal("761035.0076103501"),
  perValidator: decimal("0.2"),
  perFeatured: decimal("100.0"),
  perUnfeatured: decimal("0.6"),
  perRecord: decimal("570.0"),
};

// The figures are those of the description of the ledger model, section 6.4.
test("the auditor's issuance is that of the model, without a development fund", () => {
  expect(issuanceOf(config, round, totals)).toEqual({
    ...perCoupon,
    perSvWeight: decimal("6088.2800608828"),
    unclaimed: decimal("7551.7503805175") + decimal("68395.2511415525") + 1n,
    fund: 0n,
  });
});

test("the auditor's issuance is that of the model, with a development fund of a twentieth", () => {
  expect(issuanceOf({ ...config, optDevelopmentFundPercentage: null }, round, totals)).toEqual({
    ...perCoupon,
    perSvWeight: decimal("5783.8660578387"),
    unclaimed: decimal("5649.1628614916") + decimal("62687.4885844749"),
    fund: decimal("38051.7503805175"),
  });
});
