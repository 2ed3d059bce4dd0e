/**
 * Starts a whole network: the ordered log, four SVs, three participants with their validators and gateways, and the
 * developers' port. All its data lies in one folder: stopping and starting again loses nothing.
 */
import type { NetworkSnapshot, ScanBehaviour, UserOfNetwork } from "@callsign/api";
import { type Time, timeFromMicros } from "@callsign/ledger";
import {
  Closing,
  type Host,
  listeningOf,
  silentLog,
  startHttpServer,
  systemHost,
  WebApplication,
} from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import { checkAcronym } from "./acronym.ts";
import { checkPorts } from "./check-ports.ts";
import type { MoveOptions } from "./clock-moves.ts";
import { forget, lockDataFolder, openTemporaryFolder, prepareDataFolder, SV_NAMES } from "./data-folder.ts";
import { mountDevelopment } from "./development-api.ts";
import { Gateways } from "./gateways.ts";
import { KeptPorts } from "./kept-ports.ts";
import type { LocalnetOptions } from "./localnet-options.ts";
import { describeLogin } from "./login/login-clients.ts";
import { startLoginServer } from "./login/login-server.ts";
import { finishSnapshots, NetworkSnapshots, removeReplaced } from "./network-snapshots.ts";
import { ADDRESS, FREE_PORTS, type NodeName } from "./ports.ts";
import { findRunning } from "./settle-all.ts";
import { withSmallDatabases } from "./small-databases.ts";
import type { LocalnetNode } from "./start-node.ts";
import { type PartsOptions, portsOf, type StartedParts, startParts } from "./start-parts.ts";
import { acceptLogins, makeToken, SERVICE_USER } from "./tokens.ts";

/** Its parts are replaced when a snapshot is restored: read `nodes` and `svs` anew then. Their URLs and tokens stay. */
export interface Localnet {
  readonly nodes: Readonly<Record<NodeName, LocalnetNode>>;
  readonly svs: readonly SvNode[];
  readonly developmentUrl: string;
  /** The OpenID provider that people log in with. */
  readonly loginUrl: string;
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
  /** Saves the whole network as it is now, while it goes on. Rejects with `SnapshotRefused`, as the others do. */
  readonly saveSnapshot: (name: string) => Promise<NetworkSnapshot>;
  /** The oldest first. */
  readonly listSnapshots: () => readonly NetworkSnapshot[];
  /** Puts the whole network back to the snapshot, on the same ports. Resolves once every endpoint answers. */
  readonly restoreSnapshot: (name: string) => Promise<NetworkSnapshot>;
  readonly deleteSnapshot: (name: string) => Promise<void>;
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
  lockDataFolder(dataFolder, closing, host);
  finishSnapshots(dataFolder, host);
  if (options.fresh === true) await forget(dataFolder, host);
  const kept = closing.add(new KeptPorts(host));
  const gateways = closing.add(new Gateways(new WebApplication({ files: host.files })));
  const serviceToken = await makeToken(SERVICE_USER);
  let started: RunningParts | undefined;
  const nodes = () => nodesByName(started?.parts.nodes ?? []);
  const login = closing.add(await startLoginServer(ports.login, { host, log, serviceToken, nodes }));
  gateways.loginOf = (node, hostName) => describeLogin(login.authority, node, hostName);
  const auth = acceptLogins(login.jwksUrl);
  const own = {
    dataFolder,
    ports,
    log,
    clock,
    serviceToken,
    gateways,
    auth,
    host: withSmallDatabases(kept.host),
  };
  const given = { ...options, ...own };
  const running = closing.add(new RunningParts(given, kept, await startParts(given)));
  started = running;
  removeReplaced(dataFolder, host);
  const network = openNetwork(running);
  const snapshots = new NetworkSnapshots({
    ...{
      dataFolder,
      host,
      log,
      now: network.now,
      stop: () => running.stop(),
      start: () => running.restart(),
    },
    unsupported:
      options.database === undefined
        ? null
        : "A network whose participants and validators are on PostgreSQL has no snapshots: start it without that database.",
    acronym: () => running.parts.acronym,
    clockGoal: () => findGoal(running.parts),
  });
  const mount = mountDevelopment({
    ...{ snapshots, timers: host.timers, svs: SV_NAMES, now: network.now },
    users: listUsers(running.parts, serviceToken),
    setScanBehaviour: network.setScanBehaviour,
    listScanBehaviours: () =>
      SV_NAMES.map((name) => running.parts.misbehaviours.get(name)?.behaviour ?? "stop"),
    health: () => running.parts.health,
    clockMoves: () => running.parts.clockMoves,
  });
  const development = closing.add(
    await startHttpServer({
      ...listeningOf({ ...options, host: ADDRESS, port: ports.development }),
      ...{ mounts: [mount], log, system: host },
    }),
  );
  gateways.developmentUrl = development.url;
  closing.add({ close: () => running.parts.clockMoves.close() });
  closing.add(snapshots);
  return Object.assign(network, {
    serviceToken,
    developmentUrl: development.url,
    loginUrl: login.authority,
    notices: running.parts.notices,
    saveSnapshot: snapshots.save,
    listSnapshots: snapshots.list,
    restoreSnapshot: snapshots.restore,
    deleteSnapshot: snapshots.delete,
    close: () => closing.close(),
  });
}

function listUsers({ nodes }: StartedParts, serviceToken: string): readonly UserOfNetwork[] {
  return [
    ...nodes.map(({ name, walletUser, token }) => ({ user: walletUser, node: name, token })),
    { user: SERVICE_USER, node: null, token: serviceToken },
  ];
}

/** The parts that run now. A restore of a snapshot replaces them. */
class RunningParts {
  readonly #options: PartsOptions;
  readonly #kept: KeptPorts;
  #parts: StartedParts;

  constructor(options: PartsOptions, kept: KeptPorts, started: StartedParts) {
    // A snapshot may be of a network with another acronym, and has no parts to be rebuilt.
    const { acronym: _, rebuild: __, ...others } = options;
    this.#options = { ...others, ports: portsOf(started, options.ports) };
    this.#kept = kept;
    this.#parts = started;
  }

  get parts(): StartedParts {
    return this.#parts;
  }

  /** Calls that arrive meanwhile wait for their answers: a validator that starts would refuse them. */
  async restart(): Promise<void> {
    this.#kept.hold(Object.values(this.#options.ports.nodes).map(({ validator }) => validator));
    const onValidatorsReady = () => this.#kept.letIn();
    this.#parts = await startParts({ ...this.#options, onValidatorsReady }).finally(() =>
      this.#kept.endReplacing(),
    );
  }

  /** Closes the parts, and keeps their ports for those that `restart` starts. */
  stop(): Promise<void> {
    this.#kept.beginReplacing();
    return this.#parts.close();
  }

  close(): Promise<void> {
    return this.#parts.close();
  }
}

function nodesByName(nodes: readonly LocalnetNode[]): Localnet["nodes"] {
  return Object.fromEntries(nodes.map((node) => [node.name, node])) as Localnet["nodes"];
}

function openNetwork(running: RunningParts) {
  return {
    get nodes() {
      return nodesByName(running.parts.nodes);
    },
    get svs() {
      return running.parts.svs;
    },
    get acronym() {
      return running.parts.acronym;
    },
    metricsUrl: running.parts.metricsUrl,
    now: () => findRunning(running.parts.svs).now(),
    settle: () => running.parts.settle(),
    moveClock: (microseconds: bigint, moves?: MoveOptions) =>
      running.parts.clockMoves.move(microseconds, moves),
    setScanBehaviour: (place: number, behaviour: ScanBehaviour) =>
      running.parts.misbehaviours.get(SV_NAMES[place] ?? "")?.behave(behaviour),
  };
}

/** The end of the clock's way; null if the clock stands. */
function findGoal({ clockMoves: { current } }: StartedParts): Time | null {
  return current === null || current.failure !== null ? null : current.to;
}

function machineTime({ clock }: Host): () => Time {
  return () => timeFromMicros(BigInt(clock.wallMilliseconds()) * 1000n);
}
