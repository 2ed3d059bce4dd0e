import { describe, expect, test } from "vitest";
import { DsoActor } from "../../testing/dso-actor.ts";
import { verifyEd25519 } from "../../testing/member-key.ts";
import { MemoryState } from "../../testing/memory-state.ts";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import { nextEntry, resultOf, TestReplica, testEngine } from "../../testing/transition-fixture.ts";
import { WalletActor } from "../../testing/wallet-actor.ts";
import { SubscriptionRequest } from "../contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decimal } from "../values/decimal.ts";
import { DAY } from "../values/duration.ts";
import type { LedgerView } from "./ledger-view.ts";
import type { LogEntry } from "./log-entry.ts";
import { ReplicaHalt } from "./replica-halt.ts";
import { createTransition } from "./transition.ts";

/** A network with a name bought, a rejection, a copy, nonsense and a moved clock in its log. */
function livelyLog(): SimulatedNetwork {
  const network = new SimulatedNetwork();
  const validator = network.registerMember("validator");
  const alice = new WalletActor(network, validator, "alice");
  const dso = new DsoActor(network);
  alice.tap(decimal("1000.0"));
  alice.requestEntry({ name: "alice.unverified.cns" });
  alice.accept(network.only(SubscriptionRequest).contractId);
  dso.settle();
  network.submit(validator, { actAs: [network.dso], commands: [] });
  const copied = network.log.at(-1) as LogEntry;
  network.applyEntry(network.sequence({ content: copied.content, signatures: copied.signatures }));
  network.applyEntry(network.sequence({ content: "nonsense", signatures: [] }));
  network.moveClock(DAY);
  dso.settle();
  return network;
}

describe("the chain", () => {
  const network = new SimulatedNetwork();
  const { head } = network.state;
  const next = nextEntry(network.state, { content: "", signatures: [] });
  const apply = (change: Partial<LogEntry>) =>
    new TestReplica({}, network.state).decide({ ...next, ...change });

  test("goes on with the entry that follows", () => {
    expect(apply({}).head.sequence).toBe(head.sequence + 1);
  });

  const broken: readonly [string, Partial<LogEntry>, string][] = [
    [
      "a gap",
      { sequence: head.sequence + 2 },
      `entry ${head.sequence + 2} was offered where ${head.sequence + 1} follows`,
    ],
    ["an entry once more", { sequence: head.sequence }, "was offered where"],
    ["an earlier entry", { sequence: 0 }, "was offered where"],
    ["another history", { previousHash: "f".repeat(64) }, `but the one applied here has ${head.entryHash}`],
    ["a beginning in the middle", { previousHash: "0".repeat(64) }, "follows an entry with hash 0000"],
  ];
  test.each(broken)("stops a replica at %s", (_case, change, message) => {
    expect(() => apply(change)).toThrow(ReplicaHalt);
    expect(() => apply(change)).toThrow(message);
    expect(network.state.head).toBe(head);
  });

  test("starts with sequence number 1 after a hash of zeros", () => {
    const replica = new TestReplica();
    const first = nextEntry(replica.state, { content: "", signatures: [] });
    expect(first).toMatchObject({ sequence: 1, previousHash: "0".repeat(64) });
    expect(() => replica.decide({ ...first, previousHash: "1".repeat(64) })).toThrow(ReplicaHalt);
    expect(replica.apply(first).head.sequence).toBe(1);
  });

  test("does not join when one signature is taken away from an entry in the middle", () => {
    const { log } = livelyLog();
    const replica = new TestReplica();
    const tampered = log.map((entry, i) => (i === 3 ? { ...entry, signatures: [] } : entry));
    for (const entry of tampered.slice(0, 4)) replica.apply(entry);
    expect(() => replica.apply(tampered[4] as LogEntry)).toThrow(ReplicaHalt);
  });
});

/** Freezes an object with all it holds. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/** The same state, of which nothing can be changed. */
function frozenView(state: MemoryState): LedgerView {
  return Object.freeze({
    head: deepFreeze(state.head),
    network: deepFreeze(state.network),
    findContract: (id) => deepFreeze(state.findContract(id)),
    findMember: (id) => deepFreeze(state.findMember(id)),
    findHosting: (party) => deepFreeze(state.findHosting(party)),
    findTraffic: (member) => deepFreeze(state.findTraffic(member)),
    findStamp: (sv) => state.findStamp(sv),
    findSvSet: (serial) => deepFreeze(state.findSvSet(serial)),
    findSnapshot: (sv) => deepFreeze(state.findSnapshot(sv)),
    findAgreedSnapshot: () => deepFreeze(state.findAgreedSnapshot()),
    findSubmission: (key) => state.findSubmission(key),
    findAcceptedCommand: (key) => deepFreeze(state.findAcceptedCommand(key)),
  } satisfies LedgerView);
}

describe("applying an entry", () => {
  const { log, state } = livelyLog();

  test("has many outcomes in this log", () => {
    const replica = new TestReplica();
    const results = new Set(log.map((entry) => resultOf(replica.apply(entry))));
    expect(results.size).toBeGreaterThanOrEqual(4);
  });

  test("twice to the same view gives equal outcomes and leaves the view as it was", () => {
    const engine = testEngine();
    const transition = createTransition({ engine, verify: verifyEd25519 });
    const replayed = new MemoryState();
    for (const entry of log) {
      deepFreeze(entry);
      const view = frozenView(replayed);
      const contracts = [...replayed.contracts];
      const once = transition.apply(entry, view);
      expect(transition.apply(entry, view)).toEqual(once);
      // Another program that never saw the entries before comes to the same.
      expect(createTransition({ engine: testEngine(), verify: verifyEd25519 }).apply(entry, view)).toEqual(
        once,
      );
      expect([...replayed.contracts]).toEqual(contracts);
      replayed.absorb(once);
    }
    expect(replayed.head).toEqual(state.head);
    expect(new Map(replayed.contracts)).toEqual(new Map(state.contracts));
  });

  test("reads neither a clock nor random numbers", () => {
    const replica = new TestReplica();
    const clock = Date.now;
    const random = Math.random;
    const unavailable = () => {
      throw new Error("not for the ledger");
    };
    try {
      Date.now = unavailable;
      Math.random = unavailable;
      for (const entry of log) replica.apply(entry);
    } finally {
      Date.now = clock;
      Math.random = random;
    }
    expect(replica.state.head).toEqual(state.head);
  });
});
