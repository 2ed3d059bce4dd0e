import fc from "fast-check";
import { expect, test } from "vitest";
import { LineBuffer } from "./line-buffer.ts";

/** Cuts a text anywhere, also within a line. */
function pieces(text: string, lengths: readonly number[]): readonly string[] {
  const cut: string[] = [];
  let rest = text;
  for (const length of lengths) {
    cut.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return [...cut, rest];
}

test("lines are whole, however their text is cut", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "💥", "\t", "{"), maxLength: 20 });
  const lengths = fc.array(fc.nat(40), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(line), lengths, (given, cuts) => {
      const lines = new LineBuffer(1000);
      const text = given.map((each) => `${each}\n`).join("");
      expect(pieces(text, cuts).flatMap((piece) => lines.add(piece))).toEqual(given);
    }),
  );
});

test("a line without an end is refused once it is too long", () => {
  const lines = new LineBuffer(10);
  expect(lines.add("01234")).toEqual([]);
  expect(lines.add("56789")).toEqual([]);
  expect(() => lines.add("x")).toThrow("more than 10 characters");
});
