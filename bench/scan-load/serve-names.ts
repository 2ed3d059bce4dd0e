// Scan's server over names made in bulk, in a process of its own. Tells its port, and its processor time when asked.

import { systemHost } from "@callsign/node";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { makeNames, ownerAt } from "../name-index-data/bulk-names.ts";
import { answerParent } from "./measured-server.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const mounts = mountScan({
  source: ownSource(makeNames(openDatabase(path, { exclusive: true }), Number(count)), {
    onApplied: () => undefined,
  }),
  sv: { user: "sv", party: ownerAt(0) },
  timers: systemHost.timers,
  health: { id: "scan", missing: () => null, port: () => 0, clock: systemHost.clock },
});
const server = await startHttpServer({
  host: "127.0.0.1",
  port: 0,
  mounts,
  log: silentLog,
  metrics: new Metrics(),
  system: systemHost,
});
answerParent(server.port);
