import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectParsed } from "./parsed.ts";
import { formatPartyId, isPartyId, parsePartyId, partyHint, partyNamespace } from "./party-id.ts";

const fingerprint = `1220${"0123456789abcdef".repeat(4)}`;

describe("a party id", () => {
  test.each([
    [`alice::${fingerprint}`, "alice", fingerprint],
    [`DSO::${fingerprint}`, "DSO", fingerprint],
    ["a::b", "a", "b"],
    ["digital asset-1_x::ns", "digital asset-1_x", "ns"],
    ["a:b::c:d", "a:b", "c:d"],
    [" :: ", " ", " "],
    // The first two colons separate: the third belongs to the fingerprint.
    ["a:::b", "a", ":b"],
    [`${"h".repeat(185)}::${"f".repeat(68)}`, "h".repeat(185), "f".repeat(68)],
  ])("%s", (given, hint, namespace) => {
    const party = expectParsed(parsePartyId(given));
    expect(party).toBe(given);
    expect(partyHint(party)).toBe(hint);
    expect(partyNamespace(party)).toBe(namespace);
  });

  test.each([
    "",
    "alice",
    "alice:b",
    "::b",
    "a::",
    "::",
    "a::b::c",
    "a::::b",
    `alice.b::${fingerprint}`,
    `alice\n::${fingerprint}`,
    `alice::${fingerprint}\n`,
    `älice::${fingerprint}`,
    `alice@b::${fingerprint}`,
    `${"h".repeat(186)}::f`,
    `h::${"f".repeat(69)}`,
    `${"h".repeat(1_000_000)}::f`,
  ])("not %j", (given) => {
    expect(isPartyId(given)).toBe(false);
    expect(parsePartyId(given).ok).toBe(false);
  });

  test("a refusal names what was given and what is allowed", () => {
    expect(parsePartyId("alice")).toEqual({
      ok: false,
      error:
        'party id "alice" is not valid: a party id reads <hint>::<fingerprint>, with letters, digits, ' +
        "':', '-', '_' and spaces, a hint of 1 to 185 and a fingerprint of 1 to 68 characters, " +
        "and '::' only between them.",
    });
  });
});

describe("made of its parts", () => {
  test("hint and namespace make a party id", () => {
    expect(formatPartyId({ hint: "alice", namespace: fingerprint })).toEqual({
      ok: true,
      value: `alice::${fingerprint}`,
    });
  });

  test.each([
    ["a::b", "f", 'party hint "a::b" is not valid'],
    ["a:", "f", 'party hint "a:" is not valid'],
    ["", "f", 'party id "::f" is not valid'],
    ["a", "", 'party id "a::" is not valid'],
    ["a", "f::g", 'party id "a::f::g" is not valid'],
    ["ä", "f", 'party id "ä::f" is not valid'],
  ])("not %j and %j", (hint, namespace, error) => {
    expect(formatPartyId({ hint, namespace })).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  test("a formatted party id is parsed into the same parts", () => {
    const part = fc.string({ unit: fc.constantFrom(..."aZ0:-_ "), maxLength: 8 });
    fc.assert(
      fc.property(part, part, (hint, namespace) => {
        const party = formatPartyId({ hint, namespace });
        if (!party.ok) return;
        expect([partyHint(party.value), partyNamespace(party.value)]).toEqual([hint, namespace]);
        expect(isPartyId(party.value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
