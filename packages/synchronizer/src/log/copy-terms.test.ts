import { describe, expect, test } from "vitest";
import { enterTerm, isFormerTerm } from "./copy-terms.ts";
import { isLaterTimeline } from "./postgres-term.ts";

const [first, second, third] = ["7 00000009 a", "7 0000000A b", "7 0000000B c"] as const;

describe("a copy", () => {
  test.each<[string, readonly string[], string, boolean]>([
    ["takes anything at first", [], second, false],
    ["stays in its term", [second], second, false],
    ["goes on to a later term", [second], third, false],
    ["does not go back", [first, second], first, true],
    ["does not go to an earlier term that it never heard of", [first, third], second, true],
    ["does not go to a server that was promoted apart from its own", [first, second], "7 0000000A z", true],
    ["goes to the servers of another system", [third], "8 00000001 a", false],
  ])("%s", (_, terms, term, isFormer) => {
    expect(isFormerTerm(terms, term, isLaterTimeline)).toBe(isFormer);
  });

  test("takes a term that it never heard of for a new one, where the names of terms do not tell", () => {
    expect(isFormerTerm(["a", "c"], "b")).toBe(false);
    expect(isFormerTerm(["a", "c"], "a")).toBe(true);
  });

  test("remembers a thousand terms", () => {
    const terms = Array.from({ length: 1000 }, (_, i) => `${i}`);
    expect(enterTerm(terms, "999")).toBe(terms);
    expect(enterTerm(terms, "1000")).toEqual([...terms.slice(1), "1000"]);
  });
});
