/** Failures of contract code, and the errors that clients see. */
import { describe, expect, test } from "vitest";
import { alice, bob, Iou, Machine } from "../../testing/engine-fixture.ts";
import { EngineLedger } from "../../testing/engine-ledger.ts";
import { decimal } from "../values/decimal.ts";
import type { PartyId } from "../values/party-id.ts";
import { createCommand, exerciseCommand } from "./command.ts";
import { MAX_SHOWN_CHARACTERS } from "./limits.ts";

const EXCEPTION = "UNHANDLED_EXCEPTION/DA.Exception";
const ARITHMETIC = `${EXCEPTION}.ArithmeticError:ArithmeticError`;

/** A machine of Alice's that breaks down. */
function breaking(how: string) {
  const ledger = new EngineLedger();
  const machine = ledger.create(Machine, { owner: alice }, [alice]);
  const commands = [exerciseCommand(Machine, machine, "Machine_Fail", { how })];
  return () => ledger.interpret({ commands, actAs: [alice] });
}

function userFailure(errorId: string, category: number, message: string) {
  return `Interpretation error: Error: User failure: ${errorId} (error category ${category}): ${message}`;
}

describe("a contract that fails names what happened", () => {
  const splice = "splice.lfdecentralizedtrust.org";

  test.each([
    [
      "assertion",
      `${EXCEPTION}.AssertionFailed:AssertionFailed`,
      "The requirement 'the machine works' was not met.",
    ],
    ["abort", `${EXCEPTION}.GeneralError:GeneralError`, "the machine stopped"],
  ])("with an %s", (how, errorId, message) => {
    expect(breaking(how)()).toEqual({
      kind: "failure",
      error: {
        code: "DAML_FAILURE",
        cause: userFailure(errorId, 9, message),
        category: 9,
        context: { error_id: errorId },
        resources: [],
      },
      defect: null,
    });
  });

  test.each([
    ["funds", `${splice}/insufficient-funds`, 9, { requiredAmount: "7" }],
    ["inputs", `${splice}/maximum-inputs-exceeded`, 8, {}],
  ] as const)("with a status of its own: %s", (how, errorId, category, metadata) => {
    expect(breaking(how)()).toMatchObject({
      error: { code: "DAML_FAILURE", category, context: { error_id: errorId, ...metadata } },
      defect: null,
    });
  });
});

describe("arithmetic without a result", () => {
  const arithmetic = { code: "DAML_FAILURE", category: 9, context: { error_id: ARITHMETIC } };

  test.each(["overflow", "division by zero", "result out of range", "argument out of range"])(
    "is Daml's arithmetic failure: %s",
    (how) => {
      expect(breaking(how)()).toMatchObject({ kind: "failure", error: arithmetic, defect: null });
    },
  );

  test.each([
    ["Iou_Divide", { divisor: decimal("0.0") }],
    ["Iou_Multiply", { factor: decimal("1000000000000000000000000000.0") }],
  ] as const)("of decimals too: %s", (choice, argument) => {
    const ledger = new EngineLedger();
    const iou = ledger.create(Iou, { issuer: alice, owner: bob, amount: decimal("10.0") }, [alice]);
    const commands = [exerciseCommand(Iou, iou, choice, argument as never)];
    expect(ledger.refusal({ commands, actAs: [bob] })).toMatchObject(arithmetic);
  });
});

describe("`ensure`", () => {
  const issuing = (amount: string, actAs: readonly PartyId[]) => ({
    commands: [createCommand(Iou, { issuer: alice, owner: bob, amount: decimal(amount) })],
    actAs,
  });
  const violated = {
    code: "DAML_FAILURE",
    category: 9,
    context: { error_id: `${EXCEPTION}.PreconditionFailed:PreconditionFailed` },
  };

  test("a precondition that holds lets the contract be created", () => {
    expect(new EngineLedger().interpret(issuing("0.0000000001", [alice])).kind).toBe("transaction");
  });

  test("a failed precondition refuses a create by command and shows the payload", () => {
    const payload = `Iou {issuer = '${alice}', owner = '${bob}', amount = 0.0}`;
    const cause = expect.stringMatching(new RegExp(`: Template precondition violated: ${payload}$`));
    expect(new EngineLedger().refusal(issuing("0.0", [alice]))).toMatchObject({ ...violated, cause });
  });

  test("a failed precondition shows the beginning of a long payload", () => {
    const long = `${"x".repeat(185)}::${"f".repeat(68)}` as PartyId;
    const commands = [createCommand(Iou, { issuer: long, owner: long, amount: decimal("0.0") })];
    const { cause } = new EngineLedger().refusal({ commands, actAs: [long] });
    const shown = cause.slice(cause.indexOf("Iou {"));
    expect(shown).toHaveLength(MAX_SHOWN_CHARACTERS);
    expect(shown.startsWith(`Iou {issuer = '${long}', owner = 'xx`)).toBe(true);
  });

  test("a failed precondition refuses a create from a choice's body", () => {
    const ledger = new EngineLedger();
    const machine = ledger.create(Machine, { owner: alice }, [alice]);
    const commands = [exerciseCommand(Machine, machine, "Machine_Issue", { amount: decimal("-1.0") })];
    expect(ledger.refusal({ commands, actAs: [alice] })).toMatchObject(violated);
  });

  test("is evaluated before authority is checked", () => {
    expect(new EngineLedger().refusal(issuing("0.0", [bob]))).toMatchObject(violated);
    expect(new EngineLedger().refusal(issuing("1.0", [bob])).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("may abort by itself", () => {
    expect(new EngineLedger().refusal(issuing("13.0", [alice]))).toMatchObject({
      code: "DAML_FAILURE",
      category: 9,
      context: { error_id: `${EXCEPTION}.GeneralError:GeneralError` },
      cause: expect.stringMatching(/: 13 brings bad luck$/),
    });
  });
});

describe("a defect of contract code", () => {
  test("rejects the submission without details and is returned for logging", () => {
    const outcome = breaking("defect")();
    expect(outcome).toMatchObject({
      kind: "failure",
      error: { code: "SERVICE_INTERNAL_ERROR", category: 4, context: {}, resources: [] },
      defect: new TypeError("a wheel came off"),
    });
    expect(outcome.kind === "failure" && outcome.error.cause).not.toContain("wheel");
  });

  test("rejects too if the code goes on after a failure, with the authority of what failed", () => {
    expect(breaking("failure swallowed")()).toMatchObject({
      kind: "failure",
      error: { code: "SERVICE_INTERNAL_ERROR" },
      defect: new Error("contract code went on after an exercise that failed"),
    });
  });

  test("is thrown if it depends on the machine: other replicas may have come further", () => {
    expect(breaking("machine")).toThrow(RangeError);
  });
});
