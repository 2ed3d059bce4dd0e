/** Completions: the outcomes of submissions. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { listQuery } from "./list-query.ts";
import { OffsetCheckpoint, SynchronizerTime } from "./offset-checkpoint.ts";
import { Duration, JsStatus, string, strings, TraceContext } from "./proto.ts";

const CompletionStreamRequest = z
  .object({
    /** Empty for the caller. */
    userId: string,
    parties: strings,
    beginExclusive: int64.default(0),
  })
  .meta({ id: "CompletionStreamRequest", required: ["parties"] });

const GetCompletionsRequest = z
  .object({
    /** Empty for everybody's. */
    parties: strings,
    beginExclusive: int64.default(0),
  })
  .meta({ id: "GetCompletionsRequest" });

const Completion = z
  .object({
    commandId: z.string(),
    /** Code 0: it was accepted. */
    status: orNull(JsStatus),
    /** Empty for what was rejected. */
    updateId: string,
    userId: z.string(),
    /** Only those that were asked for. */
    actAs: z.array(z.string()),
    submissionId: string,
    deduplicationPeriod: oneOf({
      DeduplicationDuration: value(Duration),
      DeduplicationOffset: value(int64),
      Empty: nothing,
    }).default({ Empty: {} }),
    traceContext: orNull(TraceContext),
    offset: int64,
    synchronizerTime: SynchronizerTime,
    paidTrafficCost: int64.default(0),
  })
  .meta({ id: "Completion" });

export const CompletionItem = z
  .object({
    completionResponse: oneOf({
      Completion: value(Completion),
      OffsetCheckpoint: value(OffsetCheckpoint),
      Empty: nothing,
    }).default({ Empty: {} }),
  })
  .meta({ id: "CompletionStreamResponse" });
export type CompletionItem = z.output<typeof CompletionItem>;

export const ledgerCompletions = defineEndpoints({ tags: ["commands"], errors: [400, 401, 403, 413] })({
  listCompletions: {
    method: "POST",
    path: "/v2/commands/completions",
    summary: "How a user's submissions for some parties ended, after an offset",
    auth: "ledger:read-own-completions",
    query: listQuery,
    body: CompletionStreamRequest,
    success: json(z.array(CompletionItem)),
    streamItem: CompletionItem,
  },
  listCompletionsOfParties: {
    method: "POST",
    path: "/v2/commands/command-completions",
    summary: "How everybody's submissions for some parties ended, after an offset",
    auth: "ledger:read-completions-of-parties",
    query: listQuery,
    body: GetCompletionsRequest,
    success: json(z.array(CompletionItem)),
    streamItem: CompletionItem,
  },
});
