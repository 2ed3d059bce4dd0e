// The report of a test run: counts, reasons of skips, and the time each folder took.

import type { TestCase, TestModule, Vitest } from "vitest/node";

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** `packages/ledger` of `packages/ledger/src/values/decimal.test.ts`. */
function folderOf(file: TestModule): string {
  return file.relativeModuleId.split("/").slice(0, 2).join("/");
}

function hasFailed(file: TestModule): boolean {
  return !file.ok() || listBrokenSuites(file).length > 0;
}

/** A file that cannot be loaded, or a hook that throws, is a failure without a failed test. */
function listBrokenSuites(file: TestModule) {
  return [file, ...file.children.allSuites()].filter((suite) => suite.errors().length > 0);
}

/** Tests that skipped themselves. A test that `-t` leaves out counts as skipped to vitest, without a note. */
function listSkipped(files: readonly TestModule[], isNamed: boolean): readonly TestCase[] {
  return files
    .flatMap((file) => [...file.children.allTests("skipped")])
    .filter((test) => !isNamed || reasonOf(test) !== undefined);
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? result.note : undefined;
}

export function countTests({ state, config }: Vitest): Count {
  const files = state.getTestModules();
  return {
    passed: files.flatMap((file) => [...file.children.allTests("passed")]).length,
    failed:
      files.flatMap((file) => [...file.children.allTests("failed"), ...listBrokenSuites(file)]).length +
      state.getUnhandledErrors().length,
    skipped: listSkipped(files, config.testNamePattern !== undefined).length,
  };
}

function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
}

/** Time in tests and hooks and in loading their files, longest first. Folders run beside each other: sums exceed the clock. */
function describeFolders(files: readonly TestModule[]): readonly string[] {
  const folders = Map.groupBy(files, folderOf);
  return [...folders]
    .map(([folder, members]) => {
      const times = members
        .map((file) => file.diagnostic())
        .map((time) => time.duration + time.collectDuration);
      return { folder, total: times.reduce((sum, time) => sum + time, 0) };
    })
    .sort((a, b) => b.total - a.total)
    .map(({ folder, total }) => `${formatDuration(total).padStart(9)}  ${folder}`);
}

/** Lines for the end of a run: time by folder, reasons of skips, and how to replay each failed file. */
export function describeRun(
  { state, config }: Vitest,
  replay: (file: string) => string | undefined,
): readonly string[] {
  const files = state.getTestModules();
  const skipped = listSkipped(files, config.testNamePattern !== undefined).map(
    (test) =>
      `skipped  ${test.module.relativeModuleId} > ${test.fullName}: ${reasonOf(test) ?? "no reason given"}`,
  );
  const replays = files.filter(hasFailed).flatMap((file) => replay(file.relativeModuleId) ?? []);
  return [...describeFolders(files), ...skipped, ...replays.map((line) => `replay   ${line}`)];
}
