/** The synchronizer: upgrades that are planned. It is upgraded by a migration alone, and has no sequencers of BFT. */
import { spliceError } from "@callsign/api";
import { DsoRules, formatInstant } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

const NO_BODY = { status: 404, headers: {}, body: "" } as const;

export function upgradeRoutes(index: () => ScanIndex) {
  return {
    listSvBftSequencers: () => ({ bftSequencers: [] }),
    getRollForwardLsu: () => ({ rollForwardLsu: null }),
    getActivePhysicalSynchronizerSerial: () => {
      if (index().network === null) throw new Refusal(spliceError(404, "No amulet rules"));
      return { serial: 0 };
    },
    getMigrationSchedule: () => {
      const { nextScheduledSynchronizerUpgrade: next = null } =
        index().contracts.find(DsoRules)?.payload.config ?? {};
      if (next === null) throw new Refusal(NO_BODY);
      return { time: formatInstant(next.time), migration_id: Number(next.migrationId) };
    },
    featureSupport: () => ({ dummy: null }),
  } satisfies ScanHandlers;
}
