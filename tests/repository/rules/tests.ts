// Rules about tests: a run's outcome depends neither on luck nor on the speed of the machine.

import { eachFile, file, type Rule } from "../rule.ts";
import { isTest, withoutComments, withoutStrings } from "../source-text.ts";

function isTestOrSupport(path: string): boolean {
  return isTest(path) || (/^(tests|packages\/[^/]+\/testing)\//.test(path) && path.endsWith(".ts"));
}

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

/** Timers of the machine. Virtual time (`VirtualHost`, fake timers) and turns of the event loop are fine. */
const sleep = /(?<![\w$.])(setTimeout|setInterval)\(|import \{[^}]*\bsetTimeout\b[^}]*\} from ""/;

const MAY_SLEEP: readonly string[] = [
  // Polls processes and HTTP peers, which announce nothing.
  "packages/node/testing/until.ts",
  // To be mended.
  "tests/participant/killed.test.ts",
];

const sleeps: Rule = {
  name: "no test sleeps: it awaits an event, polls with `until`, or moves virtual time",
  find: eachFile(({ path, text }) =>
    isTestOrSupport(path) && !MAY_SLEEP.includes(path) && sleep.test(withoutStrings(text))
      ? "sets a timer of the machine"
      : undefined,
  ),
  broken: [
    "await new Promise((resolve) => setTimeout(resolve, 100));",
    "setInterval(() => look(), 50);",
    'import { setTimeout as sleep } from "node:timers/promises";',
  ].map((text) => [file("tests/sv/a.test.ts", text)]),
  sound: [
    file("tests/sv/a.test.ts", 'vi.useFakeTimers({ toFake: ["setTimeout"] }); await sleep(20, host);'),
    file("tests/sv/a.ts", 'import { setImmediate as turn } from "node:timers/promises"; // setTimeout('),
    file("packages/node/src/system-host.ts", "setTimeout(callback, milliseconds)"),
  ],
};

/** An upper bound on time that passed: it holds on a quiet machine only. Count calls, entries or turns instead. */
const stopwatch = /expect\([^;]*\b(performance|Date)\.now\(\)[^;]*\.toBeLess/;

const stopwatches: Rule = {
  name: "no test asserts how long something takes",
  find: eachFile(({ path, text }) =>
    isTest(path) && stopwatch.test(withoutStrings(text)) ? "compares a clock with a limit" : undefined,
  ),
  broken: [[file("tests/a.test.ts", "expect(performance.now() - began).toBeLessThan(900);")]],
  sound: [file("tests/a.test.ts", "expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp);\nconst x = 1;")],
};

export const testRules: readonly Rule[] = [returnedAssertions, sleeps, stopwatches];
