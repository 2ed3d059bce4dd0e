/**
 * How a user's submissions ended, as a list. What there is, is answered at once; a caller who is up to date is kept
 * waiting for the next one. An empty list ends with the offset from which to go on.
 */
import { type CompletionItem, formatLedgerError, type ledgerApi, type StreamError } from "@callsign/api";
import { type ErrorCode, errorCatalogue, formatInstant, ledgerError, timeFromMicros } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import type { Bell } from "../bell.ts";
import { invalidArgument, isUserId, missingField, needParty } from "../identifiers.ts";
import type { LedgerStore, StoredItem } from "../store/ledger-store.ts";
import { listCompletedItems } from "../store/list-completions.ts";
import { readListLimit } from "./list-limit.ts";
import { checkRange, readWait } from "./update-routes.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listCompletions">;

const BATCH = 200;
/** How much is looked at for one answer. */
const MAX_LOOKED_AT = 5000;

interface Asked {
  readonly userId: string;
  readonly parties: ReadonlySet<string>;
  readonly beginExclusive: number;
  readonly sought: number;
}

interface CompletionParts {
  readonly ledger: LedgerStore;
  readonly synchronizerId: () => string;
  /** Rings when there is more. */
  readonly advanced: Bell;
}

export function completionRoutes(parts: CompletionParts): Routes {
  const { ledger, advanced } = parts;
  return {
    listCompletions: async ({ query, body }, { caller, signal }) => {
      const limit = readListLimit(query.limit);
      const wait = readWait(query.stream_idle_timeout_ms);
      const { beginExclusive } = body;
      checkRange({ beginExclusive, endInclusive: null, descendingOrder: false }, ledger.end);
      const asked = {
        userId: readUser(body.userId, caller),
        parties: readParties(body.parties),
        beginExclusive,
        sought: limit.sought,
      };
      const until = AbortSignal.any([signal, AbortSignal.timeout(Math.max(wait, 1))]);
      for (;;) {
        const end = ledger.end;
        const { found, reached } = await collect(parts, asked, end);
        if (found.length > 0 || reached < end || limit.sought === 0) return limit.cut(found);
        if (until.aborted) return [await checkpoint(parts, reached)].flat();
        if (ledger.end === end) await advanced.wait(wait, until);
      }
    },
  };
}

/** `reached`: up to where everything was looked at. */
async function collect(
  parts: CompletionParts,
  { beginExclusive, sought, ...asked }: Asked,
  end: number,
): Promise<{ readonly found: readonly CompletionItem[]; readonly reached: number }> {
  const found: CompletionItem[] = [];
  let begin = beginExclusive;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += BATCH) {
    const page = { beginExclusive: begin, endInclusive: end, limit: BATCH };
    const items = await listCompletedItems(parts.ledger, page);
    found.push(...items.flatMap((item) => formatCompletion(item, asked, parts.synchronizerId())));
    if (items.length < BATCH || found.length >= sought) return { found, reached: end };
    begin = items.at(-1)?.offset ?? end;
  }
  return { found: [...found, ...(await checkpoint(parts, begin))], reached: begin };
}

function formatCompletion(
  { offset, item }: StoredItem,
  { userId, parties }: Pick<Asked, "userId" | "parties">,
  synchronizerId: string,
): readonly CompletionItem[] {
  const { completion } = item;
  if (completion === null || completion.userId !== userId) return [];
  const actAs = completion.actAs.filter((party) => parties.has(party));
  if (actAs.length === 0) return [];
  const { commandId, submissionId, updateId, error } = completion;
  const value = {
    commandId,
    status: error === null ? { code: 0, message: "", details: [] } : statusOf(error, submissionId),
    updateId: updateId ?? "",
    userId,
    actAs,
    submissionId,
    deduplicationPeriod: { Empty: {} },
    traceContext: null,
    offset,
    synchronizerTime: { synchronizerId, recordTime: instantOf(item.recordTime) },
    paidTrafficCost: 0,
  };
  return [{ completionResponse: { Completion: { value } } }];
}

/** The words of a rejection are not kept; its code is. */
function statusOf({ code, category, context, resources }: StreamError, submissionId: string) {
  const known = Object.hasOwn(errorCatalogue, code);
  const error = {
    ...ledgerError("SERVICE_INTERNAL_ERROR", "The ledger rejected the submission"),
    ...(known ? { code: code as ErrorCode, category, context, resources } : {}),
  };
  const body = formatLedgerError(error as ReturnType<typeof ledgerError>, { traceId: submissionId });
  const message = `${body.code}(${body.errorCategory},${submissionId.slice(0, 8)}): ${body.cause}`;
  return { code: body.grpcCodeValue ?? 2, message, details: [] };
}

async function checkpoint(
  { ledger, synchronizerId }: CompletionParts,
  offset: number,
): Promise<readonly CompletionItem[]> {
  const time = await ledger.findRecordTime(offset);
  if (time === undefined) return [];
  const synchronizerTimes = [{ synchronizerId: synchronizerId(), recordTime: formatInstant(time) }];
  return [{ completionResponse: { OffsetCheckpoint: { value: { offset, synchronizerTimes } } } }];
}

function readUser(given: string, caller: Caller): string {
  const userId = given === "" ? caller.userId : given;
  if (userId === null) throw missingField("user_id");
  if (!isUserId(userId)) throw invalidArgument(`Malformed user-id: "${userId.slice(0, 128)}"`);
  return userId;
}

function readParties(given: readonly string[]): ReadonlySet<string> {
  if (given.length === 0) throw missingField("parties");
  return new Set(given.map(needParty));
}

function instantOf(micros: string): string {
  return formatInstant(timeFromMicros(BigInt(micros)));
}
