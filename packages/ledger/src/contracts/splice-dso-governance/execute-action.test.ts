import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { collectAction, NameOwner, rejectAction } from "../../../testing/dso-names.ts";
import { expectOtherGroup, rejectionOf } from "../../../testing/rejection.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { relTime } from "../rel-time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import { onAmuletRules } from "./confirmed-actions.ts";
import type { ActionRequiringConfirmation } from "./declarations/confirmed-action.ts";

/** One SV is a quorum by itself. */
function execute(
  network: DsoFixture,
  action: ActionRequiringConfirmation,
  amuletRulesCid: ContractId | null,
) {
  const confirmationCids = [network.confirm(action, network.sv(0))];
  return network.bySv("DsoRules_ExecuteConfirmedAction", { action, amuletRulesCid, confirmationCids });
}

function changeFee(network: DsoFixture): ActionRequiringConfirmation {
  const baseConfig = network.only(AmuletRules).payload.configSchedule.initialValue;
  const newConfig = { ...baseConfig, transferPreapprovalFee: decimal("0.5") };
  return onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig, baseConfig } });
}

describe("a change of the coin's configuration", () => {
  test("changes what it names and leaves what was changed meanwhile", () => {
    const network = new DsoFixture({ svCount: 1 });
    const feeAction = changeFee(network);
    const before = network.only(AmuletRules).payload.configSchedule.initialValue;
    const tickAction = onAmuletRules({
      tag: "CRARC_SetConfig",
      value: { newConfig: { ...before, tickDuration: relTime(5n * MINUTE) }, baseConfig: before },
    });
    expect(execute(network, tickAction, network.amuletRules)).toEqual({});
    expect(execute(network, feeAction, network.amuletRules)).toEqual({});
    expect(network.only(AmuletRules).payload.configSchedule).toEqual({
      initialValue: { ...before, tickDuration: relTime(5n * MINUTE), transferPreapprovalFee: decimal("0.5") },
      futureValues: [],
    });
  });

  test("fails if the coin's rules are not named", () => {
    const network = new DsoFixture({ svCount: 1 });
    const { code, cause } = rejectionOf(() => execute(network, changeFee(network), null));
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toMatch(/: amuletRulesCid was not defined\.$/);
  });

  test("fails on rules that an SV signed in place of the DSO", () => {
    const network = new DsoFixture({ svCount: 1 });
    const sv = network.sv(0);
    const { payload } = network.only(AmuletRules);
    const action = changeFee(network);
    const forged = network.sandbox.create(AmuletRules, { ...payload, dso: sv }, { actAs: [sv] });
    expectOtherGroup("AmuletRules", () => execute(network, action, forged));
  });
});

describe("a decision on the first payment for a name", () => {
  test.each([collectAction, rejectAction])("needs no rules of the coin beside the action: %o", (decide) => {
    const network = new DsoFixture({ svCount: 1 });
    const owner = new NameOwner(network, "alice");
    owner.tap("200.0");
    const { contextCid, requestCid } = owner.request({ name: "alice.unverified.cns" });
    const paymentCid = owner.accept(requestCid);
    expect(execute(network, decide(network, contextCid, paymentCid), null)).toEqual({});
    expect(network.sandbox.isActive(paymentCid)).toBe(false);
    expect(network.sandbox.isActive(contextCid)).toBe(true);
  });

  test("fails on a context that an SV signed in place of the DSO", () => {
    const network = new DsoFixture({ svCount: 1 });
    const owner = new NameOwner(network, "alice");
    owner.tap("200.0");
    const { contextCid, requestCid } = owner.request({ name: "alice.unverified.cns" });
    const paymentCid = owner.accept(requestCid);
    const context = network.sandbox.payloadOf(AnsEntryContext, contextCid);
    const sv = network.sv(0);
    const forged = network.sandbox.create(
      AnsEntryContext,
      { ...context, dso: sv, user: sv },
      { actAs: [sv] },
    );
    expectOtherGroup("AnsEntryContext", () =>
      execute(network, collectAction(network, forged, paymentCid), null),
    );
  });
});

test("the constructor that is reserved for later versions uses up its confirmations and does nothing else", () => {
  const network = new DsoFixture({ svCount: 1 });
  const action = { tag: "ExtActionRequiringConformation", value: { dummyUnitField: {} } } as const;
  expect(execute(network, action, null)).toEqual({});
  expect(shapeOf(network.sandbox)).toEqual([
    "DsoRules_ExecuteConfirmedAction DsoRules",
    "Archive Confirmation",
  ]);
});
