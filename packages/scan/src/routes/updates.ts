/** The history of updates. What concerns the DSO is public, and nothing else is kept. */
import { spliceError, type UpdateV2 } from "@callsign/api";
import { MIN_TIME, type Network, parseTime } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { KnownUpdate } from "../history/stored-update.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showUpdate, showUpdateV0, showUpdateV1 } from "../wire/wire-update.ts";
import { deprecate } from "./deprecate.ts";
import { checkPageSize } from "./page-size.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

interface Page {
  readonly after: { readonly after_migration_id: number; readonly after_record_time: string } | null;
  readonly page_size: number;
}

type Show<T> = (update: KnownUpdate, network: Network) => T;

const UPDATE_ID = /^[0-9a-f]{68}$/;
/** Characters of an id that a refusal repeats. */
const MAX_SHOWN = 200;

function openHistory(index: () => ScanIndex) {
  const list = <T>(page: Page, show: Show<T>): T[] => {
    const after = readAfter(page);
    checkPageSize(page.page_size);
    const { network, updates } = needHistory(index());
    if (after.migration > network.migrationId) return [];
    const time = after.migration < network.migrationId ? MIN_TIME - 1n : after.time;
    return updates.listAfter(time, page.page_size).map((update) => show(update, network));
  };
  const find = <T>(id: string, show: Show<T>, what: "Transaction" | "Event" = "Transaction"): T => {
    const { network, updates } = index();
    const found = UPDATE_ID.test(id) ? updates.find(id) : undefined;
    if (found !== undefined && network !== null) return show(found, network);
    throw new Refusal(spliceError(404, `${what} with id ${id.slice(0, MAX_SHOWN)} not found`));
  };
  return { list, find };
}

export function updateRoutes(index: () => ScanIndex) {
  const { list, find } = openHistory(index);
  return {
    getUpdateHistoryV2: ({ body }) => {
      checkEncoding(body.daml_value_encoding);
      return { transactions: list(body, showUpdate) };
    },
    getUpdateByIdV2: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return find(params.update_id, showUpdate);
    },
    getUpdateByHash: ({ params: { hash } }) => {
      throw new Refusal(spliceError(404, `Transaction with hash ${hash.slice(0, MAX_SHOWN)} not found`));
    },
    getEventHistory: ({ body }) => {
      checkEncoding(body.daml_value_encoding);
      return { events: list(body, showUpdate).map(withoutVerdict) };
    },
    getEventById: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return withoutVerdict(find(params.update_id, showUpdate, "Event"));
    },
  } satisfies ScanHandlers;
}

export function formerUpdateRoutes(index: () => ScanIndex) {
  const { list, find } = openHistory(index);
  return deprecate({
    getUpdateHistoryV1: ({ body }) => {
      checkEncoding(body.daml_value_encoding);
      return { transactions: list(body, showUpdateV1) };
    },
    getUpdateByIdV1: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return find(params.update_id, showUpdateV1);
    },
    getUpdateHistory: ({ body }) => {
      checkEncoding(body.lossless === true ? "protobuf_json" : null);
      return { transactions: list(body, showUpdateV0) };
    },
    getUpdateById: ({ params, query }) => {
      checkEncoding(query.lossless === true ? "protobuf_json" : null);
      return find(params.update_id, showUpdateV0);
    },
  } satisfies ScanHandlers);
}

function readAfter({ after }: Page): { readonly migration: bigint; readonly time: bigint } {
  if (after === null) return { migration: -1n, time: MIN_TIME };
  const time = parseTime(after.after_record_time);
  if (!time.ok) throw new Refusal(spliceError(400, `Invalid timestamp: ${time.error}`));
  return { migration: BigInt(after.after_migration_id), time: time.value };
}

/** A list that lacks its beginning would be taken for the whole. */
function needHistory({ network, updates }: ScanIndex) {
  if (network !== null && updates.isComplete()) return { network, updates };
  const splice =
    "This scan instance has not yet replicated all data. This process can take an extended period of time to " +
    "complete. Wait until replication is complete, or connect to a different scan instance.";
  const reason = "It began in the middle of the log: its operator can build it anew from a whole log.";
  throw new Refusal(spliceError(503, `${splice} ${reason}`));
}

function checkEncoding(encoding: "compact_json" | "protobuf_json" | null): void {
  if (encoding !== "protobuf_json") return;
  const why = "values are kept without the types that it writes down";
  const text = `This scan does not offer the encoding protobuf_json: ${why}. Instead, ask for compact_json.`;
  throw new Refusal(spliceError(501, text));
}

function withoutVerdict(update: UpdateV2) {
  return { update, verdict: null, traffic_summary: null, app_activity_records: null };
}
