/**
 * Interactive submission: transactions that are prepared here and signed elsewhere. Preparing and executing are not
 * offered; which package a submission would use can be looked up.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { jsonValue } from "../wire/json.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { base64 } from "../wire/texts.ts";
import { Command, DeduplicationPeriod, DisclosedContract } from "./commands.ts";
import { TransactionFormat } from "./event-format.ts";
import { boolean, Duration, identifier, string, strings } from "./proto.ts";
import { Transaction } from "./transaction.ts";

const HashingSchemeVersion = z.enum([
  "HASHING_SCHEME_VERSION_UNSPECIFIED",
  "HASHING_SCHEME_VERSION_V2",
  "HASHING_SCHEME_VERSION_V3",
]);

const SigningAlgorithm = z.enum([
  "SIGNING_ALGORITHM_SPEC_UNSPECIFIED",
  "SIGNING_ALGORITHM_SPEC_ED25519",
  "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256",
  "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384",
]);

const MinLedgerTime = z.object({
  time: oneOf({
    MinLedgerTimeAbs: value(z.string()),
    MinLedgerTimeRel: value(Duration),
    Empty: nothing,
  }).default({
    Empty: {},
  }),
});

const PrepareSubmission = z
  .object({
    userId: string,
    commandId: z.string(),
    commands: z.array(Command),
    minLedgerTime: orNull(MinLedgerTime),
    actAs: z.array(z.string()),
    readAs: strings,
    disclosedContracts: z.array(DisclosedContract).default([]),
    synchronizerId: string,
    packageIdSelectionPreference: strings,
    verboseHashing: boolean,
    prefetchContractKeys: z
      .array(z.object({ templateId: identifier, contractKey: jsonValue, limit: orNull(int32) }))
      .default([]),
    maxRecordTime: orNull(z.string()),
    estimateTrafficCost: orNull(
      z.object({ disabled: boolean, expectedSignatures: z.array(SigningAlgorithm).default([]) }),
    ),
    tapsMaxPasses: orNull(int32),
    hashingSchemeVersion: orNull(HashingSchemeVersion),
  })
  .meta({ id: "JsPrepareSubmissionRequest" });

const Signature = z.object({
  format: z.string(),
  signature: base64,
  signedBy: z.string(),
  signingAlgorithmSpec: z.string(),
});

const execution = {
  preparedTransaction: base64,
  partySignatures: z.object({
    signatures: z.array(z.object({ party: z.string(), signatures: z.array(Signature) })),
  }),
  deduplicationPeriod: DeduplicationPeriod.default({ Empty: {} }),
  submissionId: z.string(),
  userId: string,
  hashingSchemeVersion: HashingSchemeVersion,
  minLedgerTime: orNull(MinLedgerTime),
};

export const PackageReference = z
  .object({ packageId: z.string(), packageName: z.string(), packageVersion: z.string() })
  .meta({ id: "PackageReference" });
export type PackageReference = z.output<typeof PackageReference>;

const NOT_OFFERED = "Not offered: submit commands with /v2/commands/submit-and-wait instead.";
const errors = [400, 401, 403, 501] as const;

export const ledgerInteractive = defineEndpoints({ tags: ["interactive submission"] })({
  prepareSubmission: {
    method: "POST",
    path: "/v2/interactive-submission/prepare",
    summary: "Prepares a transaction to be signed elsewhere",
    description: NOT_OFFERED,
    auth: "ledger:prepare",
    body: PrepareSubmission,
    success: json(
      z
        .object({
          preparedTransaction: base64,
          preparedTransactionHash: base64,
          hashingSchemeVersion: HashingSchemeVersion,
          hashingDetails: orNull(z.string()),
          costEstimation: orNull(
            z.object({
              estimationTimestamp: z.string(),
              confirmationRequestTrafficCostEstimation: int64,
              confirmationResponseTrafficCostEstimation: int64,
              totalTrafficCostEstimation: int64,
            }),
          ),
        })
        .meta({ id: "JsPrepareSubmissionResponse" }),
    ),
    errors,
  },
  executeSubmission: {
    method: "POST",
    path: "/v2/interactive-submission/execute",
    summary: "Submits a transaction that was signed elsewhere",
    description: NOT_OFFERED,
    auth: "ledger:public",
    body: z.object(execution).meta({ id: "JsExecuteSubmissionRequest" }),
    success: json(nothing),
    errors,
  },
  executeSubmissionAndWait: {
    method: "POST",
    path: "/v2/interactive-submission/executeAndWait",
    summary: "The same, and waits for its completion",
    description: NOT_OFFERED,
    auth: "ledger:public",
    body: z.object(execution).meta({ id: "JsExecuteSubmissionAndWaitRequest" }),
    success: json(z.object({ updateId: z.string(), completionOffset: int64 })),
    errors,
  },
  executeSubmissionAndWaitForTransaction: {
    method: "POST",
    path: "/v2/interactive-submission/executeAndWaitForTransaction",
    summary: "The same, and answers the transaction",
    description: NOT_OFFERED,
    auth: "ledger:public",
    body: z
      .object({ ...execution, transactionFormat: orNull(TransactionFormat) })
      .meta({ id: "JsExecuteSubmissionAndWaitForTransactionRequest" }),
    success: json(z.object({ transaction: Transaction })),
    errors,
  },
  getPreferredPackageVersion: {
    method: "GET",
    path: "/v2/interactive-submission/preferred-package-version",
    summary: "The version of a package that submissions of these parties use",
    deprecated: true,
    auth: "ledger:public",
    query: z.object({
      parties: z.array(z.string()).default([]),
      "package-name": z.string(),
      vetting_valid_at: orNull(z.string()),
      "synchronizer-id": string,
    }),
    success: json(
      z
        .object({
          packagePreference: orNull(
            z.object({ packageReference: PackageReference, synchronizerId: z.string() }),
          ),
        })
        .meta({ id: "GetPreferredPackageVersionResponse" }),
    ),
    errors: [400, 401, 403],
  },
  getPreferredPackages: {
    method: "POST",
    path: "/v2/interactive-submission/preferred-packages",
    summary: "For several packages, the versions that submissions of their parties use",
    auth: "ledger:public",
    body: z
      .object({
        packageVettingRequirements: z.array(z.object({ parties: strings, packageName: string })).default([]),
        synchronizerId: string,
        vettingValidAt: orNull(z.string()),
      })
      .meta({ id: "GetPreferredPackagesRequest", required: ["packageVettingRequirements"] }),
    success: json(
      z
        .object({ packageReferences: z.array(PackageReference), synchronizerId: z.string() })
        .meta({ id: "GetPreferredPackagesResponse" }),
    ),
    errors: [400, 401, 403],
  },
});
