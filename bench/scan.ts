/**
 * Requests that a server answers for each second of its processor time: scan's lookups, and calls of other servers that
 * have little work of their own. The floor is a bare `node:http` server with fixed bodies as long. Servers and load have
 * a core each, where the machine has two and `taskset`. Sections: `lookups`, `calls`, `workers` (two worker processes),
 * `peers` (other stores with the same names). Options: `--names=1000000`, `--requests=10000` a round.
 */
import { runSections } from "./measure.ts";
import { measureCalls } from "./scan-load/measure-calls.ts";
import { measureLookups } from "./scan-load/measure-lookups.ts";
import { measurePeers } from "./scan-load/measure-peers.ts";
import { measureWorkers } from "./scan-load/measure-workers.ts";
import { leaveFirstCore } from "./scan-load/measured-server.ts";

leaveFirstCore();
await runSections("scan", {
  ...{ lookups: measureLookups, calls: measureCalls },
  ...{ workers: measureWorkers, peers: measurePeers },
});
