import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../testing/archive-contract.ts";
import { expectNotFound, expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { Sandbox, type Submitting, testParty } from "../../../testing/sandbox.ts";
import { DAY } from "../../values/duration.ts";
import { addDuration, MAX_TIME, time } from "../../values/time.ts";
import { relTime } from "../rel-time.ts";
import { AnsEntry } from "./declarations/ans.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const dso = testParty("DSO");
const both = { actAs: [alice, dso] };
const oneAlone = [
  ["the user", { actAs: [alice] }],
  ["the DSO", { actAs: [dso] }],
] as const;
const entry: AnsEntry = {
  user: alice,
  dso,
  name: "alice.unverified.cns",
  url: "https://alice.example",
  description: "Alice",
  expiresAt: time("2026-04-01T00:00:00Z"),
};

function withEntry(payload: AnsEntry = entry) {
  const sandbox = new Sandbox();
  return { sandbox, entryCid: sandbox.create(AnsEntry, payload, { actAs: [payload.user, payload.dso] }) };
}

describe("AnsEntry", () => {
  test.each(oneAlone)("is not made by %s alone", (_who, as) => {
    expectUnauthorized(() => new Sandbox().create(AnsEntry, entry, as));
  });

  test("takes any text as name, url and description, and the same name twice", () => {
    const odd = { ...entry, name: "", url: "not a url", description: "x".repeat(1000) };
    const { sandbox } = withEntry(odd);
    sandbox.create(AnsEntry, odd, both);
    expect(sandbox.active(AnsEntry).map(({ payload }) => payload)).toEqual([odd, odd]);
  });

  test("is seen by its two signatories only", () => {
    const { sandbox, entryCid } = withEntry();
    sandbox.now = addDuration(entry.expiresAt, 1n);
    expectNotFound(() =>
      sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Expire", { actor: bob }, { actAs: [bob] }),
    );
  });

  test.each(oneAlone)("is archived by both signatories, not by %s alone", (_who, as) => {
    const { sandbox, entryCid } = withEntry();
    expectUnauthorized(() => archiveContract(sandbox, AnsEntry, entryCid, as));
    archiveContract(sandbox, AnsEntry, entryCid, both);
    expect(sandbox.isActive(entryCid)).toBe(false);
  });
});

describe("AnsEntry_Expire", () => {
  const expire = (at: bigint, actor = dso, actAs = [actor]) => {
    const { sandbox, entryCid } = withEntry();
    sandbox.now = addDuration(entry.expiresAt, at);
    const result = sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Expire", { actor }, { actAs });
    return { sandbox, entryCid, result };
  };

  test.each([-90n * DAY, -1n, 0n])("is refused %s microseconds from the entry's expiry", (at) => {
    expectUnmet("Contract expired", () => expire(at));
  });

  test.each([
    ["the DSO", dso],
    ["the user", alice],
  ])("removes the entry one microsecond after its expiry, for %s", (_who, actor) => {
    const { sandbox, entryCid, result } = expire(1n, actor);
    expect(result).toEqual({});
    expect(sandbox.isActive(entryCid)).toBe(false);
    expect(sandbox.active(AnsEntry)).toEqual([]);
  });

  test("is exercised by signatories only", () => {
    expectUnmet(`Actor '${bob}' is a signatory`, () => expire(1n, bob, [bob, alice]));
  });

  test("needs the actor's authority", () => {
    expectUnauthorized(() => expire(1n, dso, [alice]));
  });

  test("works once", () => {
    const { sandbox, entryCid } = expire(1n);
    expectNotFound(() =>
      sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Expire", { actor: dso }, { actAs: [dso] }),
    );
  });
});

describe("AnsEntry_Renew", () => {
  const renew = (microseconds: bigint, as: Submitting = both, payload = entry) => {
    const { sandbox, entryCid } = withEntry(payload);
    const extension = relTime(microseconds);
    const result = sandbox.exercise(AnsEntry, entryCid, "AnsEntry_Renew", { extension }, as);
    return { sandbox, entryCid, result };
  };

  test.each([1n, 90n * DAY])("adds %s microseconds to the expiry and keeps everything else", (extension) => {
    const { sandbox, entryCid, result } = renew(extension);
    expect(result.entryCid).not.toBe(entryCid);
    expect(sandbox.active(AnsEntry)).toEqual([
      {
        contractId: result.entryCid,
        payload: { ...entry, expiresAt: addDuration(entry.expiresAt, extension) },
      },
    ]);
  });

  test.each([0n, -1n])("is refused for an extension of %s microseconds", (extension) => {
    expectUnmet("Extension positive", () => renew(extension));
  });

  test.each(oneAlone)("is refused to %s alone", (_who, as) => {
    expectUnauthorized(() => renew(DAY, as));
  });

  test("cannot lead past the year 9999", () => {
    const last = { ...entry, expiresAt: MAX_TIME };
    const { context } = rejectionOf(() => renew(1n, both, last));
    expect(context).toMatchObject({
      error_id: "UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError",
    });
  });
});
