// Keeps the tables of docs/configuration.md about an operator's node equal to the keys that the program reads.

import { expect, test } from "vitest";
import { markdown } from "./configuration-page.ts";
import { renderOperatorTables } from "./operator-tables.ts";

test("every key, variable, secret and path of an operator's node is listed; `npm run configuration` lists them anew", () => {
  expect(renderOperatorTables(markdown)).toBe(markdown);
});
