// Appends the golden log batch by batch, from where the log ends, while a replica follows it; writes a line for
// each batch that the replica has on disk: `replicate.ts <folder> <batch size>`. Ends when all is applied.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { SqliteLog } from "../../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../../golden-log/golden-file.ts";
import { Journal } from "../journal.ts";
import { cutIntoBatches } from "../log-entries.ts";
import { logFile } from "../open-log.ts";
import { openStreamReplica } from "../stream-replica.ts";

const [folder = "", size = ""] = process.argv.slice(2);
const log = new SqliteLog(logFile(folder), systemHost);
const node = openStreamReplica({ log, file: join(folder, "replica.db") }, (database) => ({
  journal: new Journal(database),
}));
const { sequence: start } = await log.head();
const stop = new AbortController();
const running = node.replica.run(stop.signal);
for (const batch of cutIntoBatches(readGoldenLog().log, Number(size))) {
  if (batch.head.sequence <= start) continue;
  await log.append(batch);
  await node.replica.reach(batch.head.sequence, stop.signal);
  writeSync(1, `${batch.head.sequence}\n`);
}
stop.abort();
await running;
node.close();
await log.close();
