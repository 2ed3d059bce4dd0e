// A scan with workers, on the log of a simulated network whose names change at random from a seed, in a process of its own.
// A second port has the same answers from the memory of the process that writes: the general path.

import { join } from "node:path";
import { Bell, systemHost } from "@callsign/node";
import { startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { startMetricsServer } from "../../packages/node/src/monitoring/metrics-server.ts";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { startScanNode } from "../../packages/sv/src/scan-node.ts";
import { firstSvOf } from "../../packages/sv/src/scan-workers/first-sv.ts";
import { changeNames } from "../scan/changing-names.ts";
import { NameWorld } from "../scan/name-world.ts";
import { NetworkLog } from "../scan/scan-replica.ts";
import { Random } from "../support/random.ts";

const [folder = "", seed = "1"] = process.argv.slice(2);
const where = { host: "127.0.0.1", port: 0 };
const log = createLog({ level: "info" });
const world = new NameWorld();
const network = new NetworkLog(join(folder, "log.db"), world.network);
await network.append();
const metrics = new Metrics();
const node = await startScanNode({
  ...{ ...where, dataFolder: folder, name: "scan", workers: 2, orderedLog: network.log },
  ...{ log, metrics, system: systemHost },
});
const { index, replica } = node;
const general = await startHttpServer({
  ...{ ...where, log, system: systemHost },
  mounts: mountScan({
    source: ownSource(index, replica),
    sv: firstSvOf(index),
    timers: systemHost.timers,
    health: { id: "scan scan", missing: node.missing, port: () => 0, clock: systemHost.clock },
  }),
});
const scrapes = await startMetricsServer(where, metrics, { system: systemHost, log });
const wallets = ["alice", "bob"].map((name) => world.wallet(name));
const parties = [...wallets.map(({ party }) => party), world.network.dso];
process.stdout.write(
  `${JSON.stringify({ kind: "listening", url: node.url, general: general.url, metrics: scrapes.url, parties })}\n`,
);
const random = new Random(Number(seed));
const committed = new Bell(systemHost.timers);
let sequence = 0;
replica.onCommitted(() => {
  sequence = replica.state.head.sequence;
  committed.ring();
});
let isStopping = false;
process.once("SIGTERM", () => {
  isStopping = true;
});
while (!isStopping) {
  changeNames(world, wallets, random);
  await network.append();
  await committed.until(() => sequence >= world.network.log.length, { milliseconds: 10_000 });
}
await node.close();
await Promise.all([general.close(), scrapes.close()]);
await network.close();
