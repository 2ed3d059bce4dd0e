import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { HOUR, MICROSECOND, MINUTE } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { relTime } from "../rel-time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { onAmuletRules } from "./confirmed-actions.ts";
import type { ActionRequiringConfirmation } from "./declarations/confirmed-action.ts";
import { Confirmation, DsoRules } from "./declarations/dso-rules.ts";

/** A new tick duration for the rounds to come. */
function changeTick(network: DsoFixture, minutes: bigint): ActionRequiringConfirmation {
  const baseConfig = network.only(AmuletRules).payload.configSchedule.initialValue;
  const newConfig = { ...baseConfig, tickDuration: relTime(minutes * MINUTE) };
  return onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig, baseConfig } });
}

function tickMinutes(network: DsoFixture): bigint {
  return network.only(AmuletRules).payload.configSchedule.initialValue.tickDuration.microseconds / MINUTE;
}

function confirmedBy(network: DsoFixture, action: ActionRequiringConfirmation, ...indices: number[]) {
  return indices.map((index) => network.confirm(action, network.sv(index)));
}

describe("confirming an action", () => {
  test("leaves a confirmation for an hour", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const cid = network.confirm(action, network.sv(2));
    expect(network.sandbox.payloadOf(Confirmation, cid)).toEqual({
      dso: network.dso,
      confirmer: network.sv(2),
      action,
      expiresAt: addDuration(network.sandbox.now, HOUR),
    });
    expect(network.sandbox.isActive(network.dsoRules)).toBe(true);
  });

  test("is refused to everybody but SVs", () => {
    const network = new DsoFixture();
    const outsider = testParty("outsider");
    expectUnmet("Confirmer is an SV", () => network.confirm(changeTick(network, 5n), outsider));
  });

  test("is refused to an SV in the name of another", () => {
    const network = new DsoFixture();
    const argument = { confirmer: network.sv(1), action: changeTick(network, 5n) };
    const as = network.asSv(network.sv(0));
    expectUnauthorized(() =>
      network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_ConfirmAction", argument, as),
    );
  });
});

describe("executing a confirmed action", () => {
  test.each([
    { svCount: 1, required: 1 },
    { svCount: 4, required: 3 },
    { svCount: 7, required: 5 },
    { svCount: 13, required: 9 },
  ])("takes $required confirmations of $svCount SVs", ({ svCount, required }) => {
    const network = new DsoFixture({ svCount });
    const action = changeTick(network, 5n);
    const confirmations = network.svs.slice(0, required).map((sv) => network.confirm(action, sv));
    expectUnmet("Enough confirmations", () => network.execute(action, confirmations.slice(1)));
    expect(tickMinutes(network)).toBe(10n);
    network.execute(action, confirmations);
    expect(tickMinutes(network)).toBe(5n);
  });

  test("archives every confirmation it is given, more than needed too, and only those", () => {
    const network = new DsoFixture({ svCount: 7 });
    const action = changeTick(network, 5n);
    const handedIn = confirmedBy(network, action, 0, 1, 2, 3, 4, 5);
    const [surplus] = confirmedBy(network, action, 6);
    const rules = network.amuletRules;
    network.execute(action, handedIn, network.sv(6));
    const transaction = network.sandbox.lastTransaction;
    expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([
      ...handedIn,
      rules,
    ]);
    expect(transaction && listCreated(transaction).map((node) => node.contract.contractId)).toEqual([
      network.amuletRules,
    ]);
    expect(network.sandbox.active(Confirmation).map(({ contractId }) => contractId)).toEqual([surplus]);
  });

  test("happens once: the same confirmations cannot be used again", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const confirmations = confirmedBy(network, action, 0, 1, 2);
    network.execute(action, confirmations);
    expectNotFound(() => network.execute(action, confirmations));
  });

  test("does not count an SV twice", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const confirmations = confirmedBy(network, action, 0, 1, 1);
    expectUnmet("No duplicate confirmers", () => network.execute(action, confirmations));
  });

  test("does not count a confirmation twice", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const [first, second] = confirmedBy(network, action, 0, 1);
    if (first === undefined || second === undefined) throw new Error("two confirmations were made");
    expect(rejectionOf(() => network.execute(action, [first, second, second])).code).toBe(
      "CONTRACT_NOT_ACTIVE",
    );
  });

  test("does not count a confirmation of another action", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const confirmations = [
      ...confirmedBy(network, action, 0, 1),
      ...confirmedBy(network, changeTick(network, 6n), 2),
    ];
    expectUnmet("Confirmed action matches", () => network.execute(action, confirmations));
    expectUnmet("Confirmed action matches", () => network.execute(changeTick(network, 6n), confirmations));
  });

  test("does not count a confirmation of an SV that was offboarded", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const confirmations = confirmedBy(network, action, 0, 1, 3);
    network.offboardSv(network.sv(3));
    expectUnmet("Confirmer is an SV", () => network.execute(action, confirmations));
  });

  test("does not count a confirmation that an SV signed in place of the DSO", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const [forger, victim] = [network.sv(0), network.sv(2)];
    const expiresAt = addDuration(network.sandbox.now, HOUR);
    const forged = network.sandbox.create(
      Confirmation,
      { dso: forger, confirmer: victim, action, expiresAt },
      { actAs: [forger] },
    );
    const confirmations = [...confirmedBy(network, action, 0, 1), forged];
    expectOtherGroup("Confirmation", () => network.execute(action, confirmations, forger));
  });

  test.each([
    { when: "one microsecond before it lapses", after: HOUR - MICROSECOND, executes: true },
    { when: "when it lapses", after: HOUR, executes: false },
    { when: "one microsecond after it lapsed", after: HOUR + MICROSECOND, executes: false },
  ])("counts a confirmation $when: $executes", ({ after, executes }) => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const early = confirmedBy(network, action, 0);
    network.sandbox.advance(after);
    const confirmations = [...early, ...confirmedBy(network, action, 1, 2)];
    if (executes) {
      network.execute(action, confirmations);
      expect(tickMinutes(network)).toBe(5n);
    } else {
      expectTooLate("confirmation.expiresAt", () => network.execute(action, confirmations));
      expect(network.sandbox.active(Confirmation)).toHaveLength(3);
    }
  });
});

describe("expiring a stale confirmation", () => {
  test("removes one that has lapsed, and no other", () => {
    const network = new DsoFixture();
    const action = changeTick(network, 5n);
    const [stale] = confirmedBy(network, action, 0);
    if (stale === undefined) throw new Error("a confirmation was made");
    network.sandbox.advance(HOUR - MICROSECOND);
    const [fresh] = confirmedBy(network, action, 1);
    const expire = () =>
      network.bySv("DsoRules_ExpireStaleConfirmation", { staleConfirmationCid: stale }, network.sv(3));
    expectTooEarly("expiresAt", expire);
    network.sandbox.advance(MICROSECOND);
    expect(expire()).toEqual({});
    expect(network.sandbox.active(Confirmation).map(({ contractId }) => contractId)).toEqual([fresh]);
    expectNotFound(expire);
  });

  test("is refused to the confirmer on the confirmation itself, without DsoRules", () => {
    const network = new DsoFixture();
    const [cid] = confirmedBy(network, changeTick(network, 5n), 0);
    if (cid === undefined) throw new Error("a confirmation was made");
    network.sandbox.advance(HOUR);
    expectUnauthorized(() =>
      network.sandbox.exercise(Confirmation, cid, "Confirmation_Expire", {}, network.asSv()),
    );
  });

  test("refuses one that an SV signed in place of the DSO", () => {
    const network = new DsoFixture();
    const forger = network.sv(0);
    const forged = network.sandbox.create(
      Confirmation,
      { dso: forger, confirmer: forger, action: changeTick(network, 5n), expiresAt: network.sandbox.now },
      { actAs: [forger] },
    );
    expectOtherGroup("Confirmation", () =>
      network.bySv("DsoRules_ExpireStaleConfirmation", { staleConfirmationCid: forged }, forger),
    );
  });
});
