/** An engine of shared logs under load and faults. Each run draws a fresh seed and prints the line that repeats it. */
import { randomInt } from "node:crypto";
import { expect, type TestContext } from "vitest";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { needPackage } from "../support/postgres.ts";
import type { StartEngine } from "./fault-network.ts";
import { addSummaries, describeSummary, type FaultSummary, recordSummary } from "./fault-summary.ts";
import { type FaultFindings, type FaultRun, runFaults } from "./run-faults.ts";

/** Half of them on each engine. */
const FAULTS = Number(process.env["CALLSIGN_FAULTS"] ?? 60);
const SEED = Number(process.env["CALLSIGN_FAULT_SEED"] ?? randomInt(2 ** 31));
/** The document that gets the summary; none if omitted. */
const SUMMARY = process.env["CALLSIGN_FAULT_SUMMARY"];
/** More faults happen to several networks, one after the other. */
const MOST_FAULTS = 100;
const MOST_MILLISECONDS_A_FAULT = 60_000;
export const FAULTS_TIMEOUT = MOST_MILLISECONDS_A_FAULT * Math.max(FAULTS, 10);

export interface CheckedEngine {
  readonly name: string;
  readonly start: StartEngine;
  /** Debian packages of programs that it needs. */
  readonly packages: readonly string[];
}

export async function checkEngine(engine: CheckedEngine, context: TestContext): Promise<void> {
  for (const name of ["strace", ...engine.packages]) await needPackage(name, context);
  const summaries: FaultSummary[] = [];
  for (let left = Math.ceil(FAULTS / 2); left > 0; left -= MOST_FAULTS) {
    const faults = Math.min(left, MOST_FAULTS);
    const seed = SEED + summaries.length;
    const repeating = `CALLSIGN_FAULT_SEED=${seed} CALLSIGN_FAULTS=${2 * faults} npm run test:long -- tests/faults -t ${engine.name}`;
    console.log(repeating);
    const said: string[] = [repeating];
    const say = (line: string) => void said.push(line);
    const { summary, problems } = await runAndClose({ startEngine: engine.start, faults, seed, say });
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
