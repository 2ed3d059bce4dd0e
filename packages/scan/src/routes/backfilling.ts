/** The part of the history that this scan has. */
import { spliceError } from "@callsign/api";
import { formatTime } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function backfillingRoutes(index: () => ScanIndex) {
  return {
    getMigrationInfo: ({ body: { migration_id } }) => {
      const { network, updates } = index();
      if (network === null || network.migrationId !== BigInt(migration_id))
        throw new Refusal(spliceError(404, `No data for migration ${migration_id}`));
      const { synchronizerId } = network;
      const ends = updates.findEnds();
      const complete = updates.isComplete();
      return {
        previous_migration_id: null,
        record_time_range:
          ends === undefined
            ? []
            : [{ synchronizer_id: synchronizerId, min: formatTime(ends.first), max: formatTime(ends.last) }],
        last_import_update_id: null,
        complete,
        // The state that a network takes over is not kept as updates.
        import_updates_complete: complete && network.migrationId === 0n,
      };
    },
    getBackfillingStatus: () => ({ complete: index().updates.isComplete() }),
  } satisfies ScanHandlers;
}
