import { formatTime, timeFromMicros } from "@callsign/ledger";
import type { StoreDefinition } from "@callsign/node";
import { participantMigrations } from "./open-participant-store.ts";

export const participantStore: StoreDefinition = {
  migrations: participantMigrations,
  fileName: "participant.sqlite",
  findPosition: async (sql) => {
    const row = await sql.get("select ledger_offset, record_time from ledger_position where singleton = 1");
    const [offset, recordTime] = [row?.["ledger_offset"] ?? 0n, row?.["record_time"] ?? 0n];
    return {
      offset: String(offset),
      "record time": formatTime(timeFromMicros(BigInt(recordTime as bigint))),
    };
  },
};
