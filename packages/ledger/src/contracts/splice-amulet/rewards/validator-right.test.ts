import { describe, expect, test } from "vitest";
import { expectNotFound, expectUnauthorized } from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import { ValidatorRight } from "../declarations/amulet.ts";

const dso = testParty("DSO");
const user = testParty("user");
const validator = testParty("validator");

describe("ValidatorRight", () => {
  const right = { dso, user, validator };
  const create = (sandbox: Sandbox) => sandbox.create(ValidatorRight, right, { actAs: [user, validator] });

  test("is signed by user and validator; the DSO is only named", () => {
    const sandbox = new Sandbox();
    expect(sandbox.isActive(create(sandbox))).toBe(true);
    expectUnauthorized(() => sandbox.create(ValidatorRight, right, { actAs: [user, dso] }));
    expectUnauthorized(() => sandbox.create(ValidatorRight, right, { actAs: [validator, dso] }));
  });

  test.each([
    ["ValidatorRight_ArchiveAsValidator", validator, user],
    ["ValidatorRight_ArchiveAsUser", user, validator],
  ] as const)("%s ends it, for that party alone", (choice, party, other) => {
    const sandbox = new Sandbox();
    const cid = create(sandbox);
    expectUnauthorized(() => sandbox.exercise(ValidatorRight, cid, choice, {}, { actAs: [other] }));
    expectNotFound(() => sandbox.exercise(ValidatorRight, cid, choice, {}, { actAs: [dso] }));
    expect(sandbox.exercise(ValidatorRight, cid, choice, {}, { actAs: [party] })).toEqual({});
    expect(sandbox.isActive(cid)).toBe(false);
  });
});
