/** A request as a whole: its time, its seed, and that the same request gives the same answer. */
import { describe, expect, test } from "vitest";
import { alice, bob, Iou, Machine, Paper, type Step } from "../../testing/engine-fixture.ts";
import {
  createPaper,
  EngineLedger,
  type EngineSubmission,
  runPaper,
  usePaper,
} from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { addDuration, type Time, time } from "../values/time.ts";
import { exerciseCommand } from "./command.ts";
import { formatTransaction } from "./transaction-text.ts";

const NOON = time("2026-03-01T12:00:00Z");
const later = (micros: bigint): Time => addDuration(NOON, micros);

describe("ledger time", () => {
  const at = (timeBounds: EngineSubmission["timeBounds"] & object) => ({
    commands: [createPaper({ signatories: [alice] })],
    actAs: [alice],
    now: NOON,
    timeBounds,
  });

  test.each([
    ["without bounds", null, null],
    ["at both bounds", NOON, NOON],
    ["a microsecond behind the earliest", later(-1n), null],
    ["a microsecond before the latest", null, later(1n)],
  ])("%s is accepted", (_, earliest, latest) => {
    expect(new EngineLedger().interpret(at({ earliest, latest })).kind).toBe("transaction");
  });

  test.each([
    ["before the earliest", later(1n), null, "2026-03-01T12:00:00.000001Z to open"],
    ["after the latest", null, later(-1n), "open to 2026-03-01T11:59:59.999999Z"],
    ["between bounds that exclude each other", later(1n), later(-1n), ""],
  ])("%s is refused", (_, earliest, latest, bounds) => {
    expect(new EngineLedger().refusal(at({ earliest, latest }))).toMatchObject({
      code: "LEDGER_TIME_OUTSIDE_BOUNDS",
      category: 8,
      cause: expect.stringContaining(bounds),
    });
  });

  test("is the same in every body, in the transaction, and in what it created", () => {
    const ledger = new EngineLedger();
    const machine = ledger.create(Machine, { owner: alice }, [alice]);
    const command = exerciseCommand(Machine, machine, "Machine_Time", {});
    const commands = [command, createPaper({ signatories: [alice] }), command];
    const { results, transaction } = ledger.submit({ commands, actAs: [alice], now: NOON });
    expect([results[0], results[2], transaction.ledgerTime]).toEqual([NOON, NOON, NOON]);
    expect(ledger.contract(results[1] as ContractId).createdAt).toBe(NOON);
  });
});

describe("the same request", () => {
  const steps: readonly Step[] = [
    { do: "create", signatories: [alice], observers: [bob], text: "one ⅓ \u{1f600}" },
    { do: "use", on: 0, actors: [bob] },
    { do: "create", signatories: [bob], text: "two" },
  ];
  const request = (id: ContractId) => ({
    commands: [runPaper(id, { actors: [bob], steps }), createPaper({ signatories: [bob] })],
    actAs: [bob],
    readAs: [alice],
    seed: sha256("seed"),
    now: NOON,
  });

  test("gives the same bytes, on the same engine and on another", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const other = new EngineLedger();
    expect(other.paper({ signatories: [alice] })).toBe(id);
    const texts = [ledger, ledger, other].map((each) => {
      const outcome = each.interpret(request(id));
      return outcome.kind === "transaction" ? formatTransaction(outcome.transaction) : "";
    });
    expect(texts[0]).toContain(sha256(`transaction\n${sha256("seed")}`));
    expect(new Set(texts).size).toBe(1);
  });

  test("at another stage is the same transaction", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const submission = ledger.interpret({ ...request(id), stage: "submission" });
    const commit = ledger.interpret({ ...request(id), stage: "commit" });
    expect(submission.kind).toBe("transaction");
    expect(commit).toEqual(submission);
  });

  test("gives the same error", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const failing = { ...request(id), readAs: [] };
    expect(ledger.refusal(failing)).toEqual(ledger.refusal(failing));
  });

  test("with another seed has another update id and other contracts, of the same content", () => {
    const ledger = new EngineLedger();
    const commands = [createPaper({ signatories: [alice] })];
    const [first, second] = ["1", "2"].map(
      (seed) => ledger.submit({ commands, actAs: [alice], seed }).transaction,
    );
    expect(first?.updateId).toMatch(/^1220[0-9a-f]{64}$/);
    expect(first?.updateId).not.toBe(second?.updateId);
    const [a, b] = [...ledger.active.values()];
    expect(a?.contractId).not.toBe(b?.contractId);
    expect(a?.payload).toBe(b?.payload);
  });
});

test("a contract is looked up once in a transaction, however often it is used", () => {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice] });
  const looked: ContractId[] = [];
  const fetch: Step = { do: "fetch", on: id };
  ledger.engine.interpret({
    commands: [runPaper(id, { actors: [alice], steps: [fetch, fetch] }), usePaper(id, { actors: [alice] })],
    actAs: [alice],
    readAs: [],
    disclosed: [],
    seed: "",
    now: NOON,
    timeBounds: { earliest: null, latest: null },
    stage: "commit",
    findContract: (wanted) => {
      looked.push(wanted);
      return ledger.active.get(wanted);
    },
  });
  expect(looked).toEqual([id]);
});

describe("a program of ours, as at a founding", () => {
  const setting = { seed: "founding", now: NOON, actAs: [alice] };
  const { engine } = new EngineLedger();

  test("makes contracts with the authority it is given, one after the other", () => {
    const outcome = engine.perform(setting, (interpretation) => {
      const iou = interpretation.create(Iou, { issuer: alice, owner: alice, amount: decimal("6.0") });
      return interpretation.exercise(Iou, iou, "Iou_Divide", { divisor: decimal("4.0") });
    });
    expect(outcome).toMatchObject({
      kind: "transaction",
      results: [decimal("1.5")],
      transaction: { ledgerTime: NOON, nodes: [{ kind: "create" }, { choice: "Iou_Divide" }] },
    });
  });

  test("has no other authority, and no contracts to start from", () => {
    const paper = { signatories: [bob], observers: [], text: "" };
    expect(engine.perform(setting, (i) => i.create(Paper, paper))).toMatchObject({
      error: { code: "DAML_AUTHORIZATION_ERROR" },
    });
    const id = `00${"1".repeat(64)}` as ContractId;
    expect(engine.perform(setting, (i) => i.fetch(Paper, id))).toMatchObject({
      error: { code: "LOCAL_VERDICT_INACTIVE_CONTRACTS" },
    });
  });
});
