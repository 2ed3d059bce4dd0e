import fc from "fast-check";
import { expect, test } from "vitest";
import { sorted } from "./sorted.ts";
import { compareAscii } from "./text.ts";

const pair = fc.record({ key: fc.constantFrom("a", "b", "c", "ab", ""), place: fc.nat() });

test("a list is ordered as the runtime orders it, short or long, and equal items keep their places", () => {
  const compare = (a: { key: string }, b: { key: string }) => compareAscii(a.key, b.key);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 20 }), (items) => {
      const given = [...items];
      const ordered = sorted(items, compare);
      expect(ordered).toEqual(items.toSorted(compare));
      expect(ordered).not.toBe(items);
      expect(items).toEqual(given);
    }),
  );
});
