/** How submissions ended, as a list that waits for the next. */
import type { CompletionItem, ledgerApi } from "@callsign/api";
import { formatInstant, ledgerError, timeFromMicros } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import type { Bell } from "../bell.ts";
import { failWith, invalidField, isUserId, missingField, needParty } from "../identifiers.ts";
import { listCompletions, type StoredCompletion } from "../store/list-completions.ts";
import { formatStatus } from "../submission/rejection.ts";
import {
  type CheckpointParts,
  type Collected,
  checkBegin,
  listAndWait,
  makeCheckpoint,
  readWait,
} from "./list-and-wait.ts";
import { readListLimit } from "./list-limit.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listCompletions">;

const BATCH = 200;
/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;

interface Query {
  readonly userId: string;
  readonly parties: ReadonlySet<string>;
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
      const userId = readUser(body.userId, caller);
      if (body.parties.length === 0) throw missingField("parties");
      const parties = new Set(body.parties.map(needParty));
      const { beginExclusive: begin } = body;
      checkBegin(begin, ledger.end);
      const limit = readListLimit(query.limit);
      const wait = readWait(query.stream_idle_timeout_ms);
      const { sought } = limit;
      const { found, reached, isCut } = await listAndWait({
        ...{ ledger, advanced, waiting, signal, userId: caller.userId, wait, endInclusive: null, sought },
        collect: (end) => collect(parts, { userId, parties, begin, sought }, end),
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
  const { userId, parties, sought } = query;
  const found: CompletionItem[] = [];
  let { begin } = query;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += BATCH) {
    const page = { userId, beginExclusive: begin, endInclusive: end, limit: BATCH };
    const completions = await listCompletions(parts.ledger, page);
    for (const stored of completions) {
      if (found.length >= sought) return { found, reached: null };
      const actAs = stored.completion.actAs.filter((party) => parties.has(party));
      if (actAs.length > 0) found.push(formatCompletion(stored, actAs, parts.synchronizerId()));
    }
    const last = completions.at(-1);
    if (completions.length < BATCH || last === undefined) return { found, reached: end };
    begin = last.offset;
  }
  return { found, reached: begin };
}

function formatCompletion(stored: StoredCompletion, actAs: string[], synchronizerId: string): CompletionItem {
  const { offset, completion, submissionId, cause, recordTime } = stored;
  const value = {
    commandId: completion.commandId,
    status: formatStatus(completion.error, cause),
    updateId: completion.updateId ?? "",
    userId: completion.userId,
    actAs,
    submissionId,
    deduplicationPeriod: { Empty: {} },
    traceContext: null,
    offset,
    synchronizerTime: { synchronizerId, recordTime: formatInstant(timeFromMicros(BigInt(recordTime))) },
    paidTrafficCost: 0,
  };
  return { completionResponse: { Completion: { value } } };
}

function readUser(given: string, caller: Caller): string {
  const userId = given === "" ? caller.userId : given;
  if (userId === null) {
    return failWith(ledgerError("INVALID_TOKEN", "The submitted token is missing a user-id"));
  }
  if (!isUserId(userId)) throw invalidField("user_id", `User ID "${userId.slice(0, 128)}" is not valid`);
  return userId;
}
