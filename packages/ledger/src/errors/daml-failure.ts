/**
 * The failures that contracts raise. On the wire each is a DAML_FAILURE whose context holds the id below
 * under `error_id`, with the metadata beside it; clients tell the failures apart by that id. The
 * `UNHANDLED_EXCEPTION/` ids are uncaught exceptions of Daml's standard library; older engines
 * reported those under the code UNHANDLED_EXCEPTION instead.
 */
import type { ErrorCategory } from "./category.ts";

export interface DamlFailureRow {
  readonly raisedBy: string;
  readonly category: Extract<ErrorCategory, 8 | 9>;
  readonly metadataKeys: readonly string[];
}

export const damlFailures = {
  "splice.lfdecentralizedtrust.org/unknown-synchronizer": {
    raisedBy: "traffic bought for a synchronizer that the rules do not list",
    category: 8,
    metadataKeys: ["synchronizerId"],
  },
  "splice.lfdecentralizedtrust.org/insufficient-topup-amount": {
    raisedBy: "traffic bought below the smallest allowed amount",
    category: 9,
    metadataKeys: ["requestedTopupAmount", "minTopupAmount"],
  },
  "splice.lfdecentralizedtrust.org/insufficient-funds": {
    raisedBy: "a transfer whose inputs do not cover it; `requiredAmount` is what is missing",
    category: 9,
    metadataKeys: ["requiredAmount"],
  },
  "splice.lfdecentralizedtrust.org/maximum-inputs-exceeded": {
    raisedBy: "a transfer with too many inputs",
    category: 8,
    metadataKeys: [],
  },
  "splice.lfdecentralizedtrust.org/maximum-outputs-exceeded": {
    raisedBy: "a transfer with too many outputs",
    category: 8,
    metadataKeys: [],
  },
  "stdlib.daml.com/deadline-exceeded": {
    raisedBy: "a check that a deadline has not passed yet; `deadline` is when it passed",
    category: 9,
    metadataKeys: ["deadline"],
  },
  "stdlib.daml.com/deadline-not-exceeded": {
    raisedBy: "a check that a deadline has passed; `deadline` is when it will",
    category: 9,
    metadataKeys: ["deadline"],
  },
  "UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed": {
    raisedBy: "a requirement or an assertion that does not hold",
    category: 9,
    metadataKeys: [],
  },
  "UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError": {
    raisedBy: "arithmetic without a result, such as an overflow or a division by zero",
    category: 9,
    metadataKeys: [],
  },
  "UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError": {
    raisedBy: "an abort, such as a deprecated choice or a contract of another group than expected",
    category: 9,
    metadataKeys: [],
  },
  "UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed": {
    raisedBy: "a contract whose `ensure` clause does not hold",
    category: 9,
    metadataKeys: [],
  },
} as const satisfies Readonly<Record<string, DamlFailureRow>>;

export type DamlFailureId = keyof typeof damlFailures;
