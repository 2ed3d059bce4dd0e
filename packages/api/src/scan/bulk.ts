/** Files of history in a bulk storage, which scans of ours do not have: answered as by a scan without one. */
import { z } from "zod";
import { defineEndpoints, json, text } from "../endpoint.ts";
import { int32 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const objectRefs = z.array(z.object({ url: z.string(), digest: z.string() }));

export const scanBulk = defineEndpoints({ tags: ["pre-alpha", "scan"], auth: "none" })({
  listBulkAcsSnapshotObjects: {
    method: "GET",
    path: "/v0/history/bulk/acs",
    summary: "Files of a snapshot: 400, since there is no bulk storage",
    query: z.object({ at_or_before_record_time: z.string().meta({ format: "date-time" }) }),
    success: json(
      z
        .object({ record_time: dateTime, object_refs: objectRefs })
        .meta({ id: "ListBulkAcsSnapshotObjectsResponse" }),
    ),
    errors: [400, 404, 429, 503],
  },
  listBulkUpdateHistoryObjects: {
    method: "POST",
    path: "/v0/history/bulk/updates",
    summary: "Files of updates: 400, since there is no bulk storage",
    body: z
      .object({
        start_record_time: z.string().meta({ format: "date-time" }),
        end_record_time: z.string().meta({ format: "date-time" }),
        next_page_token: orNull(z.string()),
        page_size: int32,
      })
      .meta({ id: "ListBulkUpdateHistoryObjectsRequest" }),
    success: json(
      z
        .object({ object_refs: objectRefs, next_page_token: orNull(z.string()) })
        .meta({ id: "ListBulkUpdateHistoryObjectsResponse" }),
    ),
    errors: [400, 429, 503],
  },
  /** Of a document of its own, which the published client does not have. */
  bulkStorageDownload: {
    method: "GET",
    path: "/v0/history/bulk/download/{object_key}",
    summary: "A file of the bulk storage: 404, since there is none",
    params: z.object({ object_key: z.string() }),
    success: text,
    errors: [404, 429, 503],
  },
});
