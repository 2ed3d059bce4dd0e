// `npm test [-- <vitest arguments>]`: types, lint and format, then every test in one vitest run.
// `npm run test:long`: the long tests alone.
// The last line reads `N passed, N failed`. It counts tests; a failed type check or lint is one failure more.

import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseCLI, startVitest } from "vitest/node";
import { longTests } from "../vitest.config.ts";

interface Count {
  readonly passed: number;
  readonly failed: number;
}

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

async function runTests(vitestArguments: readonly string[]): Promise<Count> {
  const { filter, options } = parseCLI(["vitest", "run", ...vitestArguments]);
  const vitest = await startVitest(filter, { ...options, watch: false });
  const files = vitest.state.getTestModules();
  // A file that cannot be loaded, or a hook that throws, is a failure without a failed test.
  const brokenSuites = files
    .flatMap((file) => [file, ...file.children.allSuites()])
    .filter((suite) => suite.errors().length > 0);
  const count = {
    passed: files.flatMap((file) => [...file.children.allTests("passed")]).length,
    failed:
      files.flatMap((file) => [...file.children.allTests("failed")]).length +
      brokenSuites.length +
      vitest.state.getUnhandledErrors().length,
  };
  await vitest.close();
  // No test matched the arguments, or vitest found a reason of its own.
  const otherwiseFailed = count.failed === 0 && process.exitCode !== undefined && process.exitCode !== 0;
  return otherwiseFailed ? { ...count, failed: 1 } : count;
}

async function runAll(vitestArguments: readonly string[]): Promise<Count> {
  const results = await Promise.all(staticChecks.map(runStaticCheck));
  const { passed, failed } = await runTests(vitestArguments);
  return { passed, failed: failed + results.filter((ok) => !ok).length };
}

async function runLong(vitestArguments: readonly string[]): Promise<Count> {
  if (globSync(longTests).length === 0) {
    console.log("There are no long tests yet.");
    return { passed: 0, failed: 0 };
  }
  process.env["CALLSIGN_LONG"] = "1";
  return runTests(vitestArguments);
}

const args = process.argv.slice(2);
const { passed, failed } = args[0] === "--long" ? await runLong(args.slice(1)) : await runAll(args);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed`);
