/** The SVs of a data folder in this process, under any migration id, on free ports. */
import { join } from "node:path";
import { Closing, systemHost } from "@callsign/node";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { scanApi } from "../../packages/api/src/index.ts";
import {
  type NetworkFounding,
  SV_AUTOMATION_NAMES,
  type SvNode,
  settleAutomations,
  startSvNetwork,
} from "../../packages/sv/src/index.ts";
import {
  checkMigrationId,
  checkNotMigrated,
  findNetworkLog,
} from "../../packages/sv/src/migration/network-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { machineTime, testLog } from "./sv-nodes.ts";

export interface SvsOptions {
  readonly dataFolder: string;
  readonly migrationId: bigint;
  readonly names: readonly string[];
  readonly founding?: Pick<NetworkFounding, "protocolVersion">;
  /** True if their automations do nothing. */
  readonly isQuiet?: boolean;
}

export interface RunningSvs {
  readonly svs: readonly SvNode[];
  readonly log: SqliteLog;
  readonly scan: (number: number) => Client<typeof scanApi.endpoints>;
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** As `callsign sv` starts them. The first start founds the network. */
export async function startSvsIn(options: SvsOptions): Promise<RunningSvs> {
  const { dataFolder, names, isQuiet = false } = options;
  const closing = new Closing();
  try {
    checkNotMigrated(options, systemHost.files);
    const { logName, replicaFolder } = findNetworkLog(options, systemHost.files);
    const logPath = join(dataFolder, logName);
    const log = closing.add(new SqliteLog(logPath, systemHost));
    await checkMigrationId(log, options, logName);
    const { svs } = await startSvNetwork(
      {
        ...{ dataFolder, orderedLog: log, logPath, replicaFolder },
        svs: names.map((name) => ({ name })),
        configOf: () => ({
          ...{ user: "sv", clock: machineTime, host: "127.0.0.1", log: testLog() },
          ports: { scan: 0, sequencer: 0, app: 0 },
          pausedAutomations: isQuiet ? SV_AUTOMATION_NAMES : [],
        }),
        founding: {
          ...{ movableClock: true, isDevNet: true, migrationId: options.migrationId },
          ...options.founding,
        },
      },
      closing,
    );
    const { sequence } = await log.head();
    for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(60_000));
    const automations = svs.map(({ automation }) => automation);
    return {
      svs,
      log,
      scan: (number) => createClient(scanApi, { fetch, baseUrl: `${svs[number - 1]?.scanUrl}/api/scan` }),
      settle: () =>
        settleAutomations(automations, {
          logHead: log.head,
          timers: systemHost.timers,
          signal: AbortSignal.timeout(60_000),
        }),
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}
