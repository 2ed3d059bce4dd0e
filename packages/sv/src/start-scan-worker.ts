// The script of a scan's worker processes.

import { runWorker, systemHost } from "@callsign/node";
import { serveScanWorker } from "./scan-workers/serve-scan-worker.ts";

runWorker(serveScanWorker, systemHost);
