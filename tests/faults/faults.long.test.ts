/**
 * Both engines of shared logs under load and faults. Each run draws a fresh seed and prints it. They take minutes, and run when
 * `npm run test:soak` or a number of faults asks for them.
 */
import { randomInt } from "node:crypto";
import { expect, type TestContext, test } from "vitest";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { needPackage } from "../support/postgres.ts";
import type { StartEngine } from "./fault-network.ts";
import { addSummaries, describeSummary, type FaultSummary, recordSummary } from "./fault-summary.ts";
import { startNatsEngine } from "./nats-engine.ts";
import { startPostgresEngine } from "./postgres-engine.ts";
import { type FaultFindings, type FaultRun, runFaults } from "./run-faults.ts";

/** Half of them on each engine. */
const FAULTS = Number(process.env["CALLSIGN_FAULTS"] ?? 0);
const SEED = Number(process.env["CALLSIGN_FAULT_SEED"] ?? randomInt(2 ** 31));
/** The document that gets the summary; none if omitted. */
const SUMMARY = process.env["CALLSIGN_FAULT_SUMMARY"];
/** More faults happen to several networks, one after the other. */
const MOST_FAULTS = 100;
const MOST_MILLISECONDS_A_FAULT = 60_000;

async function checkEngine(name: string, startEngine: StartEngine, context: TestContext): Promise<void> {
  if (FAULTS === 0) return context.skip("no faults are asked for: npm run test:soak");
  await needPackage("strace", context);
  const summaries: FaultSummary[] = [];
  for (let left = Math.ceil(FAULTS / 2); left > 0; left -= MOST_FAULTS) {
    const faults = Math.min(left, MOST_FAULTS);
    const seed = SEED + summaries.length;
    console.log(
      `CALLSIGN_FAULT_SEED=${seed} CALLSIGN_FAULTS=${2 * faults} npm run test:long -- tests/faults -t ${name}`,
    );
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const { summary, problems } = await runAndClose({ startEngine, faults, seed, say });
    console.log(describeSummary(summary));
    expect(problems, said.join("\n")).toEqual([]);
    summaries.push(summary);
    if (SUMMARY !== undefined) recordSummary(SUMMARY, addSummaries(summaries));
  }
}

async function runAndClose(run: FaultRun): Promise<FaultFindings> {
  const closing: Parameters<AtEnd>[0][] = [];
  try {
    return await runFaults(run, (close) => closing.push(close));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

const timeout = MOST_MILLISECONDS_A_FAULT * Math.max(FAULTS, 10);

test("nothing acknowledged is lost or doubled on NATS under faults", { timeout }, (context) =>
  checkEngine("NATS", startNatsEngine, context),
);

test("nothing acknowledged is lost or doubled on PostgreSQL under faults", { timeout }, async (context) => {
  if (FAULTS > 0) await needPackage("pgbouncer", context);
  await checkEngine("PostgreSQL", startPostgresEngine, context);
});
