import { describe, expect, test } from "vitest";
import { expectUnauthorized, PRECONDITION_FAILED, rejectionOf } from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import { decimal } from "../../../values/decimal.ts";
import { MemberTraffic } from "../declarations/member-traffic.ts";

const dso = testParty("DSO");
const traffic = {
  dso,
  memberId: "PAR::alice::1220ab",
  synchronizerId: "global-domain::1220cd",
  migrationId: 0n,
  totalPurchased: 0n,
  numPurchases: 0n,
  amuletSpent: decimal("0.0"),
  usdSpent: decimal("0.0"),
};

describe("MemberTraffic", () => {
  test("may begin at nothing, and is signed by the DSO alone", () => {
    const sandbox = new Sandbox();
    expect(sandbox.isActive(sandbox.create(MemberTraffic, traffic, { actAs: [dso] }))).toBe(true);
    expectUnauthorized(() => sandbox.create(MemberTraffic, traffic, { actAs: [testParty("alice")] }));
  });

  test.each([
    { totalPurchased: -1n },
    { numPurchases: -1n },
    { migrationId: -1n },
    { amuletSpent: decimal("-0.0000000001") },
    { usdSpent: decimal("-0.0000000001") },
    { memberId: "" },
    { synchronizerId: "" },
  ])("cannot have %o", (wrong) => {
    const create = () => new Sandbox().create(MemberTraffic, { ...traffic, ...wrong }, { actAs: [dso] });
    expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
  });
});
