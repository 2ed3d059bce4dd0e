import { formatTime, timeFromMicros } from "@callsign/ledger";
import type { StoreDefinition } from "@callsign/node";
import { readPosition } from "./stored-position.ts";
import { walletMigrations } from "./wallet-migrations.ts";

export const walletStore: StoreDefinition = {
  migrations: walletMigrations,
  fileName: "validator.sqlite",
  findPosition: async (sql) => {
    const { offset, recordTime } = await readPosition(sql);
    return { offset: String(offset), "record time": formatTime(timeFromMicros(recordTime)) };
  },
};
