/** After a change of the log's server nothing is appended before a quorum of the SVs has signed that nothing is lost. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { appendAll, batchOf, EMPTY, readLog } from "../synchronizer/log-entries.ts";
import { startOnChangingLog } from "./changing-log.ts";

const signal = AbortSignal.timeout(60_000);

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
  for (const { replica } of svs) await replica.reach(entries.length, signal);
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
