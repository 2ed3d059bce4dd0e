// The end of a run, as scripts/test.ts prints it: time by folder, reasons of skips, counts.

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
/** Inside the repository, where its modules are found; git ignores it. */
const folder = join(root, ".cache", "test-runner");

const SAMPLE = `
  import { expect, test } from "vitest";
  import { skipWithout } from "${join(root, "tests/support/needs.ts")}";
  const missing = { name: "Chromium", isPresent: () => false, install: "apt install chromium" };
  const present = { name: "Node", isPresent: () => true, install: "apt install nodejs" };
  test("passes", (context) => skipWithout(present, context));
  test("needs a browser", (context) => skipWithout(missing, context));
  test("fails", () => expect(1).toBe(2));
`;

/** The lines that the runner prints about a folder with one sample file and one file that cannot be loaded. */
function runSample(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): readonly string[] {
  const { CI: _, ...env } = process.env;
  mkdirSync(join(folder, "tests/some-role"), { recursive: true });
  writeFileSync(join(folder, "tests/some-role/a.test.ts"), SAMPLE);
  writeFileSync(join(folder, "tests/some-role/b.test.ts"), 'import "./missing.ts";');
  const command = [join(root, "scripts/test.ts"), ...args, "--root", folder];
  const run = spawnSync(process.execPath, command, {
    env: { ...env, NO_COLOR: "1", ...environment },
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(run.status, run.stderr).toBe(1);
  return run.stdout.trim().split("\n");
}

test("the runner counts what passed, failed and was skipped, with reasons and time by folder", () => {
  const lines = runSample({}, "some-role");
  expect(lines[0]).toBe(
    "Types, lint and format are not checked when tests are picked. To check them: npm run lint",
  );
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^ +[\d.]+ s {2}tests\/some-role$/),
    "skipped  tests/some-role/a.test.ts > needs a browser: Chromium is missing. Try: apt install chromium",
    "1 passed, 2 failed, 1 skipped",
  ]);
});

test("under CI=true a test whose program is missing fails", () => {
  expect(runSample({ CI: "true" }, "some-role").at(-1)).toBe("1 passed, 3 failed, 0 skipped");
});

test("tests that -t leaves out are not counted as skipped", () => {
  expect(runSample({}, "a.test", "-t", "fails").at(-1)).toBe("0 passed, 1 failed, 0 skipped");
});

test("a failed long test prints the line that replays it", () => {
  const replay = "replay   CALLSIGN_SEED=7 npm run test:long -- tests/some-role/a.test.ts";
  expect(runSample({ CALLSIGN_SEED: "7" }, "--long", "a.test")).toContain(replay);
});
