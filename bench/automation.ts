/**
 * The SVs' work after 10,000 renewals were paid at once: four of them, in one process, each with its sequencer, replica,
 * scan and automations, collect every payment. Measured are the time until no SV has anything left to do, and which
 * part of their submissions came too late because another SV was faster. The floor is what the same log costs the
 * same four replicas when nobody decides anything: they apply its entries as fast as they can.
 *
 * And what the same SVs use of the processor when nothing happens, with 100,000 live names.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, SignatureChecks, silentLog, systemHost } from "@callsign/node";
import { SV_AUTOMATION_NAMES, type SvNode, settleAutomations, startSvNode, svPartyOf } from "@callsign/sv";
import { keptContractId, type LogHead, SqliteLog } from "@callsign/synchronizer";
import { SubscriptionPayment } from "../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { FIRST_PREVIOUS_HASH } from "../packages/ledger/src/transition/log-entry.ts";
import { timeFromMicros } from "../packages/ledger/src/values/time.ts";
import { type DueRenewals, makeDueRenewals } from "./automation-load/due-renewals.ts";
import { cutIntoBatches } from "./ledger-log/cut-into-batches.ts";
import { report } from "./measure.ts";

const RENEWALS = 10_000;
const LIVE_NAMES = 100_000;
const IDLE_SECONDS = 20;
/** Until the runtime has tidied up after the start. */
const CALM_SECONDS = 5;
const MAX_SECONDS = 600;
const START: LogHead = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };

interface Svs {
  readonly log: SqliteLog;
  readonly nodes: readonly SvNode[];
  readonly close: () => Promise<void>;
}

async function openSvs(folder: string, { svs }: DueRenewals, paused: boolean): Promise<Svs> {
  const log = new SqliteLog(join(folder, "log.db"), systemHost);
  const checks = new SignatureChecks();
  const nodes: SvNode[] = [];
  for (const [rank, identity] of svs.entries()) {
    const dataFolder = join(folder, identity.nodeIdentifier);
    mkdirSync(dataFolder, { recursive: true });
    nodes.push(
      await startSvNode({
        ...{ dataFolder, identity, rank, checks, orderedLog: log, log: silentLog },
        ...{ name: identity.nodeIdentifier, user: "sv", party: svPartyOf({ identity }) },
        clock: () => timeFromMicros(BigInt(Date.now()) * 1000n),
        host: "127.0.0.1",
        ports: { scan: 0, sequencer: 0, app: 0 },
        pausedAutomations: paused ? SV_AUTOMATION_NAMES : [],
      }),
    );
  }
  const close = async () => {
    for (const node of nodes) await node.close();
    await log.close();
  };
  return { log, nodes, close };
}

async function reachEnd({ log, nodes }: Svs): Promise<void> {
  const { sequence } = await log.head();
  await Promise.all(nodes.map(({ replica }) => replica.reach(sequence, patience())));
}

function settle({ log, nodes }: Svs): Promise<void> {
  return settleAutomations(
    nodes.map(({ automation }) => automation),
    { logHead: log.head, timers: systemHost.timers, signal: patience() },
  );
}

function patience(): AbortSignal {
  return AbortSignal.timeout(MAX_SECONDS * 1000);
}

/** The log in a folder of its own, applied by one replica whose database the others get as well. */
async function prepare(folder: string, renewals: DueRenewals): Promise<void> {
  const [first, ...others] = renewals.svs.map(({ nodeIdentifier }) => join(folder, nodeIdentifier));
  const alone = await openSvs(folder, { ...renewals, svs: renewals.svs.slice(0, 1) }, true);
  for (const batch of cutIntoBatches(renewals.log, START)) await alone.log.append(batch);
  await reachEnd(alone);
  await alone.close();
  for (const other of others) {
    mkdirSync(other);
    copyFileSync(join(first ?? "", "replica.db"), join(other, "replica.db"));
  }
}

function copySvs(from: string, to: string, { svs }: DueRenewals): void {
  mkdirSync(to);
  copyFileSync(join(from, "log.db"), join(to, "log.db"));
  for (const { nodeIdentifier } of svs) {
    mkdirSync(join(to, nodeIdentifier));
    copyFileSync(join(from, nodeIdentifier, "replica.db"), join(to, nodeIdentifier, "replica.db"));
  }
}

interface Collected {
  readonly seconds: number;
  readonly lostShare: number;
  /** Entries of the log since it was created. */
  readonly entries: readonly string[];
}

async function collect(folder: string, renewals: DueRenewals): Promise<Collected> {
  const svs = await openSvs(folder, renewals, false);
  try {
    await settle(svs);
    const [first] = svs.nodes as [SvNode];
    const counts = countOutcomes(first, renewals);
    const payments = renewals.payments(first.now());
    const start = performance.now();
    await Promise.all(payments.map((payment, i) => svs.nodes[i % svs.nodes.length]?.submit(payment)));
    await settle(svs);
    const seconds = (performance.now() - start) / 1000;
    const { collected, accepted, lost } = counts;
    if (collected !== RENEWALS)
      throw new Error(`${collected} payments were collected instead of ${RENEWALS}`);
    const entries = await readLog(svs.log, renewals.log.length);
    return { seconds, lostShare: lost / (accepted + lost), entries };
  } finally {
    await svs.close();
  }
}

/** Outcomes of the SVs' submissions, read from the log. */
function countOutcomes({ replica }: SvNode, { svs }: DueRenewals) {
  const counts = { collected: 0, accepted: 0, lost: 0 };
  const members = new Set<string>(svs.map(({ id }) => id));
  replica.onApplied((outcomes) => {
    for (const { completion, verdict, archived } of outcomes) {
      if (completion === null || !members.has(completion.member)) continue;
      if (verdict.kind === "accepted") counts.accepted++;
      else counts.lost++;
      counts.collected += archived.filter(({ templateId }) => templateId === SubscriptionPayment.id).length;
    }
  });
  return counts;
}

async function readLog(log: SqliteLog, after: number): Promise<readonly string[]> {
  const { sequence } = await log.head();
  const entries: string[] = [];
  if (after >= sequence) return entries;
  for await (const page of log.follow(after, patience())) {
    entries.push(...page.entries);
    if (after + entries.length >= sequence) break;
  }
  return entries;
}

/** Seconds in which four replicas apply the entries. */
async function apply(folder: string, renewals: DueRenewals, entries: readonly string[]): Promise<number> {
  const svs = await openSvs(folder, renewals, true);
  try {
    await reachEnd(svs);
    const start = performance.now();
    for (const batch of cutIntoBatches(entries, await svs.log.head())) await svs.log.append(batch);
    await reachEnd(svs);
    return (performance.now() - start) / 1000;
  } finally {
    await svs.close();
  }
}

/** More names in the SVs' agenda, none of them due: their contracts are never looked at. */
function addNames(folder: string, { svs }: DueRenewals): void {
  for (const { nodeIdentifier } of svs) {
    const database = openDatabase(join(folder, nodeIdentifier, "replica.db"));
    database.exec(`
      with recursive number (n) as (values (1) union all select n + 1 from number where n < ${LIVE_NAMES / RENEWALS - 1})
      insert into sv_agenda_row (created, contract_key, contract_id, kind, created_at, name_key, due, pending)
      select -created - n * 1000000000, -contract_key - n, ${keptContractId()} || n, kind, created_at, name_key, due, 0
      from sv_agenda_row, number where due > (select record_time from head)`);
    database.close();
  }
}

/** The part of one processor that SVs use when nothing happens. */
async function rest(folder: string, renewals: DueRenewals): Promise<number> {
  const svs = await openSvs(folder, renewals, false);
  try {
    await settle(svs);
    await sleep(CALM_SECONDS * 1000);
    const cpu = process.cpuUsage();
    const start = performance.now();
    await sleep(IDLE_SECONDS * 1000);
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1000 / (performance.now() - start);
  } finally {
    await svs.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "callsign-automation-"));
try {
  const renewals = makeDueRenewals(RENEWALS);
  const work = join(folder, "work");
  mkdirSync(work);
  await prepare(work, renewals);
  const bare = join(folder, "bare");
  copySvs(work, bare, renewals);
  const collected = await collect(work, renewals);
  const floor = await apply(bare, renewals, collected.entries);
  addNames(work, renewals);
  const idle = await rest(work, renewals);
  report(
    "automation",
    [
      { what: `${RENEWALS} renewals, until all are collected`, value: collected.seconds, unit: "s", floor },
      { what: "renewals a second", value: RENEWALS / collected.seconds, unit: "a second" },
      { what: "lost races", value: 100 * collected.lostShare, unit: "%" },
      {
        what: `processor of four SVs at rest, ${LIVE_NAMES} names`,
        value: 100 * idle,
        unit: "% of one",
        target: "≤ 1",
        met: idle <= 0.01,
      },
    ],
    [
      `Four SVs in one process, on disk. ${RENEWALS} names are registered by a log made beforehand; then one payment for each is\n` +
        "submitted at once, and the SVs collect them. The floor: four replicas apply the same entries, and nobody decides.\n" +
        `At rest for ${IDLE_SECONDS} s; nine tenths of those names are rows of the agendas alone, made in bulk.`,
    ],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
