import { formatTime, timeFromMicros } from "@callsign/ledger";
import type { StoreDefinition } from "@callsign/node";
import { participantMigrations } from "./open-participant-store.ts";
import { ParticipantSettings } from "./participant-settings.ts";

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
  identity: {
    table: "participant_setting",
    others: "setting <> 'identity'",
    find: async (sql) => {
      const stored = await new ParticipantSettings(sql).find("identity");
      return stored === undefined ? undefined : JSON.stringify(stored);
    },
    set: (sql, text) => new ParticipantSettings(sql).set("identity", JSON.parse(text) as object),
  },
};
