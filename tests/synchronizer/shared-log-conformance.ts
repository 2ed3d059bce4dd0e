/** The part of the ordered log's conformance suite for backends that several processes may have open at once. */
import { expect, onTestFinished, test } from "vitest";
import { runAndKill } from "../support/child-process.ts";
import { findBreak, headOf, readLog } from "./log-entries.ts";
import { APPEND_BATCHES, type LogBackend, openLog } from "./open-log.ts";

export function describeSharedLog({ name, newPlace }: LogBackend): void {
  test("several processes append at once: one chain, and nothing acknowledged is lost", async () => {
    const place = newPlace();
    const ends = await Promise.all(
      [40, 80, 120].map((lines, run) => runAndKill(APPEND_BATCHES, [name, place, `run ${run}`], lines)),
    );
    const log = await openLog(name, place);
    onTestFinished(() => log.close());
    const entries = await readLog(log);
    expect(findBreak(entries)).toBeNull();
    const hashes = new Map(entries.map((entry) => [entry.sequence, headOf(entry).entryHash]));
    for (const line of ends.flatMap(({ lines }) => lines)) {
      const [sequence, entryHash] = line.split(" ");
      expect(hashes.get(Number(sequence))).toBe(entryHash);
    }
    const contents = entries.map(({ content }) => content);
    expect(new Set(contents).size).toBe(contents.length);
  });
}
