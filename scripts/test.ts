// `npm test`: types, lint and format, then every test. `npm test -- <filter>`: matching tests alone.
// `npm run lint`: types, lint and format alone. `npm run test:long`: the long tests alone, from a fresh seed.
// `npm run test:soak`: networks under a thousand faults, whose summary goes into docs/faults.md, and two thousand damages to files.
// The last line reads `N passed, N failed, N skipped`. It counts tests; a failed type check or lint is one failure more.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseCLI, startVitest } from "vitest/node";
import { type Count, countTests, describeRun } from "./test-report.ts";

interface StaticCheck {
  readonly name: string;
  readonly command: readonly string[];
  readonly remedy: string;
}

const modules = join(import.meta.dirname, "..", "node_modules");

const tsc: readonly string[] = [join(modules, "typescript/bin/tsc"), "--pretty"];
const biome: readonly string[] = [join(modules, "@biomejs/biome/bin/biome"), "check", "--error-on-warnings"];

const staticChecks: readonly StaticCheck[] = [
  { name: "types", command: tsc, remedy: "npx tsc" },
  { name: "types, pure", command: [...tsc, "-p", "packages/ledger"], remedy: "npx tsc -p packages/ledger" },
  { name: "types, web", command: [...tsc, "-p", "packages/web"], remedy: "npx tsc -p packages/web" },
  { name: "lint, format", command: biome, remedy: "npm run format" },
];

/** Answers whether the check passed; prints its output only if it did not. */
async function runStaticCheck({ name, command, remedy }: StaticCheck): Promise<boolean> {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  const passed = code === 0;
  console.log(passed ? `ok      ${name}` : `${out}${err}FAILED  ${name}. Try: ${remedy}`);
  return passed;
}

async function runStaticChecks(): Promise<Count> {
  const results = await Promise.all(staticChecks.map(runStaticCheck));
  return { passed: 0, failed: results.filter((ok) => !ok).length, skipped: 0 };
}

type VitestArguments = ReturnType<typeof parseCLI>;

async function runTests(
  { filter, options }: VitestArguments,
  replay: (file: string) => string | undefined,
): Promise<Count> {
  const vitest = await startVitest(filter, { ...options, watch: false });
  const count = countTests(vitest);
  console.log(describeRun(vitest, replay).join("\n"));
  await vitest.close();
  // No test matched the arguments, or vitest found a reason of its own.
  const otherwiseFailed = count.failed === 0 && process.exitCode !== undefined && process.exitCode !== 0;
  return otherwiseFailed ? { ...count, failed: 1 } : count;
}

async function runShort(vitestArguments: VitestArguments): Promise<Count> {
  const { filter, options } = vitestArguments;
  if (filter.length > 0 || options.testNamePattern !== undefined) {
    console.log("Types, lint and format are not checked when tests are picked. To check them: npm run lint");
    return runTests(vitestArguments, () => undefined);
  }
  const before = await runStaticChecks();
  const count = await runTests(vitestArguments, () => undefined);
  return { ...count, failed: count.failed + before.failed };
}

function runLong(vitestArguments: VitestArguments): Promise<Count> {
  process.env["CALLSIGN_LONG"] = "1";
  const seed = process.env["CALLSIGN_SEED"] ?? `${randomInt(2 ** 31)}`;
  process.env["CALLSIGN_SEED"] = seed;
  return runTests(vitestArguments, (file) => `CALLSIGN_SEED=${seed} npm run test:long -- ${file}`);
}

const SOAK = ["tests/faults", "tests/damage"];
const SOAK_FAULTS = 1000;
const SOAK_DAMAGES = 2000;
const SOAK_SUMMARY = "docs/faults.md";

function run([first = "", ...others]: readonly string[]): Promise<Count> {
  const parse = (...words: readonly string[]) => parseCLI(["vitest", "run", ...words]);
  switch (first) {
    case "--static":
      return runStaticChecks();
    case "--soak":
      process.env["CALLSIGN_FAULTS"] ??= `${SOAK_FAULTS}`;
      process.env["CALLSIGN_FAULT_SUMMARY"] ??= SOAK_SUMMARY;
      process.env["CALLSIGN_DAMAGES"] ??= `${SOAK_DAMAGES}`;
      return runLong(parse(...SOAK, ...others));
    case "--long":
      return runLong(parse(...others));
    default:
      return runShort(first === "" ? parse() : parse(first, ...others));
  }
}

const { passed, failed, skipped } = await run(process.argv.slice(2));
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
