/** `callsign log restore` on PostgreSQL: a standby without the last batches takes over, and the SVs give them back. */
import { readdirSync } from "node:fs";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { until } from "../../packages/node/testing/until.ts";
import type { LogHead } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { Child } from "../support/child-process.ts";
import { chainContents, contentsOf, headOf, readLog } from "../synchronizer/log-entries.ts";
import { RestoredNetwork } from "./restored-network.ts";
import { argumentsOf } from "./setup-kit.ts";

const MINUTE = 60_000;
const MAIN = new URL("../../packages/cli/src/main.ts", import.meta.url).pathname;

test(
  "a standby that lost three batches gets them back, an entry that one SV held alone is dropped, and the SVs go on",
  async (context) => {
    const network = await RestoredNetwork.start(context);
    const [, standby] = network.servers;
    await network.close(3, 4);
    await standby.stop();
    const lost: LogHead[] = [];
    for (let i = 0; i < 3; i++) lost.push(await network.append(contentsOf(`batch ${i}`, 200)));
    const whole = await waitForCopies(network, [1, 2]);
    await network.close(2);
    const alone = await network.append(["alone"]);
    await until(async () => (await network.digestOf(1))[0] >= alone.sequence, "sv-1 has the entry");
    await network.close(1);
    await network.failOver();
    const before = await network.withLog((log) => log.head());
    expect(before.sequence).toBeLessThan((lost[0] as LogHead).sequence - 199);

    // The SVs run and tell, and append nothing.
    for (const number of [2, 3, 4]) await network.open(number);
    const isTold = async () =>
      (await network.missing(2))?.includes("run `callsign log restore` beside it") === true;
    await until(isTold, "sv-2 says what to do");
    const told = await network.restore(1);
    expect([told.exitCode, told.complained]).toEqual([0, ""]);
    expect(told.said).toContain(
      `to restore: ${before.sequence + 1} to ${whole.sequence}, ${whole.entryHash}`,
    );
    expect(told.said).toMatch(/dropped: entry \d+:[0-9a-f]{64}, held by sv-1\n/);
    expect(told.said).toContain("Nothing was changed. Run the command with --yes to do this.");
    expect(await network.withLog((log) => log.head())).toEqual(before);

    const child = new Child(
      MAIN,
      "log",
      "restore",
      "--yes",
      ...argumentsOf({ files: [network.valuesOf(1)] }),
    );
    const isBegun = async () => (await network.withLog((log) => log.head())).sequence > before.sequence;
    await until(isBegun, "entries are restored");
    await child.kill();
    const again = await network.restore(1, "--yes");
    expect([again.exitCode, again.complained]).toEqual([0, ""]);
    expect(await headAt(network, whole.sequence)).toEqual(whole);
    expect(await network.withCopy(1, (copy) => copy.head())).toEqual(whole);
    const { dataFolder } = network.organisations[0] ?? { dataFolder: "" };
    const aside = readdirSync(dataFolder).filter((name) => name.startsWith("log-copy.db.dropped-"));
    expect(aside).toHaveLength(1);
    const [kept = ""] = readdirSync(`${dataFolder}/${aside[0]}`);
    const line = systemHost.files.read(`${dataFolder}/${aside[0]}/${kept}`)?.trim() ?? "";
    expect(JSON.parse(line)).toMatch(/\nalone$/);

    await network.close(2);
    for (const number of [1, 2]) await network.open(number);
    await network.ready(1, 2, 3, 4);
    const next = await network.append(["next"]);
    await until(async () => (await network.digestOf(4))[0] >= next.sequence, "sv-4 has the entry");
    await network.agree(1, 2, 3, 4);
  },
  5 * MINUTE,
);

test(
  "a forged tail of forty entries is never restored, and the SV that signed it cuts it before it goes on",
  async (context) => {
    const network = await RestoredNetwork.start(context);
    const [, standby] = network.servers;
    await network.close(3, 4);
    await standby.stop();
    await network.append(["real"]);
    const whole = await waitForCopies(network, [1, 2]);
    await network.close(1, 2);
    await network.failOver();
    const before = await network.withLog((log) => log.head());
    await network.withCopy(4, async (copy) => {
      await copy.append(chainContents(await copy.head(), contentsOf("forged", 40)));
    });
    for (const number of [3, 4]) await network.open(number);
    // The honest holder is slow: until it answers, nobody can tell.
    const silence = await network.listenSilently(2);
    const restoring = network.restore(1, "--yes");
    await silence.called;
    expect(await network.withLog((log) => log.head())).toEqual(before);
    await silence.close();
    await network.open(2);
    const outcome = await restoring;
    expect([outcome.exitCode, outcome.complained]).toEqual([0, ""]);
    expect(outcome.said).toContain("next: sv-4 must cut dropped entries");
    expect(await headAt(network, whole.sequence)).toEqual(whole);

    await network.close(2, 4);
    for (const number of [1, 2]) await network.open(number);
    await network.ready(1, 2, 3);
    const cut = await network.restore(4, "--yes");
    expect([cut.exitCode, cut.complained]).toEqual([0, ""]);
    expect(cut.said).toMatch(
      /this SV's copy was cut behind entry \d+; the entries are in .*log-copy\.db\.dropped-/,
    );
    await network.open(4);
    await network.ready(4);
    await network.agree(1, 2, 3, 4);
  },
  5 * MINUTE,
);

/** Resolves with the log's end once these SVs have applied it. Others may append meanwhile. */
async function waitForCopies(network: RestoredNetwork, numbers: readonly number[]): Promise<LogHead> {
  const head = await network.withLog((log) => log.head());
  for (const number of numbers)
    await until(
      async () => (await network.digestOf(number))[0] >= head.sequence,
      `sv-${number} has the entries`,
    );
  return head;
}

/** The entry in a place of the log, behind which running SVs append. */
function headAt(network: RestoredNetwork, sequence: number): Promise<LogHead | undefined> {
  return network.withLog(async (log) => {
    const entry = (await readLog(log))[sequence - 1];
    return entry && headOf(entry);
  });
}
