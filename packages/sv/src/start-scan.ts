/** Starts scan's API: in this process, which writes its index, or in worker processes. */
import type { DatabaseSync } from "node:sqlite";
import type { HttpServer, Listening } from "@callsign/node";
import { ownSource, type ScanIndex } from "@callsign/scan";
import type { Replica } from "@callsign/synchronizer";
import type { Follower } from "./follow-log.ts";
import type { ScanWorkerOptions } from "./scan-workers/scan-worker-options.ts";
import { type ServedScan, serveScan } from "./scan-workers/serve-scan.ts";
import { startScanWorkers } from "./scan-workers/start-scan-workers.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

type ScanConfig = Pick<
  SvNodeConfig,
  "name" | "spliceInstanceNames" | "interceptScan" | "scanWorkers" | "log"
>;

export interface StartedScan extends Pick<ServedScan, "missing" | "unwritable" | "metrics" | "system"> {
  readonly listening: Listening;
  readonly sv: ScanWorkerOptions["sv"];
  /** The replica's file and its mark, for processes that read it. */
  readonly file: { readonly path: string; readonly owner: string };
  readonly database: DatabaseSync;
  readonly replica: Replica;
  readonly index: ScanIndex;
  readonly follower: Follower;
}

export function startScan(config: ScanConfig, parts: StartedScan): Promise<HttpServer> {
  const { name, spliceInstanceNames: instanceNames, scanWorkers: count = 1, log } = config;
  const { database, replica, index, listening, sv, missing, unwritable, metrics, system } = parts;
  const { checkDamage } = parts.follower;
  const options = { listening, sv, instanceNames, id: `scan ${name}` };
  const served = { missing, unwritable, log, metrics, system };
  if (count > 1) {
    const given = { options: { ...options, ...parts.file }, database, replica, onDamage: checkDamage };
    return startScanWorkers({ ...served, ...given, count });
  }
  const interceptor = config.interceptScan?.(index);
  return serveScan({ ...served, options, source: ownSource(index, replica), checkDamage, interceptor });
}
