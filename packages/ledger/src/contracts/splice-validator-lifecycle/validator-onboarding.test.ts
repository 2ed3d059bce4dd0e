import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../testing/sandbox.ts";
import { changesOf } from "../../../testing/transaction-changes.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { UsedSecret, ValidatorOnboarding } from "./declarations/validator-onboarding.ts";

const sv = testParty("sv");
const validator = testParty("validator");

/** A secret that is good for two days. */
function prepared() {
  const sandbox = new Sandbox();
  const expiresAt = addDuration(sandbox.now, 2n * DAY);
  const onboarding = { sv, candidateSecret: "test", expiresAt };
  const onboardingCid = sandbox.create(ValidatorOnboarding, onboarding, { actAs: [sv] });
  const match = (providedSecret = "test", actAs: readonly PartyId[] = [sv]) =>
    sandbox.exercise(
      ValidatorOnboarding,
      onboardingCid,
      "ValidatorOnboarding_Match",
      { providedSecret, validator },
      { actAs, readAs: [sv] },
    );
  const expire = (actAs: readonly PartyId[] = [sv]) =>
    sandbox.exercise(
      ValidatorOnboarding,
      onboardingCid,
      "ValidatorOnboarding_Expire",
      {},
      { actAs, readAs: [sv] },
    );
  return { sandbox, onboarding, expiresAt, match, expire };
}

describe("ValidatorOnboarding_Match", () => {
  test("uses the secret up and records for whom, until one microsecond before it expires", () => {
    const { sandbox, expiresAt, match } = prepared();
    sandbox.now = addDuration(expiresAt, -1n);
    const { usedSecret } = match();
    expect(sandbox.payloadOf(UsedSecret, usedSecret)).toEqual({ sv, secret: "test", validator });
    expect(changesOf(sandbox)).toEqual({ archived: ["ValidatorOnboarding"], created: ["UsedSecret"] });
    expectNotFound(match);
  });

  test.each(["typo", "", "test ", "Test"])("does not take %o for it", (wrong) => {
    const { match } = prepared();
    expectUnmet("provided secret matches the stored secret", () => match(wrong));
    match();
  });

  test("is refused at the deadline, also with the right secret", () => {
    const { sandbox, expiresAt, match } = prepared();
    sandbox.now = expiresAt;
    expectTooLate("ValidatorOnboarding.expiresAt", match);
    expectTooLate("ValidatorOnboarding.expiresAt", () => match("typo"));
  });
});

describe("ValidatorOnboarding_Expire", () => {
  test("throws the secret away from the deadline on", () => {
    const { sandbox, expiresAt, expire } = prepared();
    sandbox.now = addDuration(expiresAt, -1n);
    expectTooEarly("ValidatorOnboarding.expiresAt", expire);
    sandbox.now = expiresAt;
    expect(expire()).toEqual({});
    expect(changesOf(sandbox)).toEqual({ archived: ["ValidatorOnboarding"], created: [] });
    expectNotFound(expire);
  });
});

test("only the SV creates, matches or expires a secret, or records that it was used", () => {
  const { sandbox, onboarding, expiresAt, match, expire } = prepared();
  const as = { actAs: [validator] };
  expectUnauthorized(() => sandbox.create(ValidatorOnboarding, onboarding, as));
  expectUnauthorized(() => sandbox.create(UsedSecret, { sv, secret: "test", validator }, as));
  expectUnauthorized(() => match("test", [validator]));
  sandbox.now = expiresAt;
  expectUnauthorized(() => expire([validator]));
});

test("the validator itself never sees its secret on the ledger", () => {
  const { sandbox, match } = prepared();
  const { usedSecret } = match();
  const transaction = sandbox.lastTransaction;
  const created = transaction?.nodes.find(
    (node) => node.kind === "create" && node.contract.contractId === usedSecret,
  );
  expect(created).toMatchObject({ signatories: [sv], observers: [] });
});
