/** The SVs of the local network. */
import { PROTOCOL_VERSION } from "@callsign/ledger";
import type { Closing } from "@callsign/node";
import { type StartedSvs, startSvNetwork } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";
import { logPath, SHARED_REPLICA, SV_NAMES } from "./data-folder.ts";
import type { NetworkParts } from "./localnet-options.ts";
import { Misbehaviour } from "./misbehaviour.ts";
import { splitAutomations } from "./paused-automations.ts";
import { ADDRESS, NODE_NAMES } from "./ports.ts";
import { NODE_SETTINGS, SERVICE_USER } from "./tokens.ts";

/** Enough to try things out without buying traffic. */
const FREE_TRAFFIC_BYTES = 4_000_000_000n;

export interface LocalnetSvs extends StartedSvs {
  /** By the SV's name, one for each scan. */
  readonly misbehaviours: ReadonlyMap<string, Misbehaviour>;
}

export async function startSvs(
  parts: NetworkParts,
  orderedLog: SqliteLog,
  closing: Closing,
): Promise<LocalnetSvs> {
  const { dataFolder, host, clock, log, acronym, tickMicroseconds, pausedAutomations = [] } = parts;
  const { freeTrafficBytes = FREE_TRAFFIC_BYTES, protocolVersion = PROTOCOL_VERSION } = parts;
  const misbehaviours = new Map<string, Misbehaviour>();
  const started = await startSvNetwork(
    {
      dataFolder,
      orderedLog,
      logPath: logPath(dataFolder),
      ...(parts.separateReplicas
        ? {}
        : { sharedReplica: { name: SHARED_REPLICA, log: log.child({ node: SHARED_REPLICA }) } }),
      svs: SV_NAMES.map((name) => ({ name })),
      configOf: (name, rank) => ({
        user: NODE_SETTINGS.sv.walletUser,
        clock,
        host: ADDRESS,
        ...(parts.allowedCallers && { allowedCallers: parts.allowedCallers }),
        ports: parts.ports.svs[rank] ?? { scan: 0, sequencer: 0, app: 0 },
        log: log.child({ node: name }),
        metrics: parts.metrics,
        interceptScan: (index) => {
          const misbehaviour = new Misbehaviour(index, host.timers);
          misbehaviours.set(name, misbehaviour);
          return misbehaviour;
        },
        pausedAutomations: splitAutomations(pausedAutomations).svs,
        app: {
          auth: parts.auth,
          operators: [NODE_SETTINGS.sv.walletUser, SERVICE_USER],
          // The first SV sponsors the network's validators.
          expectedSecrets: rank === 0 ? NODE_NAMES.map((each) => NODE_SETTINGS[each].onboardingSecret) : [],
        },
      }),
      founding: {
        ...{ protocolVersion, movableClock: true, isDevNet: true, freeTrafficBytes },
        ...(tickMicroseconds === undefined ? {} : { tickMicroseconds }),
        ...(acronym === undefined ? {} : { acronym }),
      },
      activates: protocolVersion,
      hasOtherData: () => hasNodes(parts),
    },
    closing,
    host,
  );
  return { ...started, misbehaviours };
}

/** True if there is data of the network's nodes. */
function hasNodes({ dataFolder, host }: NetworkParts): boolean {
  return host.files.list(dataFolder).some((name) => NODE_NAMES.some((node) => node === name));
}
