import { expect, test } from "vitest";
import { hasQuorum } from "./postgres-log-safety.ts";

const NAMES: readonly (readonly [string, boolean])[] = [
  ["", false],
  ["  ", false],
  ["a", true],
  ["a, b", true],
  ["ANY 1 (a, b)", true],
  ["any 1 (a,b)", true],
  ["FIRST 1 (a, b)", true],
  ["1 (a, b)", true],
  ["ANY 0 (a, b)", false],
  // Two of four servers are no majority.
  ["ANY 1 (a, b, c)", false],
  ["ANY 2 (a, b, c)", true],
  ["ANY 2 (a, b, c, d)", true],
  ["ANY 2 (a, b, c, d, e)", false],
  ['ANY 1 ("a, with a comma", b)', true],
  ["*", true],
  ["ANY 1 (*)", true],
];

test.each(NAMES)('synchronous_standby_names = "%s" keeps commits on a majority: %s', (names, holds) => {
  expect(hasQuorum(names)).toBe(holds);
});
