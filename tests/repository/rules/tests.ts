// Rules about tests: a run's outcome depends neither on luck nor on the speed of the machine.

import { eachFile, file, type Rule } from "../rule.ts";
import { isTest, withoutComments } from "../source-text.ts";

/** fast-check counts every value but undefined and true as a failure, and `expect(…)` answers an assertion. */
const returnedAssertions: Rule = {
  name: "no test returns an assertion",
  find: eachFile(({ path, text }) =>
    isTest(path) && /\breturn expect\(/.test(withoutComments(text))
      ? "returns `expect(…)`: call it, then return"
      : undefined,
  ),
  broken: [[file("tests/a.test.ts", "if (!parsed.ok) return expect(parsed.error).toContain(1);")]],
  sound: [
    file("tests/a.test.ts", "// return expect(\nif (!parsed.ok) { expect(parsed.error).toBe(1); return; }"),
  ],
};

export const testRules: readonly Rule[] = [returnedAssertions];
