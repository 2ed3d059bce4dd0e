import { describe, expect, test } from "vitest";
import { expectUnauthorized } from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import { ExternalPartyAmuletRules } from "../declarations/external-party-amulet-rules.ts";

const dso = testParty("DSO");
const app = testParty("app");

describe("ExternalPartyAmuletRules", () => {
  test("is allowed to the DSO alone", () => {
    const sandbox = new Sandbox();
    expectUnauthorized(() => sandbox.create(ExternalPartyAmuletRules, { dso }, { actAs: [app] }));
    expect(sandbox.isActive(sandbox.create(ExternalPartyAmuletRules, { dso }, { actAs: [dso] }))).toBe(true);
  });
});
