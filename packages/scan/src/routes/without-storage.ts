/** Operations that need what this scan does not have. Their refusals are those of a scan of Splice's without it. */
import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";
import { MAX_REPEATED_CHARACTERS } from "../limits/limits.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

function refuse(status: 400 | 404, error: string): () => never {
  return () => {
    throw new Refusal(spliceError(status, error));
  };
}

const noBulkStorage = refuse(400, "Bulk storage or public URL is not configured");
const noAccounting = refuse(404, "Reward accounting is not enabled on this node");

export function withoutStorageRoutes() {
  return {
    forceAcsSnapshotNow: refuse(400, "Forced ACS snapshots are disabled."),
    listBulkAcsSnapshotObjects: noBulkStorage,
    listBulkUpdateHistoryObjects: noBulkStorage,
    bulkStorageDownload: ({ params: { object_key: key } }) => {
      throw new Refusal(
        spliceError(
          404,
          `Object ${key.slice(0, MAX_REPEATED_CHARACTERS)} not found: this scan has no bulk storage`,
        ),
      );
    },
    getRewardAccountingEarliestAvailableRound: refuse(404, "Reward accounting is not enabled"),
    getRewardAccountingActivityTotals: noAccounting,
    getRewardAccountingRootHash: noAccounting,
    getRewardAccountingBatch: noAccounting,
  } satisfies ScanHandlers;
}
