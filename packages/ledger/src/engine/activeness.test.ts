/** A contract is used up once, and what is used up is gone: within a transaction, and after it. */
import { describe, expect, test } from "vitest";
import { alice, bob, carol, type Step } from "../../testing/engine-fixture.ts";
import { archivePaper, createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import type { ContractId } from "../values/contract-id.ts";

function notActive(id: ContractId) {
  return {
    code: "CONTRACT_NOT_ACTIVE",
    category: 11,
    cause: `Contract ${id} was consumed earlier in this transaction`,
    resources: [["CONTRACT_ID", id]],
  };
}

describe("within a transaction", () => {
  const byAlice = { actors: [alice] };

  test.each([
    ["a consuming choice", usePaper],
    ["a choice that would leave it", runPaper],
    ["an archive", archivePaper],
  ])("a contract that a command used up cannot serve %s of a later command", (_, exercise) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const commands = [usePaper(id, byAlice), exercise(id, byAlice)];
    expect(ledger.refusal({ commands, actAs: [alice] })).toMatchObject(notActive(id));
  });

  test.each<[string, Step]>([
    ["exercise a choice of it", { do: "run", on: "self", actors: [alice] }],
    ["use it up again", { do: "use", on: "self", actors: [alice] }],
    ["archive it", { do: "archive", on: "self" }],
    ["fetch it", { do: "fetch", on: "self" }],
    ["view it", { do: "view", on: "self" }],
  ])("a contract is used up before the consuming choice's body runs, which cannot %s", (_, step) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const commands = [usePaper(id, { actors: [alice], steps: [step] })];
    expect(ledger.refusal({ commands, actAs: [alice] })).toMatchObject(notActive(id));
  });

  test("a missing contract is reported before missing authority", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const commands = [usePaper(id, byAlice), usePaper(id, { actors: [carol] })];
    expect(ledger.refusal({ commands, actAs: [alice] })).toMatchObject(notActive(id));
  });

  test("a choice that leaves the contract may be exercised again, also by its own body, and use it up there", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const again: Step = { do: "run", on: "self", actors: [alice], steps: [{ do: "fetch", on: "self" }] };
    const last: Step = { do: "use", on: "self", actors: [alice] };
    const commands = [runPaper(id, byAlice), runPaper(id, { actors: [alice], steps: [again, last] })];
    const { transaction } = ledger.submit({ commands, actAs: [alice] });
    expect(transaction.nodes).toMatchObject([
      { choice: "Run" },
      { choice: "Run" },
      { choice: "Run" },
      { choice: "Use" },
    ]);
    expect(ledger.active.has(id)).toBe(false);
  });

  test("a body whose contract was used up by itself goes on, but cannot use it", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const running = (steps: readonly Step[]) => ({
      commands: [runPaper(id, { actors: [alice], steps: [{ do: "archive", on: "self" }, ...steps] })],
      actAs: [alice],
    });
    expect(ledger.interpret(running([{ do: "create", signatories: [alice] }])).kind).toBe("transaction");
    expect(ledger.refusal(running([{ do: "fetch", on: "self" }]))).toMatchObject(notActive(id));
  });

  test("a contract can be made, run, used up, and is gone then", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const made: readonly Step[] = [
      { do: "create", signatories: [alice] },
      { do: "run", on: 0, actors: [alice] },
      { do: "use", on: 0, actors: [alice] },
    ];
    const running = (steps: readonly Step[]) => ({
      commands: [runPaper(id, { actors: [alice], steps })],
      actAs: [alice],
    });
    expect(ledger.interpret(running(made)).kind).toBe("transaction");
    expect(ledger.refusal(running([...made, { do: "fetch", on: 0 }])).code).toBe("CONTRACT_NOT_ACTIVE");
  });

  test("a contract made in it can be used by submitters who are no stakeholders of it", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const steps: readonly Step[] = [
      { do: "create", signatories: [alice], observers: [bob] },
      { do: "run", on: 0, actors: [carol], steps: [{ do: "fetch", on: "self" }] },
    ];
    const { transaction } = ledger.submit({
      commands: [runPaper(id, { actors: [carol], steps })],
      actAs: [carol],
      disclosed: [ledger.disclose(id)],
    });
    expect(transaction.nodes).toHaveLength(3);
  });

  test("a failure at the end leaves nothing of what came before it", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const commands = [createPaper({ signatories: [alice] }), usePaper(id, byAlice), usePaper(id, byAlice)];
    expect(ledger.interpret({ commands, actAs: [alice] })).not.toHaveProperty("transaction");
  });
});

describe("after a transaction", () => {
  test.each([
    ["submission", "CONTRACT_NOT_FOUND", "Contract could not be found with id"],
    ["commit", "LOCAL_VERDICT_INACTIVE_CONTRACTS", "Rejected: contract"],
  ] as const)("a contract it archived is missing at %s", (stage, code, start) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const submission = { commands: [usePaper(id, { actors: [alice] })], actAs: [alice], stage };
    ledger.submit(submission);
    const refusal = ledger.refusal(submission);
    expect(refusal).toMatchObject({ code, category: 11, resources: [["CONTRACT_ID", id]] });
    expect(refusal.cause.startsWith(start)).toBe(true);
  });

  test("a contract whose choice did not consume it is still active", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    ledger.submit({ commands: [runPaper(id, { actors: [alice] })], actAs: [alice] });
    expect(ledger.active.has(id)).toBe(true);
  });
});
