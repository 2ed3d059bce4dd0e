/**
 * An SV's node: a replica of the log with its sequencer, a scan, the SV's automations and its app on top. All of them
 * stand on one database, which the replica writes in one transaction for each page of the log. SVs of one process may share it.
 */
import type { Envelope, Time } from "@callsign/ledger";
import {
  type Host,
  KeptIdentity,
  KeyRotation,
  type Log,
  type MemberIdentity,
  type Metrics,
  type RebuiltFile,
  StoreUnwritable,
  sha256,
  systemHost,
  TriggerMetrics,
} from "@callsign/node";
import { declareScanMetrics } from "@callsign/scan";
import {
  declareReplicaMetrics,
  networkTime,
  type Replica,
  type Scrub,
  Sequencer,
  StampClock,
  type StampClockParts,
  Ticker,
} from "@callsign/synchronizer";
import { startActing } from "./acting.ts";
import { checkExpectedSecrets, prepareSecrets } from "./app/expected-onboardings.ts";
import type { SvApp } from "./app/sv-app.ts";
import { type Follower, readGoal } from "./follow-log.ts";
import { checkJoining, joinNetwork } from "./joining/join-network.ts";
import { type NetworkActivation, openActivation } from "./network-activation.ts";
import { logStanding, type OwnStanding, ownStanding } from "./onboarding/own-standing.ts";
import { type Core, replicaPath, startWholeReplica } from "./open-core.ts";
import { openPeers } from "./open-peers.ts";
import { type OpenedSnapshots, openSnapshots } from "./open-snapshots.ts";
import { checkPublicUrls, type PublicUrls, publicUrlsOf } from "./public-urls.ts";
import { SvAutomations } from "./runner/sv-automations.ts";
import { declareSvMetrics } from "./runner/sv-metrics.ts";
import { openRunningReplica, type RunningReplica } from "./running-replica.ts";
import { serveNode } from "./serve-node.ts";
import { svKeyLedger } from "./submission/sv-key-ledger.ts";
import { SvSubmitter } from "./submission/sv-submitter.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

export interface SvNode {
  readonly identity: MemberIdentity;
  readonly replica: Replica;
  readonly automation: SvAutomations;
  readonly scanUrl: string;
  readonly sequencerUrl: string;
  readonly appUrl: string;
  readonly now: () => Time;
  /** The last offset of a member's stream, as far as this replica has applied the log. */
  readonly streamEnd: (member: string) => number;
  /** Resolves when no task of its automations is left; other SVs may still give it work. */
  readonly idle: () => Promise<void>;
  /** Resolves with the entry's number once it is on disk. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  /** Moves the network's clock, and resolves once this replica stands there. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  /** Aborted when its replica no longer follows the log, and when it is closed. */
  readonly ended: AbortSignal;
  /** The error that stopped the replica, or keeps it from going on at present; null if there is none. */
  readonly failure: () => Error | null;
  /** The damaged file that was moved aside at the start, and is rebuilt; null if it was sound. */
  readonly rebuilt: RebuiltFile | null;
  /** Its signing key, which can be rotated; null for an identity that is kept elsewhere. */
  readonly keys: KeyRotation | null;
  /** Activates protocol versions that SVs have agreed on. */
  readonly activation: NetworkActivation;
  /** Looks for stored bytes that have changed. */
  readonly scrub: Scrub;
  readonly snapshots: Pick<OpenedSnapshots, "proven" | "prune">;
  readonly close: () => Promise<void>;
}

/** Starts an SV on a replica of its own. */
export function startSvNode(config: SvNodeConfig): Promise<SvNode> {
  const { system: host = systemHost } = config;
  const start = async () => {
    checkConfig(config);
    const running = await openRunningReplica(config, { metrics: metricsOf(config).sequencer, host });
    try {
      const { close, ...node } = await startOnReplica(config, running);
      running.start();
      return { ...node, close: () => close().finally(() => running.close()) };
    } catch (error) {
      await running.close();
      throw error;
    }
  };
  return startWholeReplica(replicaPath(config), { start, host });
}

/** Starts an SV on a replica. The caller starts the replica once all of its SVs listen, and closes it after them. */
export async function startOnReplica(config: SvNodeConfig, running: RunningReplica): Promise<SvNode> {
  const { identity, party, orderedLog, clock, log, publicUrls = {}, system: host = systemHost } = config;
  const { auth, operators = [], expectedSecrets = [] } = config.app ?? {};
  checkConfig(config);
  const published: { urls: PublicUrls | null } = { urls: null };
  const { core, follower, scrub, path, owner } = running;
  const { replica } = core;
  const stopping = new AbortController();
  const ended = AbortSignal.any([follower.ended, stopping.signal]);
  let goal = Number.POSITIVE_INFINITY;
  const standing = ownStanding({
    ...{ id: identity.id, party, replica, index: core.index, goal: () => goal },
    waitsFor: () => joining?.waitsFor() ?? null,
  });
  const failure = () => follower.failure() ?? standing.stranger();
  const trouble = () => follower.trouble() ?? asStopped(failure());
  const stamps = openStamps(config, replica, (signal) => peers.askTicks(signal));
  const clearing = config.logIsElsewhere && { clearTerm: (term: string) => peers.clearTerm(term) };
  const sequencer = new Sequencer({ log: orderedLog, hash: sha256, clock, stamps, trouble, ...clearing });
  const append = (envelope: Envelope) => sequencer.submit(envelope);
  const now = () => networkTime({ replica, clock });
  const reach = (sequence: number, signal: AbortSignal) => peers.reach(sequence, signal);
  const submitter = new SvSubmitter({ identity, party, replica, append, reach, now, host });
  const metrics = metricsOf(config);
  const automation = openAutomations(config, core, { submitter, host, published, metrics: metrics.sv });
  declareMetrics(metrics, core, { automation, log: orderedLog, now, clock: host.clock });
  const tick = () => submitter.tick();
  const snapshots = openSnapshots(config, core, { submitter, now, metrics: metrics.sequencer, host });
  const peers = openPeers(config, core, { halt: follower.halt, tick, metrics: metrics.sequencer, host });
  goal = await readGoal({ orderedLog, host, log });
  const catchUp = async () => replica.reach((await orderedLog.head()).sequence, ended);
  const parts = { party, replica, submitter, ended, now, catchUp, host, log };
  const { appIndex, index: scan, agenda } = core;
  const app: SvApp = { ...parts, index: appIndex, onboardings: appIndex.onboardingsOf(party), scan, agenda };
  const preparation = prepareSecrets(app, expectedSecrets, goal);
  const joining =
    config.joining && joinNetwork({ ...config, config: config.joining, app, submitter, host }, goal);
  const { servers, missing, closeFollowers } = await serveNode(config, {
    ...core,
    ...{ file: { path, owner }, sequencer, stamps, follower, goal, app, metrics },
    dispute: peers.dispute,
    standing: standing.problem,
    peerRoutes: { ...peers.routes, snapshot: snapshots.proven },
    missingForApp: preparation.missing,
    automations: {
      list: () => automation.status().automations,
      setPaused: (name, paused) => automation.setPaused(name, paused),
    },
    operators: { operators, stopping: ended, log, host, ...(auth === undefined ? {} : { auth }) },
  });
  published.urls = publicUrlsOf(publicUrls, { sequencer: servers[0].url, scan: servers[1].url }, log);
  const openTicker = () => createTicker({ replica, now, tick, host, log, standing, automation, follower });
  const keys = startKeys(identity, { replica, submitter, catchUp, ended, host, log });
  logStanding({ replica, standing, log });
  for (const each of [peers, snapshots]) each.start();
  const stopActing = startActing({ replica, follower, goal, automation, openTicker, log });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await stopActing();
    closeFollowers();
    await Promise.all(servers.map((server) => server.close()));
    await peers.close();
    await stamps.close();
    await sequencer.close();
    stopping.abort(new Error("the SV's node is closed"));
    await snapshots.close();
    await Promise.all([preparation.ended, joining?.ended, keys?.ended()]);
  };
  return {
    ...{ identity, replica, automation, now, missing, ended, submit: append, keys, scrub, snapshots },
    rebuilt: running.rebuilt,
    activation: openActivation(config, parts),
    streamEnd: (member) => core.streams.end(member).offset,
    idle: () => automation.idle(),
    sequencerUrl: servers[0].url,
    scanUrl: servers[1].url,
    appUrl: servers[2].url,
    moveClock: (microseconds) => submitter.moveClock(microseconds, ended).then(now),
    failure: () => failure() ?? follower.trouble(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Throws for a configuration that cannot be meant. */
function checkConfig({ app, party, joining, publicUrls = {} }: SvNodeConfig): void {
  checkExpectedSecrets(app?.expectedSecrets ?? [], party);
  if (joining !== undefined) checkJoining(joining);
  checkPublicUrls(publicUrls);
}

/** An SV whose replica stopped takes no more submissions: it would judge them by a state that does not follow the log. */
function asStopped(failure: Error | null): StoreUnwritable | null {
  return failure && new StoreUnwritable(failure.message, { cause: failure });
}

/** Only SVs tick. */
function createTicker(
  parts: Pick<ConstructorParameters<typeof Ticker>[0], "replica" | "now" | "tick" | "host"> & {
    readonly standing: OwnStanding;
    readonly automation: SvAutomations;
    readonly follower: Follower;
    readonly log: Log;
  },
): Ticker {
  const { standing, automation, follower, log } = parts;
  return new Ticker({
    ...{ ...parts, rank: standing.rank },
    nextDue: () => (standing.isSv() ? automation.nextDue() : null),
    onError: (error) => {
      log.warn({ error: String(error) }, "tick submission failed");
      follower.checkDamage(error);
    },
  });
}

function openStamps(
  { identity, clock, log, system: host = systemHost }: SvNodeConfig,
  replica: Replica,
  askTicks: StampClockParts["askTicks"],
): StampClock {
  return new StampClock({
    ...{ sv: identity.id, clock, replica, askTicks, host },
    signingKey: () => identity.signingKey,
    onError: (error) => log.warn({ error: String(error) }, "other SVs did not tick in time"),
  });
}

function startKeys(
  identity: MemberIdentity,
  parts: Omit<Parameters<typeof svKeyLedger>[0], "member"> & { readonly host: Host; readonly log: Log },
): KeyRotation | null {
  if (!(identity instanceof KeptIdentity)) return null;
  const { ended: stopping, host, log } = parts;
  const ledger = svKeyLedger({ ...parts, member: identity.id });
  const keys = new KeyRotation({ identity, ledger, host, log, stopping });
  keys.start();
  return keys;
}

/** The registry with the labels of each of its applications. */
export function metricsOf({ metrics, name }: Pick<SvNodeConfig, "metrics" | "name">) {
  const of = (type: string) => metrics?.labelled({ node_type: type, node_name: name });
  const sequencer = of("sequencer")?.labelled({ component: "sequencer", node: name });
  return { sv: of("sv"), scan: of("scan"), sequencer };
}

function declareMetrics(
  { sv, scan, sequencer }: ReturnType<typeof metricsOf>,
  { index, replica }: Core,
  given: Pick<Parameters<typeof declareReplicaMetrics>[0], "log" | "now" | "clock"> & {
    readonly automation: SvAutomations;
  },
): void {
  if (sv !== undefined) declareSvMetrics(sv, given.automation, index);
  if (scan !== undefined) declareScanMetrics({ metrics: scan, index, replica });
  if (sequencer !== undefined) declareReplicaMetrics({ ...given, metrics: sequencer, replica });
}

interface AutomationsParts {
  readonly submitter: SvSubmitter;
  readonly host: Host;
  readonly published: { readonly urls: PublicUrls | null };
  readonly metrics: Metrics | undefined;
}

/** Throws for a configuration that cannot be meant. */
function openAutomations(
  config: SvNodeConfig,
  { replica, agenda, appIndex }: Core,
  { submitter, host, published, metrics }: AutomationsParts,
): SvAutomations {
  const { identity, party, log, amuletPrice, pausedAutomations, rewardBeneficiaries } = config;
  return new SvAutomations({
    ...{ replica, agenda, submitter, party, hash: sha256, host, log, amuletPrice },
    metrics: metrics && new TriggerMetrics({ metrics, type: "taskbased" }),
    secrets: appIndex.onboardingsOf(party),
    member: { id: identity.id, namespaceKey: identity.namespaceKey.publicKey },
    approvedSvs: config.approvedSvs ?? [],
    paused: pausedAutomations ?? [],
    beneficiaries: rewardBeneficiaries ?? [],
    addresses: () => (published.urls === null ? null : { sequencerId: identity.id, ...published.urls }),
  });
}
