/** The counts of a run under faults. */
import { readFileSync, writeFileSync } from "node:fs";
import type { LedgerLoad } from "./ledger-load.ts";
import type { NameBuyers } from "./name-buyers.ts";
import type { PlannedFault } from "./planned-fault.ts";
import type { SubmissionRecord } from "./submission-record.ts";

export interface FaultSummary {
  readonly engine: string;
  /** Of the first network. */
  readonly seed: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly offered: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** Their numbers by the code of the answer. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly names: number;
  readonly entries: number;
  /** Processes of the network that ended by themselves, and were started again. */
  readonly ownEnds: number;
  /** The longest time without an acknowledgement. */
  readonly longestStallSeconds: number;
}

interface Counted {
  readonly engine: string;
  readonly seed: number;
  readonly plan: readonly PlannedFault[];
  readonly seconds: number;
  readonly load: LedgerLoad;
  readonly buyers: NameBuyers;
  readonly entries: number;
  readonly ownEnds: number;
}

export function summarize(counted: Counted): FaultSummary {
  const { engine, seed, plan, seconds, load, buyers, entries, ownEnds } = counted;
  const kinds = [...new Set(plan.map(({ kind }) => kind))].sort();
  const count = (state: string) => load.records.filter((record) => record.state === state).length;
  return {
    ...{ engine, seed, seconds: Math.round(seconds), entries, ownEnds },
    faults: Object.fromEntries(kinds.map((kind) => [kind, plan.filter((each) => each.kind === kind).length])),
    ...{ offered: load.offered, sent: load.records.length, names: buyers.paid.size },
    ...{ acknowledged: count("acknowledged"), refused: count("refused") },
    refusals: countRefusals(load.records),
    longestStallSeconds: Math.round(longestGap(load.records) / 1000),
  };
}

function countRefusals(records: readonly SubmissionRecord[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { state, errorCode } of records) {
    if (state !== "refused") continue;
    const code = errorCode ?? "no code";
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function longestGap(records: readonly SubmissionRecord[]): number {
  const times = records.flatMap(({ acknowledgedAt }) => acknowledgedAt ?? []).sort((a, b) => a - b);
  return times.slice(1).reduce((longest, time, i) => Math.max(longest, time - (times[i] ?? time)), 0);
}

/** The counts of several networks. */
export function addSummaries(summaries: readonly FaultSummary[]): FaultSummary {
  return summaries.reduce((sum, next) => ({
    ...{ engine: sum.engine, seed: sum.seed },
    faults: addCounts(sum.faults, next.faults),
    refusals: addCounts(sum.refusals, next.refusals),
    ...addCounts(numbersOf(sum), numbersOf(next)),
    longestStallSeconds: Math.max(sum.longestStallSeconds, next.longestStallSeconds),
  }));
}

function numbersOf(summary: FaultSummary) {
  const { seconds, offered, sent, acknowledged, refused, names, entries, ownEnds } = summary;
  return { seconds, offered, sent, acknowledged, refused, names, entries, ownEnds };
}

function addCounts<K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>) {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort() as K[];
  return Object.fromEntries(keys.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)])) as Record<K, number>;
}

export function describeSummary(summary: FaultSummary): string {
  const { engine, seed, faults, seconds, names, entries, longestStallSeconds } = summary;
  const { offered, sent, acknowledged, refused } = summary;
  return (
    `${engine}, seed ${seed}: ${describeCounts(faults)} in ${seconds} s; ` +
    `${offered} submissions offered, ${sent} sent, ${acknowledged} acknowledged, ${refused} refused${refused > 0 ? ` (${describeCounts(summary.refusals)})` : ""}; ` +
    `${names} names; ${entries} entries; ${summary.ownEnds} processes ended by themselves; longest time without an acknowledgement ${longestStallSeconds} s`
  );
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
}

/** Replaces the engine's row in the document's table. */
export function recordSummary(path: string, summary: FaultSummary): void {
  const { engine, seed, faults, seconds, longestStallSeconds } = summary;
  const count = Object.values(faults).reduce((sum, each) => sum + each, 0);
  const counts = [summary.offered, summary.acknowledged, summary.refused, summary.names, summary.entries];
  const numbers = counts.map((each) => each.toLocaleString("en-US"));
  const date = new Date().toISOString().slice(0, 10);
  const minutes = Math.round(seconds / 60);
  const cells = [engine, date, seed, count, describeCounts(faults), minutes, ...numbers, longestStallSeconds];
  const text = readFileSync(path, "utf8");
  const row = new RegExp(`^\\| ${engine} \\|.*$`, "m");
  if (!row.test(text)) throw new Error(`${path} has no row of a table for ${engine}`);
  writeFileSync(path, text.replace(row, `| ${cells.join(" | ")} |`));
}
