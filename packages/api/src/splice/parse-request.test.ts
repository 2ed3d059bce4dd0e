// The words of Splice's applications, as its clients see them.

import { describe, expect, test } from "vitest";
import type { Endpoint } from "../endpoint.ts";
import { localNetworkApi } from "../local-network/api.ts";
import type { RawRequest } from "../raw-request.ts";
import { scanApi } from "../scan/api.ts";
import { validatorApi } from "../validator/api.ts";
import { parseSpliceBody, parseSpliceParams, parseSpliceQuery, parseSpliceRequest } from "./parse-request.ts";

const { endpoints: scan } = scanApi;
const { endpoints: validator } = validatorApi;

function textRefusal(status: number, body: string) {
  const headers = { "content-type": "text/plain; charset=UTF-8" };
  return { ok: false, refusal: { status, headers, body } };
}

function jsonRefusal(status: number, error: string) {
  const headers = { "content-type": "application/json" };
  return { ok: false, refusal: { status, headers, body: JSON.stringify({ error }) } };
}

describe("path parameters", () => {
  test.each([
    ["alice.unverified.cns", "alice.unverified.cns"],
    ["alice%2Eunverified.cns", "alice.unverified.cns"],
    ["a%2Fb", "a/b"],
    ["a+b", "a+b"],
    ["%C3%A9%F0%9F%98%80", "é😀"],
    ["%00", "\u0000"],
  ])("%s is read as %j", (encoded, name) => {
    expect(parseSpliceParams(scan.lookupAnsEntryByName, { name: encoded })).toEqual({
      ok: true,
      value: { name },
    });
  });

  test.each(["%", "%zz", "%e9", "%ed%a0%80", "a%2"])("%s is no text", (encoded) => {
    const refused = parseSpliceParams(scan.lookupAnsEntryByName, { name: encoded });
    expect(refused).toEqual(
      textRefusal(400, "Illegal request-target: it is not valid percent-encoded UTF-8"),
    );
  });

  test("a name of 2066 characters is looked up, a longer one is refused", () => {
    const parse = (length: number) =>
      parseSpliceParams(scan.lookupAnsEntryByName, { name: "a".repeat(length) });
    expect(parse(2066).ok).toBe(true);
    expect(parse(2067)).toEqual(jsonRefusal(400, "A name has at most 2066 characters."));
  });

  const allowed = "letters, digits, ':', '-', '_' and spaces";
  test.each([
    ["alice", "Invalid unique identifier `alice` with missing namespace."],
    ["%3A%3Ax", "Invalid unique identifier `::x` with empty identifier."],
    ["al!ce::1220", `Identifier decoding of \`al!ce\` failed with: it takes 1 to 185 ${allowed}`],
    [
      `${"a".repeat(186)}::1220`,
      `Identifier decoding of \`${"a".repeat(186)}\` failed with: it takes 1 to 185 ${allowed}`,
    ],
    ["alice::12/20", `Fingerprint decoding of \`12/20\` failed with: it takes 1 to 68 ${allowed}`],
    ["alice::", `Fingerprint decoding of \`\` failed with: it takes 1 to 68 ${allowed}`],
    [
      `alice::${"1".repeat(69)}`,
      `Fingerprint decoding of \`${"1".repeat(69)}\` failed with: it takes 1 to 68 ${allowed}`,
    ],
  ])("the party %s is refused by scan and by the proxy alike", (party, error) => {
    const refused = jsonRefusal(400, error);
    expect(parseSpliceParams(scan.lookupAnsEntryByParty, { party })).toEqual(refused);
    expect(parseSpliceParams(validator.scanProxyLookupAnsEntryByParty, { party })).toEqual(refused);
  });

  test("a party is taken with its colons encoded or not", () => {
    for (const party of ["alice::1220ab", "alice%3A%3A1220ab"]) {
      const parsed = parseSpliceParams(scan.lookupAnsEntryByParty, { party });
      expect(parsed).toEqual({ ok: true, value: { party: "alice::1220ab" } });
    }
  });
});

describe("the query of a list of entries", () => {
  test.each([
    ["", { name_prefix: "", page_size: 100 }],
    ["page_size=", { name_prefix: "", page_size: 100 }],
    ["page_size", { name_prefix: "", page_size: 100 }],
    ["page_size=1", { name_prefix: "", page_size: 1 }],
    ["page_size=1000&name_prefix=", { name_prefix: "", page_size: 1000 }],
    ["page_size=%2B5", { name_prefix: "", page_size: 5 }],
    ["page_size=005", { name_prefix: "", page_size: 5 }],
    ["name_prefix=a+b%2B&other=1&page_size=7&page_size=8", { name_prefix: "a b+", page_size: 7 }],
    ["&&name_prefix=a=b&", { name_prefix: "a=b", page_size: 100 }],
  ])("?%s is read with its defaults", (search, value) => {
    expect(parseSpliceQuery(scan.listAnsEntries, search)).toEqual({ ok: true, value });
  });

  const malformed = (given: string) =>
    textRefusal(
      400,
      `The query parameter 'page_size' was malformed:\n'${given}' is not a valid 32-bit signed integer value`,
    );
  test.each([
    ["page_size=abc", malformed("abc")],
    ["page_size=1.0", malformed("1.0")],
    ["page_size=1e2", malformed("1e2")],
    ["page_size=0x10", malformed("0x10")],
    ["page_size=+5", malformed(" 5")],
    ["page_size=-", malformed("-")],
    ["page_size=2147483648", malformed("2147483648")],
    ["page_size=99999999999999999999999", malformed("99999999999999999999999")],
    ["page_size=0", jsonRefusal(400, "Limit must be at least 1.")],
    ["page_size=-2147483648", jsonRefusal(400, "Limit must be at least 1.")],
    ["page_size=1001", jsonRefusal(400, "Exceeded limit maximum (1001 > 1000).")],
    ["page_size=2147483647", jsonRefusal(400, "Exceeded limit maximum (2147483647 > 1000).")],
    ["name_prefix=%ff", textRefusal(400, "Illegal request-target: it is not valid percent-encoded UTF-8")],
  ])("?%s is refused, by scan and by the proxy alike", (search, refused) => {
    expect(parseSpliceQuery(scan.listAnsEntries, search)).toEqual(refused);
    expect(parseSpliceQuery(validator.scanProxyListAnsEntries, search)).toEqual(refused);
  });
});

describe("a round in the query", () => {
  test.each([
    ["", null],
    ["round=", null],
    ["round=0", 0n],
    ["round=-1", -1n],
    ["round=9223372036854775807", 9223372036854775807n],
    ["round=-9223372036854775808", -9223372036854775808n],
  ])("?%s is read whole", (search, round) => {
    for (const endpoint of [scan.getRewardsCollected, scan.getAmuletConfigForRound]) {
      expect(parseSpliceQuery(endpoint, search)).toEqual({ ok: true, value: { round } });
    }
  });

  test.each(["abc", "1.5", "9223372036854775808", "-9223372036854775809"])("%s is refused", (round) => {
    expect(parseSpliceQuery(scan.getRewardsCollected, `round=${round}`)).toEqual(
      textRefusal(
        400,
        `The query parameter 'round' was malformed:\n'${round}' is not a valid 64-bit signed integer value`,
      ),
    );
  });
});

test("a parameter that has no default is not found when it is missing or empty", async () => {
  const { z } = await import("zod");
  const endpoint: Endpoint = { ...scan.listAnsEntries, query: z.object({ sender: z.string() }) };
  const refused = textRefusal(404, "Request is missing required query parameter 'sender'");
  expect(parseSpliceQuery(endpoint, "")).toEqual(refused);
  expect(parseSpliceQuery(endpoint, "sender=")).toEqual(refused);
});

describe("a body", () => {
  const json = "application/json";
  const nothingCached = { cached_ans_rules_contract_id: null, cached_ans_rules_domain_id: null };

  test.each([
    ["none", undefined, ""],
    ["none, though announced as something else", "text/plain", ""],
    ["an empty object", json, "{}"],
    ["nulls", json, '{"cached_ans_rules_contract_id":null,"cached_ans_rules_domain_id":null}'],
    ["fields that nobody knows", "Application/JSON; charset=utf-8", '{"x":1}'],
  ])("of ans-rules may be: %s", (_, contentType, body) => {
    expect(parseSpliceBody(scan.getAnsRules, { contentType, body })).toEqual({
      ok: true,
      value: nothingCached,
    });
  });

  test("of any other operation must be there", () => {
    const missing = textRefusal(400, "Request entity expected but not supplied");
    expect(parseSpliceBody(scan.getAmuletRules, { contentType: json, body: "" })).toEqual(missing);
    expect(parseSpliceBody(validator.createAnsEntry, { contentType: json, body: "" })).toEqual(missing);
  });

  test("of another type is not looked at", () => {
    expect(parseSpliceBody(scan.getAnsRules, { contentType: "text/plain", body: "{}" })).toEqual(
      textRefusal(
        415,
        "The request's Content-Type [text/plain] is not supported. Expected:\napplication/json",
      ),
    );
  });

  const entry = { name: "alice", url: "", description: "" };
  test.each([
    ["a missing field", JSON.stringify({ ...entry, name: undefined }), "name: is missing"],
    [
      "null where a text is needed",
      JSON.stringify({ ...entry, url: null }),
      "url: expected string, received null",
    ],
    [
      "a number where a text is needed",
      JSON.stringify({ ...entry, url: 5 }),
      "url: expected string, received number",
    ],
    ["an array", "[]", "expected object, received array"],
    ["null", "null", "expected object, received null"],
  ])("with %s is malformed", (_, body, reason) => {
    expect(parseSpliceBody(validator.createAnsEntry, { contentType: json, body })).toEqual(
      textRefusal(400, `The request content was malformed:\n${reason}`),
    );
  });

  test.each(["{", "", " ", "{'a':1}", "undefined", "{}{}"])("that is not JSON is malformed: %j", (body) => {
    const given = { contentType: json, body: body === "" ? "\u0000" : body };
    const refused = parseSpliceBody(validator.createAnsEntry, given);
    expect(refused).toMatchObject({
      ok: false,
      refusal: { status: 400, body: expect.stringMatching(/^The request content was malformed:\n./) },
    });
  });

  test("that breaks a rule of the operation gets the operation's kind of error", () => {
    const { moveClock } = localNetworkApi.endpoints;
    const back = { contentType: json, body: '{"forwardSeconds":-1}' };
    expect(parseSpliceBody(moveClock, back)).toEqual(
      jsonRefusal(400, "forwardSeconds: a clock only moves forward"),
    );
  });

  test("that the operation does not take is overlooked", () => {
    const given = { contentType: "text/plain", body: "whatever" };
    expect(parseSpliceBody(validator.rejectSubscriptionRequest, given)).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test("keeps no key that would change a prototype", () => {
    const body = '{"cached_ans_rules_contract_id":"00","__proto__":{"polluted":true}}';
    const parsed = parseSpliceBody(scan.getAnsRules, { contentType: json, body });
    expect(parsed.ok && Object.keys(parsed.value)).toEqual(Object.keys(nothingCached));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a whole request", () => {
  const raw: RawRequest = { params: {}, search: "", contentType: undefined, body: "" };

  test("needs a content type if it has a body", () => {
    expect(parseSpliceRequest(scan.getAnsRules, { ...raw, body: "{}" })).toMatchObject({
      refusal: { status: 415 },
    });
  });

  test("is refused for its path first, then its query, then its body", () => {
    const both = { ...raw, params: { party: "alice" }, search: "x=%", body: "{" };
    expect(parseSpliceRequest(scan.lookupAnsEntryByParty, both)).toMatchObject({
      refusal: { body: expect.stringContaining("missing namespace") },
    });
    const late = { ...raw, search: "x=%", body: "{" };
    expect(parseSpliceRequest(scan.getAnsRules, late)).toMatchObject({
      refusal: { body: expect.stringContaining("request-target") },
    });
    expect(
      parseSpliceRequest(scan.getAnsRules, { ...raw, contentType: "application/json", body: "{" }),
    ).toMatchObject({
      refusal: { body: expect.stringContaining("malformed") },
    });
  });

  test("comes decoded", () => {
    expect(parseSpliceRequest(scan.listAnsEntries, { ...raw, search: "name_prefix=a" })).toEqual({
      ok: true,
      value: { params: {}, query: { name_prefix: "a", page_size: 100 }, body: undefined },
    });
  });
});
