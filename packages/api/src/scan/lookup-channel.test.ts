import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatChannelAnswer,
  formatQuestion,
  LineBuffer,
  parseChannelAnswer,
  parseQuestion,
} from "./lookup-channel.ts";

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

const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.stringMatching(/^[!-~]{0,8}$/));
const lengths = fc.array(fc.nat(40), { maxLength: 8 });

test("questions are read as they were asked, however their text is cut", () => {
  const question = fc.record({ target: fc.stringMatching(/^\/[!-~]{0,20}$/), headers });
  fc.assert(
    fc.property(fc.array(question), lengths, (asked, cuts) => {
      const lines = new LineBuffer(1000);
      const text = asked.map(formatQuestion).join("");
      expect(pieces(text, cuts).flatMap((piece) => lines.add(piece).map(parseQuestion))).toEqual(asked);
    }),
  );
});

test("answers are read as they were given, however their text is cut, and whatever their bodies say", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "é", "💥", "\t", "\n", '"', "{"), maxLength: 5 });
  const body = fc.dictionary(word, word, { maxKeys: 2 }).map((value) => JSON.stringify(value));
  const answer = fc.option(fc.record({ status: fc.integer({ min: 200, max: 599 }), headers, body }));
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 5 }), lengths, (given, cuts) => {
      const lines = new LineBuffer(10_000);
      const text = given.map(formatChannelAnswer).join("");
      expect(pieces(text, cuts).flatMap((piece) => lines.add(piece).map(parseChannelAnswer))).toEqual(given);
    }),
  );
});

test("a body that no line can carry is left to a request", () => {
  expect(formatChannelAnswer({ status: 200, headers: {}, body: '{\n"a":1}' })).toBe("\n");
});

test.each(["200", "hello\t{}", "100\t{}", "200\ta:b", "<html>", "\t{}"])("%j is no answer", (line) => {
  expect(() => parseChannelAnswer(line)).toThrow("carries no answer");
});

test("a line without an end is refused once it is too long", () => {
  const lines = new LineBuffer(10);
  expect(lines.add("01234")).toEqual([]);
  expect(lines.add("56789")).toEqual([]);
  expect(() => lines.add("x")).toThrow("more than 10 characters");
});
