// Scan's server over names made in bulk, in as many processes as the third argument says, beside one that holds the index.
// With one, that process serves as well. Tells the port, and the processor time of all when asked.

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { startWorkers } from "../../packages/node/src/workers/worker-processes.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { makeNames, ownerAt } from "../name-index-data/bulk-names.ts";
import { answerParent } from "./measured-server.ts";

const [path = "", names = "0", count = "1"] = process.argv.slice(2);
const where = { host: "127.0.0.1", port: 0 };
const isAlone = count === "1";
const metrics = new Metrics();
const database = openDatabase(path, { exclusive: isAlone, hasReaders: !isAlone, owner: "bench" });
const index = makeNames(database, Number(names));
const sv = { user: "sv", party: ownerAt(0) };
const timers = systemHost.timers;

function serveAlone() {
  const mounts = mountScan({
    ...{ source: ownSource(index, { onApplied: () => undefined }), sv, timers },
    health: { id: "scan", missing: () => null, port: () => 0, clock: systemHost.clock },
  });
  return startHttpServer({ ...where, mounts, log: silentLog, metrics, system: systemHost });
}

function serveByWorkers() {
  return startWorkers({
    script: join(import.meta.dirname, "../../packages/sv/src/start-scan-worker.ts"),
    options: { path, owner: "bench", listening: where, id: "scan", sv },
    news: () => ({ missing: null, unwritable: null }),
    onReport: () => undefined,
    ...{ count: Number(count), metrics, log: silentLog, system: systemHost },
  });
}

/** Microseconds of this process and its workers. */
async function processorTime(): Promise<number> {
  const families = await metrics.gather(timers);
  const { user, system } = process.cpuUsage();
  const workers = families.find(({ name }) => name === "process_cpu_seconds_total")?.samples ?? [];
  return user + system + workers.reduce((sum, { value }) => sum + Number(value) * 1e6, 0);
}

const { port } = await (isAlone ? serveAlone() : serveByWorkers());
answerParent(port, processorTime);
