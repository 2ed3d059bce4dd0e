import fc from "fast-check";
import { expect, test } from "vitest";
import { formatChannelAnswer, formatQuestion, parseChannelAnswer, parseQuestion } from "./lookup-channel.ts";

/** The text of each line, without its end. */
function linesOf(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.stringMatching(/^[!-~]{0,8}$/));

test("questions are read as they were asked", () => {
  const question = fc.record({ target: fc.stringMatching(/^\/[!-~]{0,20}$/), headers });
  fc.assert(
    fc.property(fc.array(question), (asked) => {
      expect(linesOf(asked.map(formatQuestion).join("")).map(parseQuestion)).toEqual(asked);
    }),
  );
});

test("answers are read as they were given, whatever their bodies say", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "é", "💥", "\t", "\n", '"', "{"), maxLength: 5 });
  const body = fc.dictionary(word, word, { maxKeys: 2 }).map((value) => JSON.stringify(value));
  const answer = fc.option(fc.record({ status: fc.integer({ min: 200, max: 599 }), headers, body }));
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 5 }), (given) => {
      expect(linesOf(given.map(formatChannelAnswer).join("")).map(parseChannelAnswer)).toEqual(given);
    }),
  );
});

test("a body that no line can carry is left to a request", () => {
  expect(formatChannelAnswer({ status: 200, headers: {}, body: '{\n"a":1}' })).toBe("\n");
});

test.each(["200", "hello\t{}", "100\t{}", "200\ta:b", "<html>", "\t{}"])("%j is no answer", (line) => {
  expect(() => parseChannelAnswer(line)).toThrow("carries no answer");
});
