/** After a change of the log's server nothing is appended before a quorum of the SVs has signed that nothing is lost. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { appendAll, batchOf, chainContents, EMPTY, readLog } from "../synchronizer/log-entries.ts";
import { startOnChangingLog } from "./changing-log.ts";

const patience = () => AbortSignal.timeout(60_000);

/** Everything that the log holds, once the SVs have applied it and have nothing more to do. */
async function settle(log: OrderedLog, svs: readonly SvNode[]) {
  for (const sv of svs) await sv.idle();
  const entries = await readLog(log);
  for (const { replica } of svs) await replica.reach(entries.length, patience());
  return entries;
}

const nonsense = { content: "nonsense", signatures: [] };

test("a log that lost nothing is appended to in its new term", async () => {
  const { log, svs } = await startOnChangingLog(new ProcessPeers());
  await svs[0].submit(nonsense);
  log.change("term 2");
  await svs[1].moveClock(1_000_000n);
  await svs[0].submit(nonsense);
  expect(log.terms.at(-1)).toBe("term 2");
  expect(log.terms).toContain("term 1");
});

test("a log that lost its tail is not appended to, and the SVs say how it is restored", async () => {
  const { log, svs } = await startOnChangingLog(new ProcessPeers());
  await svs[0].moveClock(1_000_000n);
  const entries = await readLog(log);
  for (const { replica } of svs) await replica.reach(entries.length, patience());
  const shorter = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => shorter.close());
  await appendAll(shorter, [batchOf(EMPTY, entries.slice(0, -1))]);
  const before = await shorter.head();
  log.change("term 2", shorter);
  await expect(svs[0].submit(nonsense)).rejects.toThrow(
    /holds entry \d+: the log lost its tail. Restore it with `callsign log restore`/,
  );
  expect(await shorter.head()).toEqual(before);
  const { headers, status } = await fetch(`${svs[0].sequencerUrl}/readyz`);
  expect([status, headers.get("x-callsign-missing")]).toEqual([
    503,
    expect.stringContaining("lost its tail"),
  ]);
});

test("a longer log with another entry than the SVs hold is not appended to, and they are named", async () => {
  const { log, svs } = await startOnChangingLog(new ProcessPeers());
  await svs[0].moveClock(1_000_000n);
  const entries = await settle(log, svs);
  const other = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => other.close());
  const common = batchOf(EMPTY, entries.slice(0, -1));
  const replaced = chainContents(common.head, ["another", "and one behind it"]);
  await appendAll(other, [common, replaced]);
  log.change("term 2", other);
  await expect(svs[0].submit(nonsense)).rejects.toThrow(
    new RegExp(
      `the log's server changed, and sv1::\\w+ holds entry ${entries.length} with hash \\w+, and the log has \\w+ there; .*` +
        "0 of 4 SVs hold entries of the log alone: 3 are needed",
    ),
  );
  expect(await other.head()).toEqual(replaced.head);
});

test("SVs that are behind the log's end, with entries of the log alone, clear its new term", async () => {
  const { log, svs } = await startOnChangingLog(new ProcessPeers());
  const entries = await settle(log, svs);
  const longer = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => longer.close());
  const held = batchOf(EMPTY, entries);
  const behind = chainContents(held.head, ["one that they lack", "another"]);
  await appendAll(longer, [held, behind]);
  log.change("term 2", longer);
  const sequence = await svs[0].submit(nonsense);
  expect(sequence).toBe(behind.head.sequence + 1);
});

test("three of four SVs can say that nothing is lost, two cannot", async () => {
  const { log, svs } = await startOnChangingLog(new ProcessPeers());
  await svs[3].close();
  log.change("term 2");
  await svs[0].submit(nonsense);
  expect(log.terms).toContain("term 2");
  await svs[2].close();
  log.change("term 3");
  await expect(svs[0].submit(nonsense)).rejects.toThrow("2 of 4 SVs said that it lost nothing: 3 are needed");
  await expect(svs[1].submit(nonsense)).rejects.toThrow("3 are needed");
  expect(log.terms).not.toContain("term 3");
});
