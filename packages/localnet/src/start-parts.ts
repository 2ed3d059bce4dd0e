/** The parts of the network that stand on its data: a restore of a snapshot closes all of them, and starts them anew. */
import type { Network } from "@callsign/ledger";
import {
  allOrNone,
  CannotStart,
  Closing,
  declareProcessMetrics,
  type Host,
  Metrics,
  startDeadline,
  startMetricsServer,
} from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import { checkFoundedWith } from "./acronym.ts";
import { ClockMoves } from "./clock-moves.ts";
import { logPath, SV_NAMES } from "./data-folder.ts";
import { describeRebuilt, moveParts, removeUnusedReplicas } from "./data-parts.ts";
import type { Gateways } from "./gateways.ts";
import { READY_MILLISECONDS } from "./limits.ts";
import type { NetworkParts } from "./localnet-options.ts";
import type { Misbehaviour } from "./misbehaviour.ts";
import { ADDRESS, NODE_NAMES, type NodeName, type Ports } from "./ports.ts";
import { HealthChecks, listEndpoints } from "./readiness.ts";
import { settleAll } from "./settle-all.ts";
import { type LocalnetNode, startNode } from "./start-node.ts";
import { startSvs } from "./start-svs.ts";

export interface StartedParts {
  readonly svs: readonly SvNode[];
  readonly nodes: readonly LocalnetNode[];
  /** By the SV's name, one for each scan. */
  readonly misbehaviours: ReadonlyMap<string, Misbehaviour>;
  readonly clockMoves: ClockMoves;
  readonly health: HealthChecks;
  readonly metricsUrl: string;
  /** In lower case. */
  readonly acronym: string;
  /** Damage that was found at the start, for the operator to know. */
  readonly notices: readonly string[];
  /** Resolves once no automation has anything to do. */
  readonly settle: () => Promise<void>;
  /** The number of the log's last entry. */
  readonly readLogEnd: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface PartsOptions extends Omit<NetworkParts, "metrics"> {
  readonly serviceToken: string;
  readonly gateways: Gateways;
  /** Called when the validators can serve their users. */
  readonly onValidatorsReady?: () => void;
}

/** Resolves when every endpoint answers. Nothing is left open if it rejects. */
export async function startParts(options: PartsOptions): Promise<StartedParts> {
  const closing = new Closing();
  try {
    return await assemble({ ...options, metrics: new Metrics() }, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function assemble(
  parts: PartsOptions & Pick<NetworkParts, "metrics">,
  closing: Closing,
): Promise<StartedParts> {
  const { acronym, dataFolder, ports, log, metrics, host, onValidatorsReady } = parts;
  const orderedLog = closing.add(new SqliteLog(logPath(dataFolder), host));
  const { sequence: logEnd } = await orderedLog.head();
  const moved = moveParts(dataFolder, parts, host);
  const { svs, misbehaviours, stopped } = await startSvs(parts, orderedLog, closing);
  const founded = await findFounded(svs, host);
  if (acronym !== undefined) checkFoundedWith(acronym, founded, dataFolder);
  parts.gateways.acronym = founded.acronym;
  const nodes = await allOrNone(NODE_NAMES.map((name) => startNode(name, { ...parts, svs }, closing)));
  const validators = nodes.map(({ validator }) => validator);
  const settle = () => settleAll(orderedLog, svs, nodes, host.timers);
  const clockMoves = closing.add(new ClockMoves({ svs, validators: () => validators, settle }));
  const health = closing.add(new HealthChecks(listEndpoints(nodes, svs), host, [...stopped.keys()]));
  declareProcessMetrics(metrics);
  const metricsServer = closing.add(
    await startMetricsServer({ host: ADDRESS, port: ports.metrics }, metrics, { system: host, log }),
  );
  const { readyMilliseconds = READY_MILLISECONDS } = parts;
  const starting = { svs, nodes, stopped, logEnd, onValidatorsReady };
  const down = await health.waitUntilReady(starting, readyMilliseconds);
  removeUnusedReplicas(dataFolder, parts, host);
  // SVs that share a replica tell of the same file.
  const rebuilt = new Set([...moved, ...[...svs, ...validators].flatMap((part) => part.rebuilt ?? [])]);
  return {
    ...{ svs, nodes, misbehaviours, clockMoves, health, settle },
    metricsUrl: `${metricsServer.url}/metrics`,
    acronym: founded.acronym.toLowerCase(),
    notices: [
      ...[...rebuilt].map(describeRebuilt),
      ...[...down].map(
        ([name, reason]) => `${name} does not run, and the others go on without it: ${reason}.`,
      ),
    ],
    readLogEnd: async () => (await orderedLog.head()).sequence,
    close: () => closing.close(),
  };
}

/** The ports that the parts listen on: the given ones, or those that were free. */
export function portsOf({ svs, nodes, metricsUrl }: StartedParts, given: Ports): Ports {
  const portOf = (url: string | undefined, otherwise: number) =>
    url === undefined ? otherwise : Number(new URL(url).port);
  const portsOfNode = (name: NodeName) => {
    const node = nodes.find((each) => each.name === name);
    const { ledger, validator, gateway } = given.nodes[name];
    return {
      ledger: portOf(node?.ledgerUrl, ledger),
      validator: portOf(node?.validatorUrl, validator),
      gateway: portOf(node?.gatewayUrl, gateway),
    };
  };
  return {
    ...given,
    nodes: {
      "app-user": portsOfNode("app-user"),
      "app-provider": portsOfNode("app-provider"),
      sv: portsOfNode("sv"),
    },
    svs: given.svs.map(({ scan, sequencer, app }, place) => {
      // An SV that could not start has no ports yet.
      const sv = svs.find(({ identity }) => identity.nodeIdentifier === SV_NAMES[place]);
      return {
        scan: portOf(sv?.scanUrl, scan),
        sequencer: portOf(sv?.sequencerUrl, sequencer),
        app: portOf(sv?.appUrl, app),
      };
    }),
    metrics: portOf(metricsUrl, given.metrics),
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
