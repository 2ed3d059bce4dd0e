/**
 * Starts a whole network: the ordered log, four SVs, three participants with their validators and gateways, and the
 * developers' port. All its data lies in one folder: stopping and starting again loses nothing.
 */
import type { ScanBehaviour } from "@callsign/api";
import { type Network, type Time, timeFromMicros } from "@callsign/ledger";
import {
  allOrNone,
  CannotStart,
  Closing,
  declareProcessMetrics,
  type Host,
  listeningOf,
  Metrics,
  silentLog,
  startDeadline,
  startHttpServer,
  startMetricsServer,
  systemHost,
  WebApplication,
} from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import { checkAcronym, checkFoundedWith } from "./acronym.ts";
import { checkPorts } from "./check-ports.ts";
import { ClockMoves, type MoveOptions } from "./clock-moves.ts";
import { forget, logPath, openTemporaryFolder, prepareDataFolder, SV_NAMES } from "./data-folder.ts";
import { describeRebuilt, moveParts } from "./data-parts.ts";
import { mountDevelopment } from "./development-api.ts";
import { READY_MILLISECONDS } from "./limits.ts";
import type { LocalnetOptions } from "./localnet-options.ts";
import { ADDRESS, FREE_PORTS, NODE_NAMES, type NodeName } from "./ports.ts";
import { HealthChecks, listEndpoints } from "./readiness.ts";
import { findRunning, settleAll } from "./settle-all.ts";
import { type LocalnetNode, startNode } from "./start-node.ts";
import { startSvs } from "./start-svs.ts";
import { makeToken, SERVICE_USER } from "./tokens.ts";

export interface Localnet {
  readonly nodes: Readonly<Record<NodeName, LocalnetNode>>;
  readonly svs: readonly SvNode[];
  readonly developmentUrl: string;
  readonly metricsUrl: string;
  /** The token of the participants' administrator. */
  readonly serviceToken: string;
  /** The ending of its names. */
  readonly acronym: string;
  readonly now: () => Time;
  /** Damage that was found at the start, for the operator to know. */
  readonly notices: readonly string[];
  /**
   * Stops wherever an automation has something due, and resolves once none has anything left to do at the new time.
   * With `everyRound` it also stops in each round.
   */
  readonly moveClock: (microseconds: bigint, options?: MoveOptions) => Promise<Time>;
  /** Resolves once no automation has anything to do. */
  readonly settle: () => Promise<void>;
  /** Makes the scan of the SV at that place misbehave, or be honest again. */
  readonly setScanBehaviour: (place: number, behaviour: ScanBehaviour) => void;
  readonly close: () => Promise<void>;
}

export async function startLocalnet(
  options: LocalnetOptions = {},
  host: Host = systemHost,
): Promise<Localnet> {
  const closing = new Closing();
  try {
    return await assemble(options, closing, host);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function assemble(options: LocalnetOptions, closing: Closing, host: Host): Promise<Localnet> {
  const { acronym, ports = FREE_PORTS, log = silentLog, clock = machineTime(host) } = options;
  if (acronym !== undefined) checkAcronym(acronym);
  await checkPorts(ports, host);
  const dataFolder = options.dataFolder ?? openTemporaryFolder(closing, host);
  prepareDataFolder(dataFolder, host);
  if (options.fresh === true) await forget(dataFolder, host);
  const orderedLog = closing.add(new SqliteLog(logPath(dataFolder), host));
  const { sequence: logEnd } = await orderedLog.head();
  const metrics = new Metrics();
  const parts = { ...options, dataFolder, ports, log, clock, metrics, host };
  const moved = moveParts(dataFolder, options.rebuild ?? [], host);
  const { svs, misbehaviours, stopped } = await startSvs(parts, orderedLog, closing);
  const founded = await findFounded(svs, host);
  if (acronym !== undefined) checkFoundedWith(acronym, founded, dataFolder);
  const serviceToken = await makeToken(SERVICE_USER);
  let developmentUrl = "";
  const nodeParts = {
    ...{ ...parts, svs, serviceToken, acronym: founded.acronym },
    developmentUrl: () => developmentUrl,
    application: new WebApplication({ files: host.files }),
  };
  const nodes = await allOrNone(NODE_NAMES.map((name) => startNode(name, nodeParts, closing)));
  const validators = nodes.map(({ validator }) => validator);
  const settle = () => settleAll(orderedLog, svs, nodes, host.timers);
  const clockMoves = new ClockMoves({ svs, validators: () => validators, settle });
  const network = {
    ...{
      svs,
      serviceToken,
      acronym: founded.acronym.toLowerCase(),
      settle,
      now: () => findRunning(svs).now(),
      moveClock: clockMoves.move,
    },
    setScanBehaviour: (place: number, behaviour: ScanBehaviour) =>
      misbehaviours.get(SV_NAMES[place] ?? "")?.behave(behaviour),
  };
  const health = closing.add(new HealthChecks(listEndpoints(nodes, svs), host, [...stopped.keys()]));
  const mount = mountDevelopment({ ...network, clockMoves, timers: host.timers, svs: SV_NAMES, health });
  const development = closing.add(
    await startHttpServer({
      ...listeningOf({ ...options, host: ADDRESS, port: ports.development }),
      ...{ mounts: [mount], log, system: host },
    }),
  );
  developmentUrl = development.url;
  closing.add(clockMoves);
  declareProcessMetrics(metrics);
  const metricsServer = closing.add(
    await startMetricsServer({ host: ADDRESS, port: ports.metrics }, metrics, { system: host, log }),
  );
  const { readyMilliseconds = READY_MILLISECONDS } = options;
  const down = await health.waitUntilReady({ svs, nodes, stopped, logEnd }, readyMilliseconds);
  const rebuilt = [...moved, ...[...svs, ...validators].flatMap((part) => part.rebuilt ?? [])];
  return {
    ...network,
    nodes: Object.fromEntries(nodes.map((node) => [node.name, node])) as Localnet["nodes"],
    developmentUrl,
    metricsUrl: `${metricsServer.url}/metrics`,
    notices: [
      ...rebuilt.map(describeRebuilt),
      ...[...down].map(
        ([name, reason]) => `${name} does not run, and the others go on without it: ${reason}.`,
      ),
    ],
    close: () => closing.close(),
  };
}

/** Resolves once an SV has applied the founding. */
async function findFounded(svs: readonly SvNode[], { timers }: Host): Promise<Network> {
  const { signal, clear } = startDeadline(READY_MILLISECONDS, { timers });
  const founding = svs.map(({ replica }) => replica.reach(1, signal).then(() => replica.state.network));
  const network = await Promise.any(founding).finally(clear);
  if (network === null) throw new CannotStart("the log's first entry founds no network");
  return network;
}

function machineTime({ clock }: Host): () => Time {
  return () => timeFromMicros(BigInt(clock.wallMilliseconds()) * 1000n);
}
