/** Faults of a command itself are reported before any contract is read. */
import { describe, expect, test } from "vitest";
import { Asset, alice, bob, Iou, Machine, Paper, papers } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, type EngineSubmission, runPaper } from "../../testing/engine-ledger.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { type Command, createCommand, exerciseCommand } from "./command.ts";

/** A contract id that no contract has. */
const NOWHERE = `00${"0".repeat(64)}` as ContractId;

function create(templateId: string, payload: unknown): Command {
  return { tag: "Create", value: { templateId, payload } };
}

function exercise(templateId: string, choice: string, argument: unknown, contractId = NOWHERE): Command {
  return { tag: "Exercise", value: { templateId, contractId, choice, argument } };
}

function createAndExercise(templateId: string, payload: unknown, choice: string, argument: unknown): Command {
  return { tag: "CreateAndExercise", value: { templateId, payload, choice, argument } };
}

function refusalOf(command: Command, rest: Partial<EngineSubmission> = {}) {
  return new EngineLedger().refusal({ commands: [command], actAs: [alice], ...rest });
}

const PAPER = [[alice], [], "words"];
const RUN = [[alice], [], []];

describe("commands", () => {
  test.each([
    ["the package's id", Paper.id],
    ["the package's name", "#test-papers:Test.Papers:Paper"],
  ])("name a template by %s", (_, templateId) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const commands = [
      create(templateId, PAPER),
      exercise(templateId, "Run", RUN, id),
      createAndExercise(templateId, PAPER, "Use", RUN),
    ];
    const { transaction } = ledger.submit({ commands, actAs: [alice] });
    const named = transaction.nodes.map((node) =>
      node.kind === "create" ? node.contract.templateId : node.templateId,
    );
    expect(named).toEqual([Paper.id, Paper.id, Paper.id, Paper.id]);
  });

  test("answer the id of what was created, and what the choice returned", () => {
    const ledger = new EngineLedger();
    const iou = ledger.create(Iou, { issuer: alice, owner: bob, amount: decimal("1.5") }, [alice]);
    const { results, transaction } = ledger.submit({
      commands: [
        createCommand(Iou, { issuer: alice, owner: bob, amount: decimal("2.0") }),
        exerciseCommand(Iou, iou, "Iou_Multiply", { factor: decimal("3.0") }),
        createAndExercise(Iou.id, [bob, bob, "40000000000"], "Iou_Divide", ["20000000000"]),
      ],
      actAs: [alice, bob],
    });
    const [first] = transaction.nodes;
    expect(results).toEqual([
      first?.kind === "create" && first.contract.contractId,
      decimal("4.5"),
      decimal("2.0"),
    ]);
  });

  test("create and exercise in one go leave two nodes of one contract", () => {
    const { transaction } = new EngineLedger().submit({
      commands: [createAndExercise(Paper.id, PAPER, "Use", RUN)],
      actAs: [alice],
    });
    const [created, used] = transaction.nodes;
    expect(transaction.nodes).toHaveLength(2);
    expect(used).toMatchObject({ kind: "exercise", choice: "Use", interfaceId: null });
    expect(used?.kind === "exercise" && used.contractId).toBe(
      created?.kind === "create" && created.contract.contractId,
    );
  });
});

const unknownNames = [
  ["a package id that is unknown", `${"c".repeat(64)}:Test.Papers:Paper`, "PACKAGE_NOT_FOUND", 11],
  ["a package name that is unknown", "#test-nothing:Test.Papers:Paper", "UNRESOLVED_PACKAGE_NAME", 11],
  ["a module that is unknown", `${papers.id}:Test.Letters:Paper`, "TEMPLATES_OR_INTERFACES_NOT_FOUND", 11],
  ["a template that is unknown", "#test-papers:Test.Papers:Letter", "TEMPLATES_OR_INTERFACES_NOT_FOUND", 11],
  [
    "a template of another package",
    "#test-assets:Test.Papers:Paper",
    "TEMPLATES_OR_INTERFACES_NOT_FOUND",
    11,
  ],
  ["no module", "#test-papers:Paper", "INVALID_ARGUMENT", 8],
  ["too many parts", "#test-papers:Test.Papers:Paper:Paper", "INVALID_ARGUMENT", 8],
  ["nothing", "", "INVALID_ARGUMENT", 8],
] as const;

describe.each([
  ["a create", (templateId: string) => create(templateId, PAPER)],
  ["an exercise", (templateId: string) => exercise(templateId, "Run", RUN)],
  ["a create-and-exercise", (templateId: string) => createAndExercise(templateId, PAPER, "Run", RUN)],
])("%s that names", (_, command) => {
  test.each(unknownNames)("%s is refused", (_what, templateId, code, category) => {
    expect(refusalOf(command(templateId))).toMatchObject({ code, category });
  });
});

test.each([
  ["a create", create(Asset.id, [])],
  ["a create-and-exercise", createAndExercise("#test-assets:Test.Assets:Asset", [], "Asset_Ask", [alice])],
])("%s needs a template, not an interface", (_, command) => {
  expect(refusalOf(command)).toMatchObject({
    code: "INVALID_ARGUMENT",
    category: 8,
    cause: `${command.value.templateId} is an interface; a template is needed here`,
  });
});

describe("a choice that is unknown is refused", () => {
  test.each(["Walk", "run", "", "constructor", "toString", "__proto__"])("%j", (choice) => {
    const cause = `#test-papers:Test.Papers:Paper has no choice ${JSON.stringify(choice)}`;
    const expected = { code: "COMMAND_PREPROCESSING_FAILED", category: 8, cause };
    const ref = "#test-papers:Test.Papers:Paper";
    expect(refusalOf(exercise(ref, choice, RUN))).toMatchObject(expected);
    expect(refusalOf(createAndExercise(ref, PAPER, choice, RUN))).toMatchObject(expected);
  });

  test("of an interface too", () => {
    expect(refusalOf(exercise(Asset.id, "Asset_Sell", []))).toMatchObject({
      code: "COMMAND_PREPROCESSING_FAILED",
      cause: `${Asset.id} has no choice "Asset_Sell"`,
    });
  });
});

describe("an argument of the wrong type is refused with its place", () => {
  const malformed = (command: Command) => {
    const { code, category, cause } = refusalOf(command);
    return { code, category, place: /at '(.*)'$/.exec(cause)?.[1] };
  };

  test.each([
    ["no record", create(Paper.id, "words"), "createArguments"],
    ["an object", create(Paper.id, { signatories: [alice] }), "createArguments"],
    ["a field too many", create(Paper.id, [[alice], [], "words", null]), "createArguments"],
    ["a missing field", create(Paper.id, [[alice], []]), "createArguments.text"],
    ["a number where a text is due", create(Paper.id, [[alice], [], 1]), "createArguments.text"],
    ["no party", create(Paper.id, [[alice, "bob"], [], ""]), "createArguments.signatories[1]"],
    ["no number", create(Iou.id, [alice, bob, "1.5"]), "createArguments.amount"],
    ["a choice's number", exercise(Machine.id, "Machine_Descend", [true]), "choiceArgument.levels"],
    ["a choice's contract id", exercise(Machine.id, "Machine_Ask", ["0x"]), "choiceArgument.asset"],
    ["an interface's choice's party", exercise(Asset.id, "Asset_Ask", [null]), "choiceArgument.asker"],
    ["an archive's", exercise(Paper.id, "Archive", ["now"]), "choiceArgument"],
    [
      "a payload to be exercised",
      createAndExercise(Iou.id, [alice], "Iou_Divide", ["1"]),
      "createArguments.owner",
    ],
    ["its argument", createAndExercise(Machine.id, [alice], "Machine_Fail", [[]]), "choiceArgument.how"],
  ])("%s", (_, command, place) => {
    expect(malformed(command)).toEqual({ code: "COMMAND_PREPROCESSING_FAILED", category: 8, place });
  });

  test.each([
    ["U+0000", "a\u0000b"],
    ["half a surrogate pair", "\ud83d"],
  ])("text with %s, which cannot be stored everywhere", (_, words) => {
    expect(malformed(create(Paper.id, [[alice], [], words]))).toEqual({
      code: "MALFORMED_TEXT",
      category: 8,
      place: "createArguments.text",
    });
  });
});

describe("all commands are checked before the first one runs", () => {
  test("a bad command is reported although an earlier command would fail on its contract", () => {
    const commands = [runPaper(NOWHERE, { actors: [alice] }), create(Paper.id, [])];
    expect(refusalOf(createPaper({ signatories: [alice] }), { commands }).code).toBe(
      "COMMAND_PREPROCESSING_FAILED",
    );
  });

  test("a bad choice name or argument is reported although the contract is missing too", () => {
    expect(refusalOf(exercise("#test-nothing:A:B", "Run", RUN)).code).toBe("UNRESOLVED_PACKAGE_NAME");
    expect(refusalOf(exercise(Paper.id, "Run", [])).code).toBe("COMMAND_PREPROCESSING_FAILED");
    expect(refusalOf(exercise(Paper.id, "Run", RUN)).code).toBe("CONTRACT_NOT_FOUND");
  });
});

test("a contract of another template than the command names is refused, to who sees it", () => {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice] });
  const commands = [exercise(Machine.id, "Machine_Time", [], id)];
  expect(ledger.refusal({ commands, actAs: [alice] })).toMatchObject({
    code: "WRONGLY_TYPED_CONTRACT",
    category: 9,
    cause: `Contract ${id} is a ${Paper.id}, not a ${Machine.id}`,
  });
  expect(ledger.refusal({ commands, actAs: [bob] }).code).toBe("CONTRACT_NOT_FOUND");
});

test("a body that fetches a contract of another template than it expects fails", () => {
  const ledger = new EngineLedger();
  const machine = ledger.create(Machine, { owner: alice }, [alice]);
  const paper = ledger.paper({ signatories: [alice] });
  for (const what of ["fetch", "archive"] as const) {
    const commands = [runPaper(paper, { actors: [alice], steps: [{ do: what, on: machine }] })];
    expect(ledger.refusal({ commands, actAs: [alice] }).code).toBe("WRONGLY_TYPED_CONTRACT");
  }
});
