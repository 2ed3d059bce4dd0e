/**
 * The processor time of scan's lookups, and of calls of other servers that have little work of their own. The floor is a
 * bare `node:http` server with fixed bodies as long. Servers and load have a core each, where the machine has two and
 * `taskset`. Sections: `lookups`, `growth` (many names against few), `calls`, `workers` (two worker processes), `peers`
 * (other stores with the same names). Options: `--names=1000000`, `--requests=10000` a round.
 */
import { runSections } from "./measure.ts";
import { measureCalls } from "./scan-load/measure-calls.ts";
import { measureGrowth } from "./scan-load/measure-growth.ts";
import { measureLookups } from "./scan-load/measure-lookups.ts";
import { measurePeers } from "./scan-load/measure-peers.ts";
import { measureWorkers } from "./scan-load/measure-workers.ts";
import { leaveFirstCore } from "./scan-load/measured-server.ts";

leaveFirstCore();
await runSections("scan", {
  ...{ lookups: measureLookups, growth: measureGrowth, calls: measureCalls },
  ...{ workers: measureWorkers, peers: measurePeers },
});
