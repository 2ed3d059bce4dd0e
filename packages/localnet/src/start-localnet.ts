/**
 * Starts a whole network: the ordered log, four SVs, three participants with their validators, gateways, the
 * developers' port. What it keeps lies in one folder, so that stopping and starting loses nothing.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Time, timeFromMicros } from "@callsign/ledger";
import {
  type HttpServer,
  type Log,
  loadMemberIdentity,
  SignatureChecks,
  silentLog,
  startHttpServer,
} from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import { foundNetwork, type SvNode, startSvNode, svPartyOf } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import { startValidator, type TopUpConfig, type Validator } from "@callsign/validator";
import { checkPorts } from "./check-ports.ts";
import { clockMover, settleAll } from "./clock-moves.ts";
import { forget, logPath, SV_NAMES } from "./data-folder.ts";
import { mountDevelopment } from "./development-api.ts";
import { type Gateway, type GatewayRoute, startGateway } from "./gateway.ts";
import { startMetrics } from "./metrics-server.ts";
import { type LocalnetAutomation, splitAutomations } from "./paused-automations.ts";
import { FREE_PORTS, NODE_NAMES, type NodeName, type Ports } from "./ports.ts";
import { listSilent, type NamedEndpoint, waitUntilReady } from "./readiness.ts";
import { makeToken, NODE_SETTINGS, SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET } from "./tokens.ts";

export interface LocalnetOptions {
  readonly dataFolder: string;
  /** Any free ones unless given. */
  readonly ports?: Ports;
  /** Forgets what the folder has. */
  readonly fresh?: boolean;
  readonly log?: Log;
  /** Half the life of a mining round; ten minutes unless given. */
  readonly tickMicroseconds?: bigint;
  /** What a member may send for free in twenty minutes; plenty unless given. */
  readonly freeTrafficBytes?: bigint;
  /** What its SVs and validators do not do by themselves; nothing unless given. */
  readonly pausedAutomations?: readonly LocalnetAutomation[];
  /** How much traffic its validators buy; none unless given, since there is plenty for free. */
  readonly topup?: TopUpConfig;
  /** What the sequencers stamp entries with; the machine's clock unless given. */
  readonly clock?: () => Time;
  /** How long to wait until every endpoint answers. */
  readonly readyMilliseconds?: number;
}

export interface LocalnetNode {
  readonly name: NodeName;
  readonly walletUser: string;
  /** Of the wallet's user, for the validator. */
  readonly token: string;
  readonly ledgerUrl: string;
  readonly validatorUrl: string;
  readonly gatewayUrl: string;
  readonly participant: Participant;
  readonly validator: Validator;
}

export interface Localnet {
  readonly nodes: Readonly<Record<NodeName, LocalnetNode>>;
  readonly svs: readonly SvNode[];
  readonly developmentUrl: string;
  readonly metricsUrl: string;
  /** Of the participants' administrator. */
  readonly serviceToken: string;
  readonly now: () => Time;
  /** Resolves once every automation has seen the new time. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  /** Resolves once no automation has anything to do. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const HOST = "127.0.0.1";
const AUTH = { kind: "hs256", secret: TOKEN_SECRET, audience: TOKEN_AUDIENCE } as const;
const READY_MILLISECONDS = 60_000;
/** Nobody who tries things out should have to buy traffic first. */
const FREE_TRAFFIC_BYTES = 4_000_000_000n;

type Close = () => Promise<unknown>;

export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const closing: Close[] = [];
  try {
    return await assemble(options, closing);
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function assemble(options: LocalnetOptions, closing: Close[]): Promise<Localnet> {
  const { dataFolder, ports = FREE_PORTS, log = silentLog } = options;
  await checkPorts(HOST, ports);
  if (options.fresh === true) await forget(dataFolder);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const orderedLog = new SqliteLog(logPath(dataFolder));
  closing.push(() => orderedLog.close());
  const svs = await startSvs(options, orderedLog, closing);
  const serviceToken = await makeToken(SERVICE_USER);
  const started = await allOrNone(
    NODE_NAMES.map((name) => startNode(name, { ...options, ports, log, svs, serviceToken }, closing)),
  );
  const nodes = Object.fromEntries(started.map((node) => [node.name, node])) as Localnet["nodes"];
  const endpoints = listEndpoints(started, svs);
  const validators = started.map(({ validator }) => validator);
  const settle = () => settleAll(orderedLog, svs, validators);
  const first = svs[0] as SvNode;
  const moveClock = clockMover(first, settle);
  const development = await startDevelopment({ ports, log, svs, endpoints, moveClock });
  closing.push(() => development.close());
  const metrics = await startMetrics(HOST, ports.metrics, { svs, nodes: started });
  closing.push(() => metrics.close());
  await waitUntilReady(endpoints, { svs, validators }, options.readyMilliseconds ?? READY_MILLISECONDS);
  return {
    nodes,
    svs,
    developmentUrl: development.url,
    metricsUrl: `${metrics.url}/metrics`,
    serviceToken,
    now: first.now,
    moveClock,
    settle,
    close: () => closeAll(closing),
  };
}

async function startSvs(
  options: LocalnetOptions,
  orderedLog: SqliteLog,
  closing: Close[],
): Promise<readonly SvNode[]> {
  const { dataFolder, ports = FREE_PORTS, log = silentLog } = options;
  // One process checks each signature once, whoever asks.
  const checks = new SignatureChecks();
  const scans: { publicUrl: string; svName: string }[] = [];
  const members = SV_NAMES.map((name) => ({
    name,
    identity: loadMemberIdentity(join(dataFolder, name), name),
  }));
  const svs: SvNode[] = [];
  for (const [rank, member] of members.entries()) {
    const node = await startSvNode({
      ...member,
      user: NODE_SETTINGS.sv.walletUser,
      dataFolder: join(dataFolder, member.name),
      party: svPartyOf(member),
      orderedLog,
      clock: options.clock ?? machineTime,
      checks,
      host: HOST,
      ports: ports.svs[rank] ?? { scan: 0, sequencer: 0, app: 0 },
      scans,
      rank,
      log: log.child({ node: member.name }),
      mayMisbehave: true,
      pausedAutomations: splitAutomations(options.pausedAutomations ?? []).svs,
      app: {
        auth: AUTH,
        operators: [NODE_SETTINGS.sv.walletUser, SERVICE_USER],
        // The first SV sponsors the network's validators.
        expectedSecrets: rank === 0 ? NODE_NAMES.map((node) => NODE_SETTINGS[node].onboardingSecret) : [],
      },
    });
    closing.push(() => node.close());
    svs.push(node);
    scans.push({ publicUrl: node.scanUrl, svName: member.name });
  }
  if ((await orderedLog.head()).sequence === 0) {
    const founding = {
      ...{ svs: members, movableClock: true, isDevNet: true },
      freeTrafficBytes: options.freeTrafficBytes ?? FREE_TRAFFIC_BYTES,
    };
    const tick = options.tickMicroseconds;
    await svs[0]?.submit(
      foundNetwork({ ...founding, ...(tick === undefined ? {} : { tickMicroseconds: tick }) }),
    );
  }
  return svs;
}

interface NodeParts extends Pick<LocalnetOptions, "dataFolder" | "pausedAutomations" | "topup"> {
  readonly ports: Ports;
  readonly log: Log;
  readonly svs: readonly SvNode[];
  readonly serviceToken: string;
}

async function startNode(name: NodeName, parts: NodeParts, closing: Close[]): Promise<LocalnetNode> {
  const { dataFolder, ports, svs, serviceToken, pausedAutomations = [], topup } = parts;
  const { walletUser, partyHint, onboardingSecret } = NODE_SETTINGS[name];
  const log = parts.log.child({ node: name });
  const participant = await startParticipant({
    dataFolder: join(dataFolder, name, "participant"),
    nodeIdentifier: `${name}-participant`,
    sequencers: svs.map(({ sequencerUrl }) => sequencerUrl),
    host: HOST,
    port: ports.nodes[name].ledger,
    auth: AUTH,
    adminUsers: [SERVICE_USER],
    log,
  });
  closing.push(() => participant.close());
  const validator = await startValidator({
    dataFolder: join(dataFolder, name, "validator"),
    host: HOST,
    port: ports.nodes[name].validator,
    participantUrl: participant.url,
    scans: svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
    auth: AUTH,
    serviceUser: { userId: SERVICE_USER, token: () => serviceToken },
    walletUsers: [walletUser],
    operatorPartyHint: partyHint,
    pausedAutomations: splitAutomations(pausedAutomations).validators,
    ...(topup === undefined ? {} : { topup }),
    onboarding: { svUrl: `${svs[0]?.appUrl}/api/sv`, secret: onboardingSecret },
    log,
  });
  closing.push(() => validator.close());
  const gateway = await openGateway(name, { ports, svs, participant, validator });
  closing.push(() => gateway.close());
  return {
    name,
    walletUser,
    token: await makeToken(walletUser),
    ledgerUrl: participant.url,
    validatorUrl: validator.url,
    gatewayUrl: gateway.url,
    participant,
    validator,
  };
}

interface GatewayParts {
  readonly ports: Ports;
  readonly svs: readonly SvNode[];
  readonly participant: Participant;
  readonly validator: Validator;
}

function openGateway(name: NodeName, { ports, svs, participant, validator }: GatewayParts): Promise<Gateway> {
  const ledgerHosts = ["json-ledger-api.localhost", "canton.localhost"];
  const routes: GatewayRoute[] = [
    { host: null, prefix: "/api/validator", target: validator.url },
    ...ledgerHosts.flatMap((host) =>
      ["/v2", "/docs", "/livez", "/readyz"].map((prefix) => ({ host, prefix, target: participant.url })),
    ),
  ];
  const scanUrl = svs[0]?.scanUrl;
  if (name === "sv" && scanUrl !== undefined) {
    routes.push({ host: "scan.localhost", prefix: "/api/scan", target: scanUrl });
    routes.push({ host: "sv.localhost", prefix: "/api/sv", target: svs[0]?.appUrl ?? scanUrl });
  }
  return startGateway(HOST, ports.nodes[name].gateway, routes);
}

function listEndpoints(nodes: readonly LocalnetNode[], svs: readonly SvNode[]): readonly NamedEndpoint[] {
  return [
    ...nodes.flatMap(({ name, ledgerUrl, validatorUrl, gatewayUrl }) => [
      { name: `${name} JSON Ledger API`, url: ledgerUrl },
      { name: `${name} validator`, url: `${validatorUrl}/api/validator` },
      { name: `${name} gateway`, url: `${gatewayUrl}/api/validator` },
    ]),
    ...svs.flatMap(({ scanUrl, sequencerUrl, appUrl }, i) => [
      { name: `scan ${i + 1}`, url: `${scanUrl}/api/scan` },
      { name: `sequencer ${i + 1}`, url: sequencerUrl },
      { name: `SV app ${i + 1}`, url: `${appUrl}/api/sv` },
    ]),
  ];
}

function startDevelopment(parts: {
  readonly ports: Ports;
  readonly log: Log;
  readonly svs: readonly SvNode[];
  readonly endpoints: readonly NamedEndpoint[];
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
}): Promise<HttpServer> {
  const { ports, log, svs, endpoints, moveClock } = parts;
  const mount = mountDevelopment({
    listMissing: (path) => listSilent(endpoints, path),
    now: () => (svs[0] as SvNode).now(),
    moveClock,
    scanCount: svs.length,
    setScanBehaviour: async (place, behaviour) => svs[place]?.misbehaviour?.behave(behaviour),
  });
  // Splice's clients ask under the validator's prefix, too.
  const prefixed = { ...mount, api: { ...mount.api, basePath: "/api/validator" as const } };
  return startHttpServer({ host: HOST, port: ports.development, mounts: [prefixed], log });
}

function machineTime(): Time {
  return timeFromMicros(BigInt(Date.now()) * 1000n);
}

/** Waits for all also where one fails: what has started by then can be closed. */
async function allOrNone<T>(starting: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(starting);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** In the opposite order: what was started last depends on what was started before it. */
async function closeAll(closing: Close[]): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
