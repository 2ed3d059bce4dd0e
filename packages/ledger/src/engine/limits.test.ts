/** A transaction has bounds; at each it is accepted, one further it is not. */
import { describe, expect, test } from "vitest";
import { alice, Machine } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper } from "../../testing/engine-ledger.ts";
import { type Command, exerciseCommand } from "./command.ts";

const TOO_LARGE = { code: "DAML_INTERPRETATION_ERROR", category: 9 };

function withMachine() {
  const ledger = new EngineLedger();
  const machine = ledger.create(Machine, { owner: alice }, [alice]);
  const interpret = (...commands: readonly Command[]) => ledger.interpret({ commands, actAs: [alice] });
  return { machine, interpret };
}

test("a transaction has at most 10,000 nodes", () => {
  const { machine, interpret } = withMachine();
  const making = (papers: bigint) =>
    interpret(exerciseCommand(Machine, machine, "Machine_Fill", { papers, characters: 0n }));
  // The exercise itself is a node.
  const outcome = making(9999n);
  expect(outcome.kind === "transaction" && outcome.transaction.nodes.length).toBe(10_000);
  expect(making(10_000n)).toMatchObject({ kind: "failure", error: TOO_LARGE });
});

test("exercises nest at most 64 deep", () => {
  const { machine, interpret } = withMachine();
  const descending = (levels: bigint) => exerciseCommand(Machine, machine, "Machine_Descend", { levels });
  // With 63 further levels there are 64 exercises, and a second command starts at the top again.
  expect(interpret(descending(63n), descending(63n)).kind).toBe("transaction");
  expect(interpret(descending(64n))).toMatchObject({ kind: "failure", error: TOO_LARGE });
});

test("a payload has at most 1,000,000 characters", () => {
  const { interpret } = withMachine();
  // Alice's id has 75 characters, and [["…"],[],"…"] 12.
  const writing = (characters: number) =>
    interpret(createPaper({ signatories: [alice], text: "x".repeat(characters) }));
  expect(alice).toHaveLength(75);
  const outcome = writing(1_000_000 - 87);
  const [node] = outcome.kind === "transaction" ? outcome.transaction.nodes : [];
  expect(node?.kind === "create" && node.contract.payload.length).toBe(1_000_000);
  expect(writing(1_000_000 - 86)).toMatchObject({ kind: "failure", error: TOO_LARGE });
});

describe("a transaction holds at most 10,000,000 characters of", () => {
  test("payloads together", () => {
    const { machine, interpret } = withMachine();
    const filling = (papers: bigint) =>
      interpret(exerciseCommand(Machine, machine, "Machine_Fill", { papers, characters: 990_000n }));
    expect(filling(10n).kind).toBe("transaction");
    expect(filling(11n)).toMatchObject({ kind: "failure", error: TOO_LARGE });
  });

  test("results", () => {
    const { machine, interpret } = withMachine();
    const saying = (characters: bigint) => exerciseCommand(Machine, machine, "Machine_Say", { characters });
    // The machine itself, ["…"], counts once; the arguments ["4999987"] and the quotes of the results: 2 × (11 + 2).
    expect(interpret(saying(4_999_987n), saying(4_999_987n - 79n)).kind).toBe("transaction");
    expect(interpret(saying(4_999_987n), saying(4_999_987n - 78n))).toMatchObject({ error: TOO_LARGE });
  });

  test("arguments", () => {
    const ledger = new EngineLedger();
    const paper = ledger.paper({ signatories: [alice] });
    // The paper passes over what is no step. [["…"],[],["…"]] has 14 characters and its owner 75; the result
    // [] counts too.
    const running = (characters: number) =>
      ledger.interpret({
        commands: [runPaper(paper, { actors: [alice], steps: ["x".repeat(characters)] as never })],
        actAs: [alice],
      });
    expect(running(10_000_000 - 91 - 87).kind).toBe("transaction");
    expect(running(10_000_000 - 90 - 87)).toMatchObject({ kind: "failure", error: TOO_LARGE });
  });
});

test("a submission has one to 1,000 commands", () => {
  const { interpret } = withMachine();
  const create = createPaper({ signatories: [alice] });
  const many = (count: number) => interpret(...new Array<Command>(count).fill(create));
  expect(many(1000).kind).toBe("transaction");
  for (const count of [0, 1001]) {
    expect(many(count)).toMatchObject({
      kind: "failure",
      error: {
        code: "INVALID_ARGUMENT",
        category: 8,
        cause: `A submission has 1 to 1000 commands, not ${count}`,
      },
    });
  }
});

test("a submission discloses at most 200 contracts", () => {
  const ledger = new EngineLedger();
  const paper = ledger.paper({ signatories: [alice] });
  const disclosing = (count: number) =>
    ledger.interpret({
      commands: [createPaper({ signatories: [alice] })],
      actAs: [alice],
      disclosed: Array.from({ length: count }, () => ({ contractId: paper, blobHash: "00" })),
    });
  expect(disclosing(200).kind).toBe("transaction");
  expect(disclosing(201)).toMatchObject({
    kind: "failure",
    error: { code: "INVALID_ARGUMENT", cause: "A submission discloses at most 200 contracts, not 201" },
  });
});

test("the payloads of used contracts count towards the characters of a transaction", () => {
  const ledger = new EngineLedger();
  const papers = Array.from({ length: 11 }, () =>
    ledger.paper({ signatories: [alice], text: "x".repeat(950_000) }),
  );
  const using = (count: number) =>
    ledger.interpret({
      commands: papers.slice(0, count).map((id) => runPaper(id, { actors: [alice] })),
      actAs: [alice],
    });
  expect(using(10).kind).toBe("transaction");
  expect(using(11)).toMatchObject({ kind: "failure", error: TOO_LARGE });
});
