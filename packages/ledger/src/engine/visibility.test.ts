/**
 * A contract can be used only by who sees it: a stakeholder among the submitting and reading parties, or whoever
 * was handed its blob. For everybody else it does not exist.
 */
import { describe, expect, test } from "vitest";
import { alice, bob, carol, dave, Paper, type Step } from "../../testing/engine-fixture.ts";
import { EngineLedger, type EngineSubmission, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import type { ContractId } from "../values/contract-id.ts";
import { time } from "../values/time.ts";
import { contractIdOf } from "./contract.ts";
import type { DisclosedContract } from "./interpret.ts";

const STAGES = ["submission", "commit"] as const;

/** Dave, who is no stakeholder, exercises a choice of it. */
function asDave(id: ContractId, rest: Partial<EngineSubmission> = {}): EngineSubmission {
  return { commands: [runPaper(id, { actors: [dave] })], actAs: [dave], ...rest };
}

function missingAt(stage: "submission" | "commit", id: ContractId) {
  const [code, cause] =
    stage === "submission"
      ? ["CONTRACT_NOT_FOUND", `Contract could not be found with id ${id}`]
      : ["LOCAL_VERDICT_INACTIVE_CONTRACTS", `Rejected: contract ${id} is not active`];
  return { code, cause, category: 11, context: {}, resources: [["CONTRACT_ID", id]] };
}

describe.each(STAGES)("at %s, a contract is seen", (stage) => {
  test.each([
    ["a signatory", "acts", { actAs: [dave, alice] }],
    ["an observer", "acts", { actAs: [dave, bob] }],
    ["a signatory", "reads", { readAs: [alice] }],
    ["an observer", "reads", { readAs: [carol, bob] }],
  ])("if %s %s", (_role, _how, parties) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice], observers: [bob] });
    expect(ledger.interpret(asDave(id, { ...parties, stage })).kind).toBe("transaction");
  });

  test("if it is disclosed with its blob's hash", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosed = [ledger.disclose(id)];
    expect(ledger.interpret(asDave(id, { disclosed, stage })).kind).toBe("transaction");
  });

  test("if the same disclosure is given twice", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosed = [ledger.disclose(id), ledger.disclose(id)];
    expect(ledger.interpret(asDave(id, { disclosed, stage })).kind).toBe("transaction");
  });
});

describe.each(STAGES)("at %s, it does not exist", (stage) => {
  test("for who is neither a stakeholder nor was handed it", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice], observers: [bob] });
    expect(ledger.refusal(asDave(id, { readAs: [carol], stage }))).toEqual(missingAt(stage, id));
  });

  test("if it never existed", () => {
    const never = contractIdOf(sha256, sha256("never"), {
      templateId: Paper.id,
      payload: "[]",
      createdAt: time("2026-01-01T00:00:00Z"),
    });
    expect(new EngineLedger().refusal(asDave(never, { stage }))).toEqual(missingAt(stage, never));
  });

  test("if it is archived, also for who has its blob", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosed = [ledger.disclose(id)];
    ledger.submit({ commands: [usePaper(id, { actors: [alice] })], actAs: [alice] });
    expect(ledger.refusal(asDave(id, { disclosed, stage }))).toEqual(missingAt(stage, id));
  });

  test.each([
    ["made up", () => sha256("made up")],
    ["empty", () => ""],
    [
      "that of another contract",
      (ledger: EngineLedger) => {
        return ledger.disclose(ledger.paper({ signatories: [carol] })).blobHash;
      },
    ],
  ])("for who discloses it with a hash that is %s: that it exists does not show", (_, hashFor) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosed = [{ contractId: id, blobHash: hashFor(ledger) }];
    expect(ledger.refusal(asDave(id, { disclosed, stage }))).toEqual(missingAt(stage, id));
  });

  test("for who discloses other contracts", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosed = [ledger.disclose(ledger.paper({ signatories: [alice] }))];
    expect(ledger.refusal(asDave(id, { disclosed, stage }))).toEqual(missingAt(stage, id));
  });

  test("for who only saw it being made", () => {
    const ledger = new EngineLedger();
    const steps: readonly Step[] = [{ do: "create", signatories: [alice] }];
    const { results } = ledger.submit({
      commands: [
        runPaper(ledger.paper({ signatories: [alice], observers: [dave] }), { actors: [dave], steps }),
      ],
      actAs: [dave],
    });
    const [made] = results[0] as [ContractId];
    expect(ledger.active.has(made)).toBe(true);
    expect(ledger.refusal(asDave(made, { stage }))).toEqual(missingAt(stage, made));
  });

  test.each<[string, (on: ContractId) => Step]>([
    ["fetches", (on) => ({ do: "fetch", on })],
    ["runs", (on) => ({ do: "run", on, actors: [alice] })],
    ["archives", (on) => ({ do: "archive", on })],
    ["views", (on) => ({ do: "view", on })],
  ])("for a body that %s it with its owner's authority, if no submitter sees it", (_, step) => {
    const ledger = new EngineLedger();
    const [outer, hidden] = [ledger.paper({ signatories: [alice] }), ledger.paper({ signatories: [alice] })];
    const commands = [runPaper(outer, { actors: [dave], steps: [step(hidden)] })];
    const disclosed = [ledger.disclose(outer)];
    expect(ledger.refusal({ commands, actAs: [dave], disclosed, stage })).toEqual(missingAt(stage, hidden));
  });
});

describe("a disclosure", () => {
  const conflict = { code: "DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS", category: 5 };

  test("gives no authority: a fetch needs a stakeholder all the same", () => {
    const ledger = new EngineLedger();
    const [mine, theirs] = [ledger.paper({ signatories: [dave] }), ledger.paper({ signatories: [alice] })];
    const commands = [runPaper(mine, { actors: [dave], steps: [{ do: "fetch", on: theirs }] })];
    const disclosed = [ledger.disclose(theirs)];
    expect(ledger.refusal({ commands, actAs: [dave], disclosed }).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("of a contract the submitter sees must be right as well", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const disclosing = (disclosed: readonly DisclosedContract[]) =>
      asDave(id, { disclosed, readAs: [alice] });
    expect(ledger.interpret(disclosing([ledger.disclose(id)])).kind).toBe("transaction");
    const wrong = { contractId: id, blobHash: sha256("wrong") };
    expect(ledger.refusal(disclosing([wrong]))).toMatchObject({
      ...conflict,
      resources: [["CONTRACT_ID", id]],
    });
  });

  test("two disclosures that contradict each other are refused, in either order, needed or not", () => {
    const ledger = new EngineLedger();
    const [used, other] = [ledger.paper({ signatories: [dave] }), ledger.paper({ signatories: [alice] })];
    const [right, wrong] = [ledger.disclose(other), { contractId: other, blobHash: sha256("wrong") }];
    for (const disclosed of [
      [right, wrong],
      [wrong, right],
    ]) {
      expect(ledger.refusal(asDave(used, { disclosed }))).toMatchObject(conflict);
    }
  });

  test("an unneeded disclosure may be of an archived contract", () => {
    const ledger = new EngineLedger();
    const [used, gone] = [ledger.paper({ signatories: [dave] }), ledger.paper({ signatories: [alice] })];
    const disclosed = [ledger.disclose(gone)];
    ledger.active.delete(gone);
    expect(ledger.interpret(asDave(used, { disclosed })).kind).toBe("transaction");
  });
});

describe("an unreadable contract", () => {
  const content = { createdAt: time("2026-01-01T00:00:00Z"), templateId: Paper.id, payload: "[[],[]]" };

  test.each([
    ["of an unknown template", { ...content, templateId: `${"c".repeat(64)}:Some:Where` }],
    ["with a payload of another type", content],
    ["with a payload that is no JSON", { ...content, payload: "[" }],
  ])("%s is the submitter's mistake before submission, and ours at commit", (_, forged) => {
    const ledger = new EngineLedger();
    const id = contractIdOf(sha256, sha256("forged"), forged);
    ledger.active.set(id, { contractId: id, ...forged });
    const disclosed = [ledger.disclose(id)];
    const early = ledger.interpret(asDave(id, { disclosed, stage: "submission" }));
    expect(early).toMatchObject({
      kind: "failure",
      error: { code: "INVALID_ARGUMENT", category: 8 },
      defect: null,
    });
    const late = ledger.interpret(asDave(id, { disclosed, stage: "commit" }));
    expect(late).toMatchObject({ kind: "failure", error: { code: "SERVICE_INTERNAL_ERROR", category: 4 } });
    expect(late).toHaveProperty("defect.name", "DecodeError");
  });
});
