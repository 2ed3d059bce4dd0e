/**
 * An SV's node: a replica of the log with its sequencer, a scan and the SV's automations on top. All of them stand on
 * one database, which the replica writes in one transaction for each page of the log.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { svApi } from "@callsign/api";
import {
  addDuration,
  createEngine,
  createTransition,
  type EntryContent,
  type Envelope,
  networkCatalogue,
  type PartyId,
  type Time,
  type Verdict,
} from "@callsign/ledger";
import { openDatabase } from "../database/open-database.ts";
import { health as appHealth } from "../http/health.ts";
import { type HttpServer, startHttpServer } from "../http/http-server.ts";
import { mountApi, openToAll } from "../http/mount-api.ts";
import { sha256 } from "../identity/keys.ts";
import { type MemberIdentity, signEntry } from "../identity/member-identity.ts";
import type { SignatureChecks } from "../identity/signature-checks.ts";
import type { Log } from "../observability/log.ts";
import { Misbehaviour } from "../scan/misbehaviour.ts";
import { mountScan } from "../scan/mount-scan.ts";
import type { KnownScan } from "../scan/routes/network.ts";
import { ScanIndex } from "../scan/scan-index.ts";
import { MemberStreams } from "../synchronizer/member-streams.ts";
import { mountSequencer, networkTime } from "../synchronizer/mount-sequencer.ts";
import type { OrderedLog } from "../synchronizer/ordered-log.ts";
import { Replica } from "../synchronizer/replica.ts";
import { Sequencer } from "../synchronizer/sequencer.ts";
import { Ticker } from "../synchronizer/ticker.ts";
import { Agenda } from "./agenda/agenda.ts";
import { SvAutomation } from "./automation/sv-automation.ts";
import type { Automation } from "./automation/task.ts";

export interface SvNodeConfig {
  readonly dataFolder: string;
  readonly identity: MemberIdentity;
  /** What the network calls the SV, and the user of its operator. */
  readonly name: string;
  readonly user: string;
  /** The SV's own party. */
  readonly party: PartyId;
  readonly orderedLog: OrderedLog;
  /** Whether the log could lose entries that this machine has applied: then they are kept here for good. */
  readonly logIsElsewhere?: boolean;
  /** The machine's clock, which only the sequencer reads. */
  readonly clock: () => Time;
  readonly checks: SignatureChecks;
  readonly host: string;
  readonly ports: { readonly scan: number; readonly sequencer: number; readonly app: number };
  /** The network's scans, as this one lists them. */
  readonly scans: readonly KnownScan[];
  /** How many SVs come before this one where one of them is enough. */
  readonly rank: number;
  readonly log: Log;
  /** What this SV leaves to the others; nothing unless it says so. */
  readonly pausedAutomations?: readonly Automation[];
  /** Whether its scan can be told to misbehave: in the local network alone. */
  readonly mayMisbehave?: boolean;
}

export interface SvNode {
  readonly identity: MemberIdentity;
  readonly replica: Replica;
  readonly automation: SvAutomation;
  /** Null unless the configuration allows it. */
  readonly misbehaviour: Misbehaviour | null;
  readonly scanUrl: string;
  readonly sequencerUrl: string;
  readonly appUrl: string;
  readonly now: () => Time;
  /** Resolves with the entry's number once it is on disk. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  /** Moves the network's clock, and resolves once this replica stands there. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  /** Why the replica stopped; null while it runs. */
  readonly failure: () => Error | null;
  readonly close: () => Promise<void>;
}

/** How long an entry of the SV's own may take to be sequenced. */
const SUBMISSION_WINDOW = 60_000_000n;

export async function startSvNode(config: SvNodeConfig): Promise<SvNode> {
  const { identity, orderedLog, clock, log } = config;
  const core = openCore(config);
  const { database, replica, agenda } = core;
  const sequencer = new Sequencer({ log: orderedLog, hash: sha256, clock });
  const submit = (envelope: Envelope) => sequencer.submit(envelope);
  const automation = new SvAutomation({
    replica,
    agenda,
    identity,
    party: config.party,
    submit,
    hash: sha256,
    log,
    paused: config.pausedAutomations ?? [],
  });
  const now = () => networkTime({ replica, clock });
  const follower = follow(replica, identity, log);
  const submitOwn = (content: EntryContent) => submit(signEntry(content, [identity.signingKey]));
  const once = () => ({
    network: replica.state.network?.id ?? "",
    member: identity.id,
    submissionId: randomUUID(),
    maxRecordTime: addDuration(now(), SUBMISSION_WINDOW),
  });
  const misbehaviour = config.mayMisbehave === true ? new Misbehaviour(core.index) : null;
  const { sequence: goal } = await orderedLog.head();
  const served = { ...core, sequencer, misbehaviour, follower, goal };
  const { servers, closeFollowers } = await serve(config, served);
  const openTicker = () =>
    new Ticker({
      replica,
      nextDue: () => agenda.nextDue(),
      now,
      tick: () => submitOwn({ tag: "Tick", value: once() }),
      rank: config.rank,
      onError: (error) => log.warn({ error: String(error) }, "time could not be made to pass"),
    });
  const stopActing = act({ replica, follower, goal, automation, openTicker, log });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await stopActing();
    closeFollowers();
    await Promise.all(servers.map((server) => server.close()));
    await sequencer.close();
    await follower.stop();
    database.close();
  };
  return {
    identity,
    replica,
    automation,
    misbehaviour,
    sequencerUrl: servers[0].url,
    scanUrl: servers[1].url,
    appUrl: servers[2].url,
    now,
    submit,
    moveClock: async (microseconds) => {
      const value = { ...once(), forward: { microseconds } };
      const send = () => submitOwn({ tag: "MoveClock", value });
      const verdict = await verdictOn(send, replica, follower.ended);
      if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
      return now();
    },
    failure: follower.failure,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** What this replica makes of an entry. */
async function verdictOn(
  send: () => Promise<number>,
  replica: Replica,
  signal: AbortSignal,
): Promise<Verdict> {
  const verdicts = new Map<number, Verdict>();
  const stop = replica.onApplied((outcomes) => {
    for (const { head, verdict } of outcomes) verdicts.set(head.sequence, verdict);
  });
  try {
    const sequence = await send();
    await replica.reach(sequence, signal);
    const verdict = verdicts.get(sequence);
    if (verdict === undefined) throw new Error(`nothing was applied at ${sequence}`);
    return verdict;
  } finally {
    stop();
  }
}

interface Acting {
  readonly replica: Replica;
  readonly follower: Follower;
  readonly goal: number;
  readonly automation: SvAutomation;
  readonly openTicker: () => Ticker;
  readonly log: Log;
}

/**
 * The SV acts on what it sees once that is the present, and no longer than its replica follows the log. Returns how
 * to stop.
 */
function act({ replica, follower, goal, automation, openTicker, log }: Acting): () => Promise<void> {
  let ticker: Ticker | null = null;
  let stopping: Promise<unknown> | null = null;
  const stop = async () => {
    stopping ??= Promise.all([ticker?.close(), automation.stop()]);
    await stopping;
  };
  const report = (error: unknown) => log.error({ error: String(error) }, "the SV does not act");
  follower.ended.addEventListener("abort", () => void stop().catch(report), { once: true });
  const start = () => {
    if (stopping !== null) return;
    ticker = openTicker();
    automation.start();
  };
  // If the replica stopped before, it has said why.
  replica
    .reach(goal, follower.ended)
    .then(start, () => undefined)
    .catch(report);
  return stop;
}

type Core = ReturnType<typeof openCore>;

/** The replica and everything that writes in its transactions. */
function openCore(config: SvNodeConfig) {
  const { orderedLog, checks, log } = config;
  // Entries are on the log's disk before they are applied here, and would be applied again.
  const synced = config.logIsElsewhere === true;
  const database = openDatabase(join(config.dataFolder, "replica.db"), { exclusive: true, synced });
  const streams = new MemberStreams(database, sha256);
  const index = new ScanIndex(database);
  const agenda = new Agenda(database, sha256);
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const replica = new Replica({
    database,
    log: orderedLog,
    transition: createTransition({ engine, verify: checks.verify }),
    prepare: (entries) => checks.prepare(entries),
    hash: sha256,
    hooks: [streams, index, agenda],
    onListenerError: (error) => log.error({ error }, "news of the log was not taken in"),
  });
  return { database, streams, index, agenda, replica };
}

interface Follower {
  /** Aborted when the replica no longer follows, whether it failed or was told to stop. */
  readonly ended: AbortSignal;
  readonly failure: () => Error | null;
  readonly stop: () => Promise<void>;
}

/** Keeps the replica following the log; a failure is kept, so that health can say it. */
function follow(replica: Replica, { id }: MemberIdentity, log: Log): Follower {
  const aborting = new AbortController();
  const ended = new AbortController();
  let failure: Error | null = null;
  const running = replica
    .run(aborting.signal)
    .catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
      log.error({ error: failure.message }, "the replica stopped");
    })
    .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  return {
    ended: ended.signal,
    failure: () => failure ?? findStranger(replica, id),
    stop: async () => {
      aborting.abort();
      await running;
    },
  };
}

/** A node that lost its identity made itself another one, which the network does not know. */
function findStranger({ state }: Replica, id: string): Error | null {
  if (state.network === null || state.network.svs.includes(id)) return null;
  return new Error(
    `its identity ${id} is none of the network's SVs: restore identity.json in its data folder`,
  );
}

interface Served extends Core {
  readonly sequencer: Sequencer;
  readonly misbehaviour: Misbehaviour | null;
  readonly follower: Follower;
  /** What the log ended with at the start: until it is reached, answers would be of the past. */
  readonly goal: number;
}

async function serve(config: SvNodeConfig, parts: Served) {
  const { host, ports, log, clock, name } = config;
  const { replica, streams, index, sequencer, misbehaviour, follower, goal } = parts;
  const missing = () => {
    const failure = follower.failure();
    if (failure !== null) return failure.message;
    const { sequence } = replica.state.head;
    if (sequence < goal) return `it is catching up, and stands at entry ${sequence} of ${goal}`;
    return replica.state.network === null ? "the network is not founded yet" : null;
  };
  const health = (role: string, port: number) => ({ id: `${role} ${name}`, missing, port: () => port });
  const members = mountSequencer({
    sequencerId: config.identity.id,
    ...{ replica, streams, sequencer, hash: sha256, checks: config.checks, clock },
    health: health("sequencer", ports.sequencer),
  });
  const scan = mountScan({
    index,
    onApplied: (listener) => replica.onApplied(() => listener()),
    sv: { user: config.user, party: config.party },
    scans: config.scans,
    health: health("scan", ports.scan),
    ...(misbehaviour === null ? {} : { misbehaviour }),
  });
  const app = mountApi(svApi, { ...openToAll, handlers: appHealth(health("sv", ports.app)) });
  const servers: HttpServer[] = [];
  try {
    for (const [mount, port] of [
      [members.mount, ports.sequencer],
      [scan, ports.scan],
      [app, ports.app],
    ] as const) {
      servers.push(await startHttpServer({ host, port, mounts: [mount], log }));
    }
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
  return { servers: servers as [HttpServer, HttpServer, HttpServer], closeFollowers: members.close };
}
