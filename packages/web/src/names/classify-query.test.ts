import { expect, test } from "vitest";
import { classifyQuery } from "./classify-query.ts";

const PARTY = `app_user_localnet-localparty-1::1220${"ab".repeat(32)}`;

test.each(["", "  ", "@", "@@"])("%j asks for nothing", (typed) => {
  expect(classifyQuery(typed)).toEqual({ kind: "nothing" });
});

test.each([
  ["alice", "alice"],
  ["  Alice ", "alice"],
  ["@alice", "alice"],
  ["alice.unverified.cns", "alice.unverified.cns"],
  ["https://ans.localhost:2000/names/alice.unverified.cns?x=1", "alice.unverified.cns"],
  ["http://localhost/register/bob", "bob"],
  ["dso.cns", "dso.cns"],
  ["1220", "1220"],
])("%j asks for the name %j", (typed, text) => {
  expect(classifyQuery(typed)).toEqual({ kind: "name", text });
});

test.each([
  [PARTY, PARTY],
  [` ${PARTY}\n`, PARTY],
  [`http://localhost/parties/${encodeURIComponent(PARTY)}`, PARTY],
])("%j asks for a party", (typed, party) => {
  expect(classifyQuery(typed)).toEqual({ kind: "party", party });
});

test.each(["app_user::", "app_user::1220ab", `${PARTY}0`, "::"])("%j is no whole party id", (typed) => {
  expect(classifyQuery(typed)).toEqual({ kind: "part-of-party" });
});

test("an address that cannot be decoded is taken as text", () => {
  expect(classifyQuery("http://localhost/names/%zz").kind).toBe("name");
});
