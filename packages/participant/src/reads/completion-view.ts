/** Reads and checks a request for completions, and formats them. */
import type { CompletionItem, ledgerApi, ServerRequest } from "@callsign/api";
import { formatInstant, MAX_DEDUPLICATION_PERIOD, SECOND, timeFromMicros } from "@callsign/ledger";
import type { LedgerCaller } from "../access/caller.ts";
import { formatStatus } from "../events/rejection.ts";
import { missingField, needParty, needUserId } from "../requests/identifiers.ts";
import type { StoredCompletion } from "../store/list-completions.ts";

type CompletionsRequest = ServerRequest<typeof ledgerApi.endpoints.listCompletions>["body"];

const LONGEST_PERIOD = {
  DeduplicationDuration: {
    value: {
      seconds: Number(MAX_DEDUPLICATION_PERIOD / SECOND),
      nanos: 0,
      unknownFields: { fields: {} },
    },
  },
};

export interface CompletionView {
  /** Null for all users. */
  readonly userId: string | null;
  /** Null for all parties. */
  readonly parties: ReadonlySet<string> | null;
}

export function readCompletionView(body: CompletionsRequest, caller: LedgerCaller): CompletionView {
  const userId = needUserId(body.userId, caller.userId);
  if (body.parties.length === 0) throw missingField("parties");
  return { userId, parties: new Set(body.parties.map(needParty)) };
}

export function readPartyCompletionView({ parties }: Pick<CompletionsRequest, "parties">): CompletionView {
  return { userId: null, parties: parties.length === 0 ? null : new Set(parties.map(needParty)) };
}

/** Empty if none of the acting parties was asked for. */
export function formatCompletion(
  stored: StoredCompletion,
  { parties }: Pick<CompletionView, "parties">,
  synchronizerId: string,
): readonly CompletionItem[] {
  const { offset, completion, submissionId, cause, recordTime, context } = stored;
  const actAs = completion.actAs.filter((party) => parties === null || parties.has(party));
  if (actAs.length === 0) return [];
  const value = {
    commandId: completion.commandId,
    status: formatStatus(completion.error, cause),
    updateId: completion.updateId ?? "",
    userId: completion.userId,
    actAs,
    submissionId,
    deduplicationPeriod: context.period ?? LONGEST_PERIOD,
    traceContext: context.trace,
    offset,
    synchronizerTime: { synchronizerId, recordTime: formatInstant(timeFromMicros(BigInt(recordTime))) },
    paidTrafficCost: 0,
  };
  return [{ completionResponse: { Completion: { value } } }];
}
