/** Splice.ValidatorLicense: who is a validator, and the records of a validator that was up in a round. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { Round } from "./round-number.ts";

const place = { package: amuletPackage, module: "Splice.ValidatorLicense" } as const;

const FaucetState = record("FaucetState", {
  firstReceivedFor: Round,
  lastReceivedFor: Round,
  numCouponsMissed: int64,
});
export type FaucetState = ValueOf<typeof FaucetState>;

const ValidatorLicenseMetadata = record("ValidatorLicenseMetadata", {
  lastUpdatedAt: time,
  version: text,
  contactPoint: text,
});

const licenseOnly = record({ licenseCid: contractId });
const licenseAndCoupon = record({ licenseCid: contractId, couponCid: contractId });

export const ValidatorLicense = declareTemplate({
  ...place,
  entity: "ValidatorLicense",
  fields: {
    validator: party,
    sponsor: party,
    dso: party,
    faucetState: optional(FaucetState),
    metadata: optional(ValidatorLicenseMetadata),
    lastActiveAt: optional(time),
  },
  choices: {
    ValidatorLicense_ReceiveFaucetCoupon: consuming({ openRoundCid: contractId }, licenseAndCoupon),
    ValidatorLicense_RecordValidatorLivenessActivity: consuming(
      { openRoundCid: contractId },
      licenseAndCoupon,
    ),
    ValidatorLicense_Withdraw: consuming({ reason: text }),
    ValidatorLicense_Cancel: consuming({ reason: text }),
    ValidatorLicense_UpdateMetadata: consuming({ version: text, contactPoint: text }, licenseOnly),
    ValidatorLicense_ReportActive: consuming({}, licenseOnly),
  },
});
export type ValidatorLicense = ValueOf<(typeof ValidatorLicense)["record"]>;

const recordFields = { dso: party, validator: party, round: Round } as const;

/** From before liveness records: still mintable and expirable, but nothing creates one any more. */
export const ValidatorFaucetCoupon = declareTemplate({
  ...place,
  entity: "ValidatorFaucetCoupon",
  fields: recordFields,
  choices: {
    ValidatorFaucetCoupon_DsoExpire: consuming({ closedRoundCid: contractId }),
  },
});
export type ValidatorFaucetCoupon = ValueOf<(typeof ValidatorFaucetCoupon)["record"]>;

export const ValidatorLivenessActivityRecord = declareTemplate({
  ...place,
  entity: "ValidatorLivenessActivityRecord",
  fields: recordFields,
  choices: {
    ValidatorLivenessActivityRecord_DsoExpire: consuming({ closedRoundCid: contractId }),
  },
});
export type ValidatorLivenessActivityRecord = ValueOf<(typeof ValidatorLivenessActivityRecord)["record"]>;
