/** The shape of a transaction, and what it made and used up. */
import { describe, expect, test } from "vitest";
import { alice, bob, type Step } from "../../testing/engine-fixture.ts";
import { archivePaper, createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import type { ContractId } from "../values/contract-id.ts";
import { listArchived, listCreated, type Transaction } from "./transaction.ts";

const create = (text: string): Step => ({ do: "create", signatories: [alice], text });
const byAlice = { actors: [alice] };

/** Each node with its id, and an exercise with the id of its last descendant: `["0 Run to 2", "1 a", "2 b"]`. */
function shape({ nodes }: Transaction): readonly string[] {
  return nodes.map((node) =>
    node.kind === "create"
      ? `${node.nodeId} ${(node.value as { text: string }).text}`
      : `${node.nodeId} ${node.choice} to ${node.lastDescendant}`,
  );
}

describe("nodes are numbered in the order in which they begin", () => {
  test("a create is a leaf, an exercise without consequences its own last descendant", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const { transaction } = ledger.submit({
      commands: [createPaper({ signatories: [alice], text: "a" }), runPaper(id, byAlice), archivePaper(id)],
      actAs: [alice],
    });
    expect(shape(transaction)).toEqual(["0 a", "1 Run to 1", "2 Archive to 2"]);
  });

  test("an exercise spans what follows from it, to any depth, and nothing more", () => {
    const ledger = new EngineLedger();
    const [outer, inner] = [ledger.paper({ signatories: [alice] }), ledger.paper({ signatories: [alice] })];
    const deepest: Step = { do: "use", on: inner, actors: [alice], steps: [create("c")] };
    const steps: readonly Step[] = [
      create("a"),
      { do: "run", on: inner, actors: [alice], steps: [create("b"), deepest, { do: "fetch", on: outer }] },
      { do: "fetch", on: outer },
      create("d"),
    ];
    const { transaction } = ledger.submit({
      commands: [
        createPaper({ signatories: [alice], text: "before" }),
        runPaper(outer, { actors: [alice], steps }),
        createPaper({ signatories: [alice], text: "after" }),
      ],
      actAs: [alice],
    });
    expect(shape(transaction)).toEqual([
      "0 before",
      "1 Run to 7",
      "2 a",
      "3 Run to 6",
      "4 b",
      "5 Use to 6",
      "6 c",
      "7 d",
      "8 after",
    ]);
  });
});

describe("the contracts that a transaction created and archived", () => {
  const idsOf = (transaction: Transaction) => ({
    created: listCreated(transaction).map(({ contract }) => contract.contractId),
    archived: listArchived(transaction).map(({ contractId }) => contractId),
  });

  test("is in the order in which it happened", () => {
    const ledger = new EngineLedger();
    const [a, b] = [ledger.paper({ signatories: [alice] }), ledger.paper({ signatories: [alice] })];
    const { transaction, results } = ledger.submit({
      commands: [
        usePaper(b, { actors: [alice], steps: [create("inside"), { do: "archive", on: a }] }),
        createPaper({ signatories: [alice] }),
      ],
      actAs: [alice],
    });
    const [[inside], after] = results as [readonly [ContractId], ContractId];
    expect(idsOf(transaction)).toEqual({ created: [inside, after], archived: [b, a] });
  });

  test("leaves out what came and went within it, at any depth", () => {
    const ledger = new EngineLedger();
    const outer = ledger.paper({ signatories: [alice, bob] });
    const steps: readonly Step[] = [
      create("stays"),
      create("goes"),
      { do: "use", on: 1, actors: [bob], steps: [create("stays too")] },
    ];
    const { transaction, results } = ledger.submit({
      commands: [runPaper(outer, { actors: [alice, bob], steps })],
      actAs: [alice, bob],
    });
    const [[stays, , staysToo]] = results as [readonly [ContractId, ContractId, ContractId]];
    expect(transaction.nodes).toHaveLength(5);
    expect(idsOf(transaction)).toEqual({ created: [stays, staysToo], archived: [] });
  });

  test("leaves out what choices only looked at", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const { transaction } = ledger.submit({ commands: [runPaper(id, byAlice)], actAs: [alice] });
    expect(idsOf(transaction)).toEqual({ created: [], archived: [] });
  });
});

test("a node carries who signs, observes and acts, and its values with their texts", () => {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice], observers: [bob] });
  const { transaction, results } = ledger.submit({
    commands: [usePaper(id, { actors: [bob], watchers: [alice], steps: [create("x")] })],
    actAs: [bob],
  });
  const [[made]] = results as [readonly [ContractId]];
  const steps = `[{"do":"create","signatories":["${alice}"],"text":"x"}]`;
  expect(transaction.nodes).toMatchObject([
    {
      contractId: id,
      signatories: [alice],
      observers: [bob],
      actingParties: [bob],
      choiceObservers: [alice],
      argument: { text: `[["${bob}"],["${alice}"],${steps}]` },
      result: { value: [made], text: `["${made}"]` },
    },
    {
      contract: { contractId: made, payload: `[["${alice}"],[],"x"]`, createdAt: ledger.now },
      value: { signatories: [alice], observers: [], text: "x" },
    },
  ]);
});
