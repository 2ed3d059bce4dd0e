/** How submissions ended, as a list that waits for the next. */
import type { CompletionItem, ledgerApi } from "@callsign/api";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import type { Bell } from "../bell.ts";
import { listCompletions } from "../store/list-completions.ts";
import { type CompletionView, formatCompletion, readCompletionView } from "./completion-view.ts";
import {
  type CheckpointParts,
  type Collected,
  listAndWait,
  makeCheckpoint,
  readWait,
} from "./list-and-wait.ts";
import { readListLimit } from "./list-limit.ts";
import { checkBegin } from "./offset-range.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listCompletions">;

const BATCH = 200;
/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;

interface Query extends CompletionView {
  readonly begin: number;
  readonly sought: number;
}

export interface CompletionParts extends CheckpointParts {
  readonly advanced: Bell;
  readonly waiting: UserQuota;
}

export function completionRoutes(parts: CompletionParts): Routes {
  const { ledger, advanced, waiting } = parts;
  return {
    listCompletions: async ({ query, body }, { caller, signal }) => {
      const view = readCompletionView(body, caller);
      const { beginExclusive: begin } = body;
      checkBegin(begin, ledger.end);
      const limit = readListLimit(query.limit);
      const wait = readWait(query.stream_idle_timeout_ms);
      const { sought } = limit;
      const { found, reached, isCut } = await listAndWait({
        ...{ ledger, advanced, waiting, signal, userId: caller.userId, wait, endInclusive: null, sought },
        collect: (end) => collect(parts, { ...view, begin, sought }, end),
      });
      const answer = limit.cut(found);
      if (answer.length > 0 && !isCut) return answer;
      const value = await makeCheckpoint(parts, begin, reached);
      return value === null ? answer : [...answer, { completionResponse: { OffsetCheckpoint: { value } } }];
    },
  };
}

async function collect(
  parts: CompletionParts,
  query: Query,
  end: number,
): Promise<Collected<CompletionItem>> {
  const { userId, sought } = query;
  const found: CompletionItem[] = [];
  let { begin } = query;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += BATCH) {
    const page = { userId, beginExclusive: begin, endInclusive: end, limit: BATCH };
    const completions = await listCompletions(parts.ledger, page);
    for (const stored of completions) {
      if (found.length >= sought) return { found, reached: null };
      const completion = formatCompletion(stored, query, parts.synchronizerId());
      if (completion !== null) found.push(completion);
    }
    const last = completions.at(-1);
    if (completions.length < BATCH || last === undefined) return { found, reached: end };
    begin = last.offset;
  }
  return { found, reached: begin };
}
