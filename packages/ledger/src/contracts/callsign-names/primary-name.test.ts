import { expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { expectNotFound, expectUnauthorized, rejectionOf } from "../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { time } from "../../values/time.ts";
import { PrimaryName } from "./declarations/primary-name.ts";

const user = testParty("alice");
const dso = testParty("DSO");
const stranger = testParty("mallory");
const asUser = { actAs: [user] };
const first = { name: "alice.unverified.cns", expiresAt: time("2026-04-01T00:00:00Z") };
const second = { name: "wonder.unverified.cns", expiresAt: time("2026-05-01T00:00:00Z") };

function given() {
  const sandbox = new Sandbox();
  const cid = sandbox.create(PrimaryName, { dso, user, ...first }, asUser);
  return { sandbox, cid };
}

test("the party chooses another name, which replaces the one before", () => {
  const { sandbox, cid } = given();
  const set = () => sandbox.exercise(PrimaryName, cid, "PrimaryName_Set", second, asUser);
  const { primaryName } = set();
  const transaction = sandbox.lastTransaction;
  expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([cid]);
  expect(transaction && listCreated(transaction).map((node) => node.contract.contractId)).toEqual([
    primaryName,
  ]);
  expect(sandbox.payloadOf(PrimaryName, primaryName)).toEqual({ dso, user, ...second });
  expectNotFound(set);
});

test("the party removes its primary name", () => {
  const { sandbox, cid } = given();
  expect(sandbox.exercise(PrimaryName, cid, "PrimaryName_Remove", {}, asUser)).toEqual({});
  expect(sandbox.active(PrimaryName)).toEqual([]);
});

test("the DSO sees a primary name and can neither change, remove nor archive it", () => {
  const { sandbox, cid } = given();
  const as = { actAs: [dso] };
  expectUnauthorized(() => sandbox.exercise(PrimaryName, cid, "PrimaryName_Set", second, as));
  expectUnauthorized(() => sandbox.exercise(PrimaryName, cid, "PrimaryName_Remove", {}, as));
  expectUnauthorized(() => archiveContract(sandbox, PrimaryName, cid, as));
});

test("no other party sees a primary name, or changes a disclosed one", () => {
  const { sandbox, cid } = given();
  const set = (disclose: readonly (typeof cid)[]) => () =>
    sandbox.exercise(PrimaryName, cid, "PrimaryName_Set", second, { actAs: [stranger], disclose });
  expectNotFound(set([]));
  expectUnauthorized(set([cid]));
});

test.each([dso, stranger])("no party sets a primary name in another's name: %s", (party) => {
  const { sandbox } = given();
  expectUnauthorized(() => sandbox.create(PrimaryName, { dso, user, ...second }, { actAs: [party] }));
});

test("a text that is longer than any name is refused, also as the next name", () => {
  const { sandbox, cid } = given();
  const longest = { ...second, name: "a".repeat(60) };
  const longer = { ...second, name: "a".repeat(61) };
  const { primaryName } = sandbox.exercise(PrimaryName, cid, "PrimaryName_Set", longest, asUser);
  const set = () => sandbox.exercise(PrimaryName, primaryName, "PrimaryName_Set", longer, asUser);
  for (const attempt of [set, () => sandbox.create(PrimaryName, { dso, user, ...longer }, asUser)])
    expect(rejectionOf(attempt).cause).toContain("precondition");
});
