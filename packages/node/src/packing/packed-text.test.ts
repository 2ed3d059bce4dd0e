import fc from "fast-check";
import { expect, test } from "vitest";
import { makeDictionary, NO_DICTIONARY, packText, unpackText } from "./packed-text.ts";

const id = fc.stringMatching(/^(1220|00)[0-9a-f]{64}(ca101220[0-9a-f]{64})?$/);
/** JSON without control characters, as canonical texts are; some of it looks like parts of ids. */
const text = fc
  .array(fc.oneof(id, fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9a-f]{0,200}$/)), {
    maxLength: 12,
  })
  .map((parts) => JSON.stringify(parts));

test("a text comes back as it was, with and without a dictionary", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (given, earlier) => {
      const dictionary = makeDictionary([...earlier, given, given]);
      for (const each of [NO_DICTIONARY, makeDictionary(earlier), dictionary])
        expect(unpackText(packText(given, each), each)).toBe(given);
    }),
    { numRuns: 60 },
  );
});

test("a text with more ids than references have places comes back as it was", () => {
  const ids = Array.from({ length: 9000 }, (_, i) => i.toString(16).padStart(64, "0"));
  const given = JSON.stringify([...ids, ...ids]);
  expect(unpackText(packText(given, NO_DICTIONARY), NO_DICTIONARY)).toBe(given);
});

test("an id takes half of its digits once, and next to nothing if the dictionary has it", () => {
  const one = "ab".repeat(69);
  const given = JSON.stringify([one, one, one]);
  expect(packText(given, NO_DICTIONARY).length).toBeLessThan(69 + 40);
  expect(packText(given, makeDictionary([given])).length).toBeLessThan(30);
});

test("a packed text keeps no memory but its own bytes", () => {
  const packed = packText(JSON.stringify(["ab".repeat(69)]), NO_DICTIONARY);
  expect(packed.buffer.byteLength).toBe(packed.length);
});

const contract = `00${"12".repeat(28)}0000000aca101220${"34".repeat(32)}`;

test.each([
  ["two ids of contracts without anything between them", `${contract}${contract}`, 29 + 2 * 33 + 30],
  ["the id of a contract behind a digit more", `a${contract}`, 70 + 30],
  ["an id with a digit too many", `${"ab".repeat(40)}c`, 41 + 30],
  ["more digits than one id has", "5a".repeat(600), 2 * 256 + 91 + 30],
  ["digits in other letters", `${"AB".repeat(40)}é`, 100],
])("%s: the text comes back as it was, in few bytes", (_, digits, most) => {
  for (const given of [digits, JSON.stringify([digits, "é", digits])]) {
    const packed = packText(given, NO_DICTIONARY);
    expect(unpackText(packed, NO_DICTIONARY)).toBe(given);
    expect(packed.length).toBeLessThan(most);
  }
});
