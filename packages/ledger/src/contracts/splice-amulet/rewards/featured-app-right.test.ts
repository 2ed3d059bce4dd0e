import { describe, expect, test } from "vitest";
import { expectNotFound, expectUnauthorized } from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import { FeaturedAppRight } from "../declarations/amulet.ts";

const dso = testParty("DSO");
const app = testParty("app");
const friend = testParty("friend");

describe("FeaturedAppRight", () => {
  const create = (sandbox: Sandbox) =>
    sandbox.create(FeaturedAppRight, { dso, provider: app }, { actAs: [dso] });

  test("can be created by the DSO alone", () => {
    expectUnauthorized(() =>
      new Sandbox().create(FeaturedAppRight, { dso, provider: app }, { actAs: [app] }),
    );
  });

  test("is withdrawn by the DSO, not by its holder", () => {
    const sandbox = new Sandbox();
    const cid = create(sandbox);
    const withdraw = (actAs: (typeof dso)[]) =>
      sandbox.exercise(FeaturedAppRight, cid, "FeaturedAppRight_Withdraw", { reason: "why" }, { actAs });
    expectUnauthorized(() => withdraw([app]));
    expect(withdraw([dso])).toEqual({});
    expect(sandbox.isActive(cid)).toBe(false);
  });

  test("is given up by its holder, who sees it, and by no other party", () => {
    const sandbox = new Sandbox();
    const cid = create(sandbox);
    const cancel = (actAs: (typeof dso)[]) =>
      sandbox.exercise(FeaturedAppRight, cid, "FeaturedAppRight_Cancel", {}, { actAs });
    expectUnauthorized(() => cancel([dso]));
    expectNotFound(() => cancel([friend]));
    expect(cancel([app])).toEqual({});
    expect(sandbox.isActive(cid)).toBe(false);
  });
});
