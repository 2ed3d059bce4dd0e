/** Commands: create a contract, exercise a choice, or both, in one transaction. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { jsonValue } from "../wire/json.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { base64 } from "../wire/texts.ts";
import { TransactionFormat } from "./event-format.ts";
import { Duration, identifier, optionalIdentifier, string, strings } from "./proto.ts";
import { Transaction } from "./transaction.ts";

const choice = { choice: z.string(), choiceArgument: jsonValue };

export const Command = oneOf({
  CreateCommand: z.object({ templateId: identifier, createArguments: jsonValue }),
  ExerciseCommand: z.object({ templateId: identifier, contractId: z.string(), ...choice }),
  CreateAndExerciseCommand: z.object({ templateId: identifier, createArguments: jsonValue, ...choice }),
  ExerciseByKeyCommand: z.object({ templateId: identifier, contractKey: jsonValue, ...choice }),
});
export type Command = z.output<typeof Command>;

export const DeduplicationPeriod = oneOf({
  DeduplicationDuration: value(Duration),
  DeduplicationOffset: value(int64),
  Empty: nothing,
});
export type DeduplicationPeriod = z.output<typeof DeduplicationPeriod>;

export const DisclosedContract = z
  .object({
    templateId: optionalIdentifier,
    contractId: string,
    createdEventBlob: base64,
    synchronizerId: string,
  })
  .meta({ id: "DisclosedContract" });
export type DisclosedContract = z.output<typeof DisclosedContract>;

export const Commands = z
  .object({
    commands: z.array(Command),
    commandId: z.string(),
    actAs: z.array(z.string()),
    /** Absent: the token's user. */
    userId: orNull(z.string()),
    readAs: strings,
    workflowId: orNull(z.string()),
    deduplicationPeriod: orNull(DeduplicationPeriod),
    minLedgerTimeAbs: orNull(z.string()),
    minLedgerTimeRel: orNull(Duration),
    submissionId: orNull(z.string()),
    disclosedContracts: z.array(DisclosedContract).default([]),
    synchronizerId: orNull(z.string()),
    packageIdSelectionPreference: strings,
    prefetchContractKeys: z
      .array(z.object({ templateId: identifier, contractKey: jsonValue, limit: orNull(int32) }))
      .default([]),
    tapsMaxPasses: orNull(int32),
  })
  .meta({ id: "JsCommands" });
export type Commands = z.output<typeof Commands>;

const errors = [400, 401, 403, 404, 409, 429, 500, 503, 504] as const;

export const ledgerCommands = defineEndpoints({ tags: ["commands"], auth: "ledger:act-as" })({
  submitAndWait: {
    method: "POST",
    path: "/v2/commands/submit-and-wait",
    summary: "Submits commands and waits for their completion",
    body: Commands,
    success: json(z.object({ updateId: z.string(), completionOffset: int64 })),
    errors,
  },
  submitAndWaitForTransaction: {
    method: "POST",
    path: "/v2/commands/submit-and-wait-for-transaction",
    summary: "The same, and answers the transaction",
    description: "Without a format: an ACS delta with everything that the parties of actAs and readAs see.",
    body: z
      .object({ commands: Commands, transactionFormat: orNull(TransactionFormat) })
      .meta({ id: "JsSubmitAndWaitForTransactionRequest" }),
    success: json(z.object({ transaction: Transaction })),
    errors,
  },
  submitAsync: {
    method: "POST",
    path: "/v2/commands/async/submit",
    summary: "Submits commands, and answers once they are on their way",
    description: "How it ended is a completion.",
    body: Commands,
    success: json(nothing),
    errors,
  },
});
