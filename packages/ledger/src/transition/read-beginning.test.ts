import { expect, test } from "vitest";
import { continuationOf, signContinuation, signingKeys } from "../../testing/continued-log.ts";
import { sha256 } from "../../testing/sha256.ts";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import { nextEntry, TestReplica } from "../../testing/transition-fixture.ts";
import { DAY } from "../values/duration.ts";
import { addDuration, MIN_TIME } from "../values/time.ts";
import type { LogEntry } from "./log-entry.ts";
import { beginningOf, readBeginning } from "./read-beginning.ts";

const network = new SimulatedNetwork({ svs: 4 });
const [founding] = network.log as [LogEntry, ...LogEntry[]];

function begunBy(entry: LogEntry) {
  const beginning = beginningOf(entry);
  return beginning === null ? null : readBeginning(sha256, beginning);
}

test("the founding gives the network's id and its SVs, as replicas have them", () => {
  const { id, dso, synchronizerId, migrationId, svs } = network.network;
  expect(begunBy(founding)).toEqual({ id, dso, synchronizerId, migrationId, svs });
});

test("a continuation gives the network's new id and its SVs, also with a clock that was moved", () => {
  network.moveClock(DAY);
  const replica = new TestReplica();
  const entry = nextEntry(
    replica.state,
    signContinuation(continuationOf(network).entry, signingKeys(network.svs)),
    network.clock,
  );
  replica.apply(entry);
  const { id, dso, synchronizerId, migrationId, svs } = replica.state.network ?? {};
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(begunBy(entry)).toEqual({ id, dso, synchronizerId, migrationId, svs });
});

test("another content or another time is another network", () => {
  const beginning = beginningOf(founding);
  if (beginning === null) throw new Error("the founding begins no network");
  const { content, time } = beginning;
  const later = readBeginning(sha256, { content, time: addDuration(time, 1n) });
  const renamed = readBeginning(sha256, { content: content.replace('"sv-1"', '"sv-x"'), time });
  expect(new Set([network.network.id, later?.id, renamed?.id]).size).toBe(3);
});

test("no other entry begins a network", () => {
  expect(
    network.log
      .slice(1)
      .map(begunBy)
      .filter((begun) => begun !== null),
  ).toEqual([]);
  expect(readBeginning(sha256, { content: "[]", time: founding.stampedAt ?? MIN_TIME })).toBeNull();
});
