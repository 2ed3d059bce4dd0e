/** Completions as a list that waits for the next one. */
import type { CompletionItem, ledgerApi, ServerRequest } from "@callsign/api";
import type { Bell, Call, Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import { type CheckpointParts, makeCheckpoint } from "../reads/checkpoint.ts";
import { type CollectCompletionsParts, collectCompletions } from "../reads/collect-completions.ts";
import {
  type CompletionView,
  readCompletionView,
  readPartyCompletionView,
} from "../reads/completion-view.ts";
import { listAndWait, readWait } from "../reads/list-and-wait.ts";
import { readListLimit } from "../reads/list-limit.ts";
import { checkBegin } from "../reads/offset-range.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, LedgerCaller>,
  "listCompletions" | "listCompletionsOfParties"
>;
type Request = ServerRequest<typeof ledgerApi.endpoints.listCompletionsOfParties>;

export interface CompletionRouteParts extends CollectCompletionsParts, CheckpointParts {
  readonly advanced: Bell;
  readonly waiting: UserQuota;
}

export function completionRoutes(parts: CompletionRouteParts): Routes {
  return {
    listCompletions: (request, call) =>
      list(parts, request, call, readCompletionView(request.body, call.caller)),
    listCompletionsOfParties: (request, call) =>
      list(parts, request, call, readPartyCompletionView(request.body)),
  };
}

async function list(
  parts: CompletionRouteParts,
  { query, body }: Request,
  { caller, signal }: Call<LedgerCaller>,
  view: CompletionView,
): Promise<CompletionItem[]> {
  const { host, ledger, advanced, waiting } = parts;
  const { beginExclusive: begin } = body;
  checkBegin(begin, ledger.end);
  const limit = readListLimit(query.limit);
  const wait = readWait(query.stream_idle_timeout_ms);
  const { sought } = limit;
  const { found, reached, isCut } = await listAndWait({
    ...{
      clock: host.clock,
      ledger,
      advanced,
      waiting,
      signal,
      userId: caller.userId,
      wait,
      endInclusive: null,
      sought,
    },
    collect: (end) => collectCompletions(parts, view, { begin, end, sought }),
  });
  const answer = limit.cut(found);
  if (answer.length > 0 && !isCut) return answer;
  const value = await makeCheckpoint(parts, begin, reached);
  return value === null ? answer : [...answer, { completionResponse: { OffsetCheckpoint: { value } } }];
}
