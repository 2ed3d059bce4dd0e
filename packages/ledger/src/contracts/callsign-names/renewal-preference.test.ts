import { expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { expectNotFound, expectUnauthorized } from "../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { decimal } from "../../values/decimal.ts";
import { relTime } from "../rel-time.ts";
import { AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import { RenewalPreference } from "./declarations/names.ts";

const subscriber = testParty("alice");
const walletProvider = testParty("validator");
const stranger = testParty("mallory");

function switchedOff() {
  const sandbox = new Sandbox();
  const dso = testParty("DSO");
  const config = {
    renewalDuration: relTime(1n),
    entryLifetime: relTime(1n),
    entryFee: decimal("1.0"),
    descriptionPrefix: "",
  };
  const rules = sandbox.create(AnsRules, { dso, config }, { actAs: [dso] });
  const request = { name: "alice.unverified.cns", url: "", description: "", user: subscriber };
  const as = { actAs: [subscriber], disclose: [rules] };
  const { requestCid: reference } = sandbox.exercise(AnsRules, rules, "AnsRules_RequestEntry", request, as);
  const payload = { subscriber, walletProvider, reference, autoRenew: false };
  const cid = sandbox.create(RenewalPreference, payload, { actAs: [subscriber] });
  return { sandbox, cid, payload };
}

test("the subscriber switches renewal off and on again; each change replaces the preference", () => {
  const { sandbox, cid: off, payload } = switchedOff();
  const as = { actAs: [subscriber] };
  const { preference: on } = sandbox.exercise(
    RenewalPreference,
    off,
    "RenewalPreference_Set",
    { autoRenew: true },
    as,
  );
  const transaction = sandbox.lastTransaction;
  expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([off]);
  expect(transaction && listCreated(transaction).map((node) => node.contract.contractId)).toEqual([on]);
  expect(sandbox.payloadOf(RenewalPreference, on)).toEqual({ ...payload, autoRenew: true });
  const set = () =>
    sandbox.exercise(RenewalPreference, off, "RenewalPreference_Set", { autoRenew: false }, as);
  expectNotFound(set);
});

test("the subscriber removes a preference", () => {
  const { sandbox, cid } = switchedOff();
  const as = { actAs: [subscriber] };
  expect(sandbox.exercise(RenewalPreference, cid, "RenewalPreference_Remove", {}, as)).toEqual({});
  expect(sandbox.active(RenewalPreference)).toEqual([]);
});

test("the wallet's provider sees a preference and can neither change, remove nor archive it", () => {
  const { sandbox, cid } = switchedOff();
  const as = { actAs: [walletProvider] };
  expectUnauthorized(() =>
    sandbox.exercise(RenewalPreference, cid, "RenewalPreference_Set", { autoRenew: true }, as),
  );
  expectUnauthorized(() => sandbox.exercise(RenewalPreference, cid, "RenewalPreference_Remove", {}, as));
  expectUnauthorized(() => archiveContract(sandbox, RenewalPreference, cid, as));
});

test("no other party sees a preference, or changes a disclosed one", () => {
  const { sandbox, cid } = switchedOff();
  const set = (disclose: readonly (typeof cid)[]) => () =>
    sandbox.exercise(
      RenewalPreference,
      cid,
      "RenewalPreference_Set",
      { autoRenew: true },
      { actAs: [stranger], disclose },
    );
  expectNotFound(set([]));
  expectUnauthorized(set([cid]));
});

test("no party creates a preference in another's name", () => {
  const { sandbox, payload } = switchedOff();
  expectUnauthorized(() => sandbox.create(RenewalPreference, payload, { actAs: [walletProvider] }));
});
