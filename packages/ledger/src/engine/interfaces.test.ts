/** Views and choices of an interface, on contracts whose template implements it and on others. */
import { describe, expect, test } from "vitest";
import { Asset, alice, bob, carol, Iou, Machine, Paper } from "../../testing/engine-fixture.ts";
import { EngineLedger } from "../../testing/engine-ledger.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { type Command, exerciseCommand } from "./command.ts";

const TEN = decimal("10.0");

/** Alice owes Bob ten. */
function withIou() {
  const ledger = new EngineLedger();
  const iou = ledger.create(Iou, { issuer: alice, owner: bob, amount: TEN }, [alice]);
  return { ledger, iou };
}

function command(templateId: string, contractId: ContractId, choice: string, argument: unknown): Command {
  return { tag: "Exercise", value: { templateId, contractId, choice, argument } };
}

describe("a choice of an interface", () => {
  test.each([
    ["by the package's id", Asset.id],
    ["by the package's name", "#test-assets:Test.Assets:Asset"],
  ])("is exercised on a contract that implements it, %s", (_, templateId) => {
    const { ledger, iou } = withIou();
    const { transaction, results } = ledger.submit({
      commands: [command(templateId, iou, "Asset_Give", [carol])],
      actAs: [bob],
    });
    const [made] = results as [ContractId];
    expect(transaction.nodes).toMatchObject([
      {
        contractId: iou,
        templateId: Iou.id,
        interfaceId: Asset.id,
        choice: "Asset_Give",
        consuming: true,
        actingParties: [bob],
        argument: { value: { newOwner: carol }, text: `["${carol}"]` },
        result: { value: made, text: `"${made}"` },
      },
      { kind: "create", value: { issuer: alice, owner: carol, amount: TEN } },
    ]);
    expect([...ledger.active.keys()]).toEqual([made]);
  });

  test("needs the controllers that the implementation names", () => {
    const { ledger, iou } = withIou();
    const give = exerciseCommand(Asset, iou, "Asset_Give", { newOwner: carol });
    expect(ledger.refusal({ commands: [give], actAs: [alice] }).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("is exercised from the body of another choice", () => {
    const { ledger, iou } = withIou();
    const machine = ledger.create(Machine, { owner: bob }, [bob]);
    const { transaction, results } = ledger.submit({
      commands: [exerciseCommand(Machine, machine, "Machine_Ask", { asset: iou })],
      actAs: [bob],
    });
    expect(results).toEqual([TEN]);
    expect(transaction.nodes[1]).toMatchObject({
      choice: "Asset_Ask",
      interfaceId: Asset.id,
      templateId: Iou.id,
    });
  });

  test("shows no interface where the template's own choice was exercised", () => {
    const { ledger, iou } = withIou();
    const multiply = exerciseCommand(Iou, iou, "Iou_Multiply", { factor: TEN });
    const { transaction } = ledger.submit({ commands: [multiply], actAs: [bob] });
    expect(transaction.nodes[0]).toMatchObject({ interfaceId: null, choice: "Iou_Multiply" });
  });

  test("archives a contract that is named by its interface, with the signatories' authority", () => {
    const { ledger, iou } = withIou();
    const archive = command(Asset.id, iou, "Archive", []);
    expect(ledger.refusal({ commands: [archive], actAs: [bob] }).code).toBe("DAML_AUTHORIZATION_ERROR");
    const { transaction } = ledger.submit({ commands: [archive], actAs: [alice] });
    expect(transaction.nodes).toMatchObject([{ choice: "Archive", consuming: true, interfaceId: Asset.id }]);
    expect(ledger.active.size).toBe(0);
  });

  test("is no choice of the template, nor the other way round", () => {
    const { ledger, iou } = withIou();
    const crossed = [
      command(Iou.id, iou, "Asset_Give", [carol]),
      command(Asset.id, iou, "Iou_Multiply", ["1"]),
    ];
    for (const wrong of crossed) {
      expect(ledger.refusal({ commands: [wrong], actAs: [bob] })).toMatchObject({
        code: "COMMAND_PREPROCESSING_FAILED",
        category: 8,
      });
    }
  });
});

describe("a view", () => {
  const viewing = (owner: typeof alice) => {
    const { ledger, iou } = withIou();
    const machine = ledger.create(Machine, { owner }, [owner]);
    const view = exerciseCommand(Machine, machine, "Machine_View", { asset: iou });
    return { ledger, submission: { commands: [view], actAs: [owner], readAs: [alice] } };
  };

  test.each([
    ["a signatory", alice],
    ["an observer", bob],
  ])("shows the contract through its interface to %s", (_, owner) => {
    const { ledger, submission } = viewing(owner);
    const { transaction, results } = ledger.submit(submission);
    expect(results).toEqual([{ owner: bob, amount: TEN }]);
    expect(transaction.nodes).toHaveLength(1);
  });

  test("needs a stakeholder", () => {
    const { ledger, submission } = viewing(carol);
    expect(ledger.refusal(submission).code).toBe("DAML_AUTHORIZATION_ERROR");
  });
});

describe("a contract whose template does not implement the interface is refused", () => {
  const unfit = { code: "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE", category: 8 };

  test("to a command", () => {
    const ledger = new EngineLedger();
    const paper = ledger.paper({ signatories: [bob] });
    const ask = exerciseCommand(Asset, paper, "Asset_Ask", { asker: bob });
    expect(ledger.refusal({ commands: [ask], actAs: [bob] })).toMatchObject(unfit);
  });

  test.each(["Machine_Ask", "Machine_View"] as const)("to %s, from a choice's body", (choice) => {
    const ledger = new EngineLedger();
    const machine = ledger.create(Machine, { owner: bob }, [bob]);
    const asset = ledger.paper({ signatories: [bob] });
    const commands = [exerciseCommand(Machine, machine, choice, { asset })];
    expect(ledger.refusal({ commands, actAs: [bob] })).toMatchObject(unfit);
  });

  test("to an archive through the interface", () => {
    const ledger = new EngineLedger();
    const paper = ledger.paper({ signatories: [bob] });
    const commands = [command(Asset.id, paper, "Archive", [])];
    expect(ledger.refusal({ commands, actAs: [bob] })).toMatchObject(unfit);
    expect(ledger.contract(paper).templateId).toBe(Paper.id);
  });
});
