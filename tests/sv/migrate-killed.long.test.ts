// `callsign network migrate` is killed, with kill -9, after each thing that it says and at random moments between.

import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { Child, runAndKill } from "../support/child-process.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const NAMES = ["sv-1", "sv-2", "sv-3", "sv-4"];
const RANDOM_KILLS = 6;

test("a migration that was killed anywhere is repeated by the same command", async () => {
  const folder = temporaryFolder();
  const original = join(folder, "original");
  await (await startSvsIn({ dataFolder: original, migrationId: 0n, names: NAMES })).close();
  const random = new Random(seed);
  const whole = await timeOf(() => migrate(copyOf(original, folder, "whole")).ended);
  const points = [
    ...[1, 2, 3].map((lines) => ({ name: `after line ${lines}`, lines, wait: 0 })),
    ...Array.from({ length: RANDOM_KILLS }, (_, i) => ({
      name: `moment ${i}`,
      lines: 0,
      wait: random.below(whole),
    })),
  ];
  for (const { name, lines, wait } of points) {
    const dataFolder = copyOf(original, folder, name);
    if (lines > 0) await runAndKill(MAIN, argumentsOf(dataFolder), lines);
    else await killAfter(migrate(dataFolder), wait);
    // The SVs start under the new id if its log is there, and under the old one if not.
    const isDone = existsSync(join(dataFolder, "log-1.db"));
    const place = { dataFolder, names: NAMES, isQuiet: true };
    await (await startSvsIn({ ...place, migrationId: isDone ? 1n : 0n })).close();
    const { code, output, errors } = await migrate(dataFolder).ended;
    expect([name, code, errors]).toEqual([name, 0, ""]);
    expect(output).toMatch(isDone ? /was migrated to id 1 before/ : /The network is migrated to id 1/);
    const svs = await startSvsIn({ ...place, migrationId: 1n });
    expect(svs.svs.map(({ replica }) => replica.state.network?.migrationId)).toEqual([1n, 1n, 1n, 1n]);
    await svs.close();
  }
});

function copyOf(original: string, folder: string, name: string): string {
  const copy = join(folder, name.replaceAll(" ", "-"));
  cpSync(original, copy, { recursive: true });
  return copy;
}

function argumentsOf(dataFolder: string): readonly string[] {
  const file = `${dataFolder}.yaml`;
  const svs = NAMES.map((name) => ({ name }));
  writeFileSync(
    file,
    JSON.stringify({ svs, disableAuth: true, callsign: { dataFolder, log: { level: "ERROR" } } }),
  );
  return ["network", "migrate", "-f", file];
}

function migrate(dataFolder: string): Child {
  return new Child(MAIN, ...argumentsOf(dataFolder));
}

async function killAfter(child: Child, milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => systemHost.timers.set(resolve, milliseconds));
  await child.kill();
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return Math.ceil(performance.now() - begun);
}
