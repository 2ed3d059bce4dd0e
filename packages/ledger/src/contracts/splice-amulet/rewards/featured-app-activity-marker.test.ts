import { describe, expect, test } from "vitest";
import { expectUnauthorized, PRECONDITION_FAILED, rejectionOf } from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import { decimal } from "../../../values/decimal.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";

const dso = testParty("DSO");
const app = testParty("app");
const friend = testParty("friend");

describe("FeaturedAppActivityMarker", () => {
  const marker = (weight: string) => ({ dso, provider: app, beneficiary: friend, weight: decimal(weight) });

  test.each(["0.0000000001", "1.0", "10000.0"])("may weigh %s", (weight) => {
    const sandbox = new Sandbox();
    const cid = sandbox.create(FeaturedAppActivityMarker, marker(weight), { actAs: [dso] });
    expect(sandbox.isActive(cid)).toBe(true);
  });

  test.each(["0.0", "-1.0", "10000.0000000001"])("cannot weigh %s", (weight) => {
    const create = () => new Sandbox().create(FeaturedAppActivityMarker, marker(weight), { actAs: [dso] });
    expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("can be created by the DSO alone, and is shown to provider and beneficiary", () => {
    const sandbox = new Sandbox();
    expectUnauthorized(() =>
      sandbox.create(FeaturedAppActivityMarker, marker("1.0"), { actAs: [app, friend] }),
    );
    sandbox.create(FeaturedAppActivityMarker, marker("1.0"), { actAs: [dso] });
    const [node] = sandbox.lastTransaction?.nodes ?? [];
    expect(node).toMatchObject({ kind: "create", signatories: [dso], observers: [app, friend] });
  });
});
