/**
 * An SV's node: a replica of the log with its sequencer, a scan, the SV's automations and its app on top. All of them
 * stand on one database, which the replica writes in one transaction for each page of the log.
 */
import type { Envelope, Time } from "@callsign/ledger";
import { type Log, type MemberIdentity, sha256 } from "@callsign/node";
import { declareReplicaMetrics, networkTime, type Replica, Sequencer, Ticker } from "@callsign/synchronizer";
import { checkExpectedSecrets, expectOnboardings } from "./app/expected-onboardings.ts";
import { EXPIRE_ONBOARDINGS, OnboardingExpiry } from "./app/expire-onboardings.ts";
import type { SvApp } from "./app/sv-app.ts";
import { SvAutomation } from "./automation/sv-automation.ts";
import { declareSvMetrics } from "./automation/sv-metrics.ts";
import { type Follower, followLog } from "./follow-log.ts";
import { type Core, openCore } from "./open-core.ts";
import { OwnEntries } from "./own-entries.ts";
import { serveNode } from "./serve-node.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

export interface SvNode {
  readonly identity: MemberIdentity;
  readonly replica: Replica;
  readonly automation: SvAutomation;
  readonly scanUrl: string;
  readonly sequencerUrl: string;
  readonly appUrl: string;
  readonly now: () => Time;
  /** Resolves when nothing of what it does by itself is due or on its way; other SVs may still give it work. */
  readonly idle: () => Promise<void>;
  /** Resolves with the entry's number once it is on disk. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  /** Moves the network's clock, and resolves once this replica stands there. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  /** Why the replica stopped; null while it runs. */
  readonly failure: () => Error | null;
  readonly close: () => Promise<void>;
}

export async function startSvNode(config: SvNodeConfig): Promise<SvNode> {
  const { identity, party, orderedLog, clock, log } = config;
  const { auth, operators = [], expectedSecrets = [] } = config.app ?? {};
  checkExpectedSecrets(expectedSecrets, party);
  const core = openCore(config);
  const { database, replica, agenda, appIndex } = core;
  const sequencer = new Sequencer({ log: orderedLog, hash: sha256, clock });
  const submit = (envelope: Envelope) => sequencer.submit(envelope);
  const automation = openAutomation(config, core, submit);
  if (config.metrics !== undefined) {
    declareReplicaMetrics(config.metrics, replica);
    declareSvMetrics(config.metrics, automation);
  }
  const now = () => networkTime({ replica, clock });
  const follower = followLog(replica, identity, log);
  const { ended } = follower;
  const entries = new OwnEntries({ identity, party, replica, submit, now, ended });
  const { sequence: goal } = await orderedLog.head();
  const catchUp = async () => replica.reach((await orderedLog.head()).sequence, ended);
  const app: SvApp = { party, replica, index: appIndex, scan: core.index, entries, now, catchUp, log };
  const expiry = new OnboardingExpiry(app, config.pausedAutomations?.includes(EXPIRE_ONBOARDINGS) ?? false);
  let isPrepared = expectedSecrets.length === 0;
  const missingForApp = () => (isPrepared ? null : "expected onboarding secrets are being prepared");
  const { servers, closeFollowers } = await serveNode(config, {
    ...core,
    ...{ sequencer, follower, goal, app, missingForApp },
    automations: () => [...automation.status().automations, expiry.status()],
    operators: { operators, stopping: ended, log, ...(auth === undefined ? {} : { auth }) },
  });
  const openTicker = () =>
    new Ticker({
      replica,
      nextDue: () => earlier(agenda.nextDue(), expiry.nextDue()),
      now,
      tick: () => entries.tick(),
      rank: config.rank,
      onError: (error) => log.warn({ error: String(error) }, "time could not be made to pass"),
    });
  const stopActing = act({ replica, follower, goal, automation, expiry, openTicker, log });
  const preparing = prepare({ app, follower, goal, expectedSecrets }, () => {
    isPrepared = true;
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await stopActing();
    closeFollowers();
    await Promise.all(servers.map((server) => server.close()));
    await sequencer.close();
    await follower.stop();
    await preparing;
    database.close();
  };
  return {
    ...{ identity, replica, automation, now, submit },
    idle: async () => {
      await Promise.all([automation.idle(), expiry.idle()]);
    },
    sequencerUrl: servers[0].url,
    scanUrl: servers[1].url,
    appUrl: servers[2].url,
    moveClock: async (microseconds) => {
      await entries.moveClock(microseconds);
      return now();
    },
    failure: follower.failure,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** A configuration that cannot be right is refused, and nothing is left open. */
function openAutomation(
  config: SvNodeConfig,
  { database, replica, agenda }: Core,
  submit: (envelope: Envelope) => Promise<number>,
): SvAutomation {
  const { identity, party, log, amuletPrice, pausedAutomations = [], rewardBeneficiaries = [] } = config;
  try {
    return new SvAutomation({
      ...{ replica, agenda, identity, party, submit, hash: sha256, log },
      paused: pausedAutomations.filter((each) => each !== EXPIRE_ONBOARDINGS),
      beneficiaries: rewardBeneficiaries,
      ...(amuletPrice === undefined ? {} : { amuletPrice }),
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function earlier(a: Time | null, b: Time | null): Time | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

interface Preparing {
  readonly app: SvApp;
  readonly follower: Follower;
  readonly goal: number;
  readonly expectedSecrets: readonly string[];
}

/** Once the network is there and its present is seen, what validators are expected to bring is put on the ledger. */
async function prepare({ app, follower, goal, expectedSecrets }: Preparing, done: () => void): Promise<void> {
  const { ended } = follower;
  try {
    // The first entry is the founding.
    await app.replica.reach(Math.max(goal, 1), ended);
    await expectOnboardings(app, expectedSecrets, ended);
    if (!ended.aborted) done();
  } catch (error) {
    if (!ended.aborted) app.log.error({ error: String(error) }, "expected secrets were not prepared");
  }
}

interface Acting {
  readonly replica: Replica;
  readonly follower: Follower;
  readonly goal: number;
  readonly automation: SvAutomation;
  readonly expiry: OnboardingExpiry;
  readonly openTicker: () => Ticker;
  readonly log: Log;
}

/**
 * The SV acts on what it sees once that is the present, and no longer than its replica follows the log. Returns how
 * to stop.
 */
function act({ replica, follower, goal, automation, expiry, openTicker, log }: Acting): () => Promise<void> {
  let ticker: Ticker | null = null;
  let stopping: Promise<unknown> | null = null;
  const stop = async () => {
    stopping ??= Promise.all([ticker?.close(), automation.stop(), expiry.stop()]);
    await stopping;
  };
  const report = (error: unknown) => log.error({ error: String(error) }, "the SV does not act");
  follower.ended.addEventListener("abort", () => void stop().catch(report), { once: true });
  const start = () => {
    if (stopping !== null) return;
    ticker = openTicker();
    automation.start();
    expiry.start();
  };
  // If the replica stopped before, it has said why.
  replica
    .reach(goal, follower.ended)
    .then(start, () => undefined)
    .catch(report);
  return stop;
}
