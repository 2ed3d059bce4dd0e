import { describe, expect, test } from "vitest";
import { type Preapproved, preapproved } from "../../../../testing/preapproval-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { bob, inputAmulet, validator } from "../../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, type Time } from "../../../values/time.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { TransferPreapproval } from "../declarations/transfer-preapproval.ts";

describe("TransferPreapproval_Renew", () => {
  const renew = (
    { network, sandbox, preapprovalCid }: Preapproved,
    given: { inputs: readonly ContractId[]; newExpiresAt: Time; by?: readonly PartyId[]; rules?: ContractId },
  ) =>
    sandbox.exercise(
      TransferPreapproval,
      preapprovalCid,
      "TransferPreapproval_Renew",
      {
        context: { ...network.paymentContext(), amuletRules: given.rules ?? network.amuletRules },
        inputs: given.inputs.map(inputAmulet),
        newExpiresAt: given.newExpiresAt,
      },
      {
        actAs: given.by ?? [validator],
        disclose: [...network.disclosures(), ...(given.rules === undefined ? [] : [given.rules])],
      },
    );

  test("burns the fee of the time added and keeps the beginning", () => {
    const setting = preapproved();
    const { network, sandbox, dso, preapprovalCid, expiresAt } = setting;
    const before = sandbox.payloadOf(TransferPreapproval, preapprovalCid);
    sandbox.advance(HOUR);
    const inputs = [network.tap(validator, "10.0")];
    // Two days more, whenever it is renewed: 2 × 0.548.
    const newExpiresAt = addDuration(expiresAt, 2n * DAY);
    const result = renew(setting, { inputs, newExpiresAt });
    expect(result).toMatchObject({ receiver: bob, provider: validator, amuletPaid: decimal("1.096") });
    expect(result.meta?.values).toContainEqual([
      "splice.lfdecentralizedtrust.org/reason",
      "renew TransferPreapproval",
    ]);
    expect(sandbox.payloadOf(TransferPreapproval, result.transferPreapprovalCid)).toEqual({
      ...before,
      lastRenewedAt: sandbox.now,
      expiresAt: newExpiresAt,
    });
    expect(changesOf(sandbox)).toEqual({
      archived: ["TransferPreapproval", "Amulet"],
      created: ["Amulet", "ValidatorRewardCoupon", "TransferPreapproval"],
    });
    expect(network.burnCoupons()).toMatchObject([{ user: validator, amount: decimal("1.096") }]);
    expect(coinsOf(network, validator)).toEqual(["8.904"]);
    expect(exercisesOf(sandbox)).toEqual([
      ["TransferPreapproval_Renew", [validator]],
      ["AmuletRules_Fetch", [dso]],
      ["OpenMiningRound_Fetch", [dso]],
      ["Archive", [dso, validator]],
      ["Archive", [dso, validator]],
    ]);
    expectNotFound(() => renew(setting, { inputs, newExpiresAt }));
  });

  test("only makes it longer", () => {
    const setting = preapproved();
    const { network, expiresAt } = setting;
    const inputs = [network.tap(validator, "10.0")];
    expectUnmet("newExpiresAt is after expiresAt", () => renew(setting, { inputs, newExpiresAt: expiresAt }));
    renew(setting, { inputs, newExpiresAt: addDuration(expiresAt, HOUR) });
  });

  test("works until one microsecond before it expires", () => {
    const [setting, late] = [preapproved(), preapproved()];
    for (const { sandbox, expiresAt } of [setting, late]) sandbox.now = addDuration(expiresAt, -1n);
    late.sandbox.advance(1n);
    const renewal = ({ network, expiresAt }: typeof setting) => ({
      inputs: [network.tap(validator, "10.0")],
      newExpiresAt: addDuration(expiresAt, DAY),
    });
    renew(setting, renewal(setting));
    expectUnmet("Contract is not expired", () => renew(late, renewal(late)));
  });

  test("is bound by the rules of its own DSO", () => {
    const setting = preapproved();
    const { network, sandbox, expiresAt } = setting;
    const other = testParty("other-dso");
    const payload = { ...sandbox.payloadOf(AmuletRules, network.amuletRules), dso: other };
    const inputs = [network.tap(validator, "10.0")];
    const rules = sandbox.create(AmuletRules, payload, { actAs: [other] });
    const newExpiresAt = addDuration(expiresAt, DAY);
    expectOtherGroup("AmuletRules", () => renew(setting, { inputs, newExpiresAt, rules }));
  });

  test("is exercised by the provider alone", () => {
    const setting = preapproved();
    const newExpiresAt = addDuration(setting.expiresAt, DAY);
    expectUnauthorized(() => renew(setting, { inputs: [], newExpiresAt, by: [bob] }));
  });
});

describe("the end of a preapproval", () => {
  const end = (
    { sandbox, preapprovalCid }: Preapproved,
    how: "Expire" | { readonly p: PartyId },
    actAs: readonly PartyId[],
  ) =>
    how === "Expire"
      ? sandbox.exercise(TransferPreapproval, preapprovalCid, "TransferPreapproval_Expire", {}, { actAs })
      : sandbox.exercise(TransferPreapproval, preapprovalCid, "TransferPreapproval_Cancel", how, { actAs });

  test.each([bob, validator])("comes early if receiver or provider cancels, as %s", (p) => {
    const setting = preapproved();
    setting.sandbox.now = addDuration(setting.expiresAt, -1n);
    expect(end(setting, { p }, [p])).toEqual({});
    expect(changesOf(setting.sandbox)).toEqual({ archived: ["TransferPreapproval"], created: [] });
    expectNotFound(() => end(setting, { p }, [p]));
  });

  test("is refused to other parties", () => {
    const setting = preapproved();
    const { dso } = setting;
    expectUnmet(`Controller '${dso}' is either receiver or provider`, () => end(setting, { p: dso }, [dso]));
    expectUnauthorized(() => end(setting, { p: bob }, [validator]));
  });

  test("cannot be cancelled any more once it has come, but be expired by the DSO", () => {
    const setting = preapproved();
    const { sandbox, dso, expiresAt } = setting;
    sandbox.now = addDuration(expiresAt, -1n);
    expectUnmet("Contract has expired", () => end(setting, "Expire", [dso]));
    sandbox.now = expiresAt;
    for (const p of [bob, validator]) {
      expectTooLate("TransferPreapproval.expiresAt", () => end(setting, { p }, [p]));
    }
    expectUnauthorized(() => end(setting, "Expire", [bob, validator]));
    expect(end(setting, "Expire", [dso])).toEqual({});
    expect(sandbox.isActive(setting.preapprovalCid)).toBe(false);
  });
});
