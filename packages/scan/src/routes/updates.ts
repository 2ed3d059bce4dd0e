/** The history of updates. What concerns the DSO is public, and nothing else is kept. */
import { spliceError } from "@callsign/api";
import type { Network } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { KnownUpdate } from "../history/stored-update.ts";
import { MAX_REPEATED_CHARACTERS } from "../limits/limits.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showUpdate, showUpdateV0, showUpdateV1 } from "../wire/wire-update.ts";
import { deprecate } from "./deprecate.ts";
import type { ScanHandlers } from "./scan-handlers.ts";
import type { AnswerUpdates, UpdateList } from "./update-pages.ts";

const UPDATE_ID = /^[0-9a-f]{68}$/;
interface SoughtUpdate<T> extends Pick<UpdateList<T>, "show"> {
  readonly id: string;
  readonly what?: "Transaction" | "Event";
}

function findUpdate<T>(
  { network, updates }: ScanIndex,
  { id, show, what = "Transaction" }: SoughtUpdate<T>,
): T {
  const found = UPDATE_ID.test(id) ? updates.find(id) : undefined;
  if (found !== undefined && network !== null) return show(found, network);
  throw new Refusal(spliceError(404, `${what} with id ${id.slice(0, MAX_REPEATED_CHARACTERS)} not found`));
}

export function updateRoutes(index: () => ScanIndex, answerPage: AnswerUpdates) {
  return {
    getUpdateHistoryV2: ({ body }, call) => {
      checkEncoding(body.daml_value_encoding);
      return answerPage(body, { field: "transactions", show: showUpdate }, call);
    },
    getUpdateByIdV2: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return findUpdate(index(), { id: params.update_id, show: showUpdate });
    },
    getUpdateByHash: ({ params: { hash } }) => {
      throw new Refusal(
        spliceError(404, `Transaction with hash ${hash.slice(0, MAX_REPEATED_CHARACTERS)} not found`),
      );
    },
    getEventHistory: ({ body }, call) => {
      checkEncoding(body.daml_value_encoding);
      return answerPage(body, { field: "events", show: showEvent }, call);
    },
    getEventById: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return findUpdate(index(), { id: params.update_id, show: showEvent, what: "Event" });
    },
  } satisfies ScanHandlers;
}

export function formerUpdateRoutes(index: () => ScanIndex, answerPage: AnswerUpdates) {
  return deprecate({
    getUpdateHistoryV1: ({ body }, call) => {
      checkEncoding(body.daml_value_encoding);
      return answerPage(body, { field: "transactions", show: showUpdateV1 }, call);
    },
    getUpdateByIdV1: ({ params, query }) => {
      checkEncoding(query.daml_value_encoding);
      return findUpdate(index(), { id: params.update_id, show: showUpdateV1 });
    },
    getUpdateHistory: ({ body }, call) => {
      checkEncoding(body.lossless === true ? "protobuf_json" : null);
      return answerPage(body, { field: "transactions", show: showUpdateV0 }, call);
    },
    getUpdateById: ({ params, query }) => {
      checkEncoding(query.lossless === true ? "protobuf_json" : null);
      return findUpdate(index(), { id: params.update_id, show: showUpdateV0 });
    },
  } satisfies ScanHandlers);
}

function checkEncoding(encoding: "compact_json" | "protobuf_json" | null): void {
  if (encoding !== "protobuf_json") return;
  const why = "values are kept without the types that it writes down";
  const text = `This scan does not offer the encoding protobuf_json: ${why}. Instead, ask for compact_json.`;
  throw new Refusal(spliceError(501, text));
}

function showEvent(update: KnownUpdate, network: Network) {
  const shown = showUpdate(update, network);
  return { update: shown, verdict: null, traffic_summary: null, app_activity_records: null };
}
