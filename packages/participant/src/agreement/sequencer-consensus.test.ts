import { sha256 } from "@callsign/node";
import { expect, test } from "vitest";
import { SequencerConsensus } from "./sequencer-consensus.ts";
import { STREAM_START } from "./stream-agreement.ts";

const now = "2026-01-01T00:00:00Z";
const page = (end: number) => ({ items: [], previousDigest: null, end, recordTime: now, now, svSerial: 0 });

test("a page of a sequencer whose stream has become shorter than the store is not heard until it is longer again", () => {
  const consensus = new SequencerConsensus({
    ...{ sources: 1, threshold: null, position: STREAM_START, stored: 0, network: null },
    ...{ hash: sha256, elapsedMilliseconds: () => 0 },
    onFault: () => undefined,
    onSvsKnown: () => undefined,
    onObstacle: () => undefined,
  });
  expect(consensus.hearPage(0, 0, page(10))).toBe(true);
  consensus.reports.markStored(10);
  expect(consensus.hearPage(0, 0, page(9))).toBe(false);
  expect([consensus.obstacles.any?.kind, consensus.reports.find(0)]).toEqual(["store-ahead", undefined]);
  expect(consensus.hearPage(0, 0, page(11))).toBe(true);
  expect([consensus.obstacles.any, consensus.reports.find(0)?.end]).toEqual([null, 11]);
});
