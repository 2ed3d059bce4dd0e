import fc from "fast-check";
import { expect, test } from "vitest";
import { TextMap } from "./text-map.ts";

/** "Aa" and "BB" have one hash, and so have texts that are made of as many of them. */
const TEXTS = ["AaAa", "AaBB", "BBAa", "BBBB", "Aa", ""];

test("finds what a Map finds, also among texts with one hash", () => {
  const change = fc.record({ text: fc.constantFrom(...TEXTS), value: fc.option(fc.nat()) });
  fc.assert(
    fc.property(fc.array(change, { size: "medium" }), (changes) => {
      const map = new TextMap<number>();
      const expected = new Map<string, number>();
      for (const { text, value } of changes) {
        if (value === null) {
          map.delete(text);
          expected.delete(text);
        } else {
          map.set(text, value);
          expected.set(text, value);
        }
        expect(TEXTS.map((each) => map.get(each))).toEqual(TEXTS.map((each) => expected.get(each)));
        expect(map.size).toBe(expected.size);
      }
      map.clear();
      expect(TEXTS.map((each) => map.get(each))).toEqual(TEXTS.map(() => undefined));
      expect(map.size).toBe(0);
    }),
  );
});
