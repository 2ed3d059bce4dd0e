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

const samplesOf = (texts: readonly string[], known = "") => texts.map((each) => ({ text: each, known }));

test("a text comes back as it was, with and without a dictionary and known ids", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), text, (given, earlier, other) => {
      for (const known of ["", other, given, other + given]) {
        const dictionary = makeDictionary(samplesOf([...earlier, given, given], known));
        for (const each of [NO_DICTIONARY, makeDictionary(samplesOf(earlier)), dictionary])
          expect(unpackText(packText(given, each, known), each, known)).toBe(given);
      }
    }),
    { numRuns: 60 },
  );
});

test("a text with more ids than references have places comes back as it was", () => {
  const ids = Array.from({ length: 9000 }, (_, i) => i.toString(16).padStart(64, "0"));
  const given = JSON.stringify([...ids, ...ids]);
  for (const known of ["", given])
    expect(unpackText(packText(given, NO_DICTIONARY, known), NO_DICTIONARY, known)).toBe(given);
});

test("an id takes half of its digits once, and next to nothing if the dictionary has it", () => {
  const one = "ab".repeat(69);
  const given = JSON.stringify([one, one, one]);
  expect(packText(given, NO_DICTIONARY).length).toBeLessThan(69 + 40);
  expect(packText(given, makeDictionary(samplesOf([given]))).length).toBeLessThan(30);
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

test("a known id takes next to nothing, also if each text has another one", () => {
  const idOf = (byte: string) => `00${byte.repeat(28)}0000000aca101220${byte.repeat(32)}`;
  const textOf = (byte: string) =>
    JSON.stringify({ owner: "alice", contract: idOf(byte), again: idOf(byte) });
  const dictionary = makeDictionary([{ text: textOf("ab"), known: idOf("ab") }]);
  expect(packText(textOf("cd"), dictionary, idOf("cd")).length).toBeLessThan(12);
  expect(packText(textOf("cd"), dictionary).length).toBeGreaterThan(60);
});
