import { expect, test } from "vitest";
import type { LedgerView } from "../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Transition } from "../../packages/ledger/src/transition/transition.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { LOG_PAGE } from "../../packages/synchronizer/src/limits/limits.ts";
import { shareOutcomes } from "../../packages/synchronizer/src/replica/shared-outcomes.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { newTransition } from "../golden-log/replay-digests.ts";

const golden = readGoldenLog();
const log = golden.log.slice(0, 400);
/** Of the state after the last of these entries. */
const final = golden.expected.digests[log.length];

interface Node extends Transition {
  readonly state: MemoryState;
  applied: number;
}

/** A replica's transition and state, and the number of entries that it applied by itself. */
function newNode(rules = "the rules"): Node {
  const { apply } = newTransition();
  const counted = (entry: LogEntry, view: LedgerView) => {
    node.applied++;
    return apply(entry, view);
  };
  const node: Node = { state: new MemoryState(), applied: 0, ...shareOutcomes({ apply: counted }, rules) };
  return node;
}

function advance({ apply, state }: Node, entry: LogEntry) {
  const outcome = apply(entry, state);
  state.absorb(outcome);
  return outcome;
}

/** The same entries, in objects that no other test was given. */
const entriesOf = (last = log.length) => log.slice(0, last).map((entry) => ({ ...entry }));

test("replicas of one state apply an entry once, and end as if each had", () => {
  const nodes = [newNode(), newNode(), newNode()] as const;
  for (const entry of entriesOf()) {
    const [first, ...others] = nodes.map((node) => advance(node, entry));
    for (const other of others) expect(other).toBe(first);
  }
  expect(nodes.map(({ applied }) => applied)).toEqual([log.length, 0, 0]);
  for (const { state } of nodes) expect(state.head.digest).toBe(final);
});

test("a replica that comes two pages later, with rows that were read from its own disk, is spared as well", () => {
  const [first, second] = [newNode(), newNode()];
  const entries = entriesOf();
  for (let from = 0; from < entries.length; from += 2 * LOG_PAGE) {
    const pages = entries.slice(from, from + 2 * LOG_PAGE);
    for (const entry of pages) advance(first, entry);
    for (const entry of pages) {
      for (const [id, contract] of second.state.contracts) second.state.contracts.set(id, { ...contract });
      advance(second, entry);
    }
  }
  expect(second.applied).toBe(0);
  expect(second.state.head).toEqual(first.state.head);
});

test("a replica whose row differs from the one that was read applies the entry by itself", () => {
  const read = new Map<LogEntry, Set<string>>();
  const [first, plain] = [newNode(), newTransition()];
  const entries = entriesOf();
  for (const entry of entries) {
    const ids = new Set<string>();
    const noting = new Proxy(first.state, {
      get: (state, name) => {
        const found = Reflect.get(state, name, state);
        if (typeof found !== "function") return found;
        return (key: string) => {
          if (name === "findContract") ids.add(key);
          return found.call(state, key);
        };
      },
    });
    plain.apply(entry, noting);
    read.set(entry, ids);
    advance(first, entry);
  }
  let damaged = 0;
  const second = newNode();
  for (const entry of entries) {
    const [id] = [...(read.get(entry) ?? [])].filter((each) => second.state.contracts.has(each as never));
    const contract = id === undefined ? undefined : second.state.contracts.get(id as never);
    if (contract !== undefined) {
      second.state.contracts.set(contract.contractId, {
        ...contract,
        createdAt: (contract.createdAt + 1n) as never,
      });
      const before = second.applied;
      second.apply(entry, second.state);
      expect(second.applied).toBe(before + 1);
      damaged++;
      second.state.contracts.set(contract.contractId, contract);
    }
    // The first one's outcome is not shared any more: the entry was applied to another state last.
    advance(second, { ...entry });
  }
  expect(damaged).toBeGreaterThan(50);
  expect(second.state.head.digest).toBe(final);
});

test("a replica at another place, of another network or with other rules applies the entry by itself", () => {
  const first = newNode();
  const second = newNode();
  const entries = entriesOf(20);
  for (const entry of entries.slice(0, -1)) {
    advance(first, entry);
    advance(second, entry);
  }
  const last = entries.at(-1) as LogEntry;
  advance(first, last);
  const { head, network } = second.state;
  second.state.head = { ...head, digest: "0".repeat(64) };
  expect(second.apply(last, second.state).head.digest).not.toBe(first.state.head.digest);
  second.state.head = head;
  second.state.network = network && { ...network, migrationId: 7n };
  second.apply(last, second.state);
  second.state.network = network;
  expect(second.applied).toBe(2);
  const other = newNode("other rules");
  for (const entry of entries) advance(other, entry);
  expect(other.applied).toBe(entries.length);
});
