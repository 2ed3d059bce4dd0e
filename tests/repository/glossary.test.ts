// Keeps docs/glossary.md usable: a word stands there once, and where a reader looks for it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const glossary = readFileSync(join(import.meta.dirname, "../../docs/glossary.md"), "utf8");
const words = [...glossary.matchAll(/^\| ([^|]+) \| [^|]+\|$/gm)]
  .map(([, word = ""]) => word)
  .filter((word) => word !== "word");

test("every word has one meaning, and the words are in order", () => {
  expect(words.length).toBeGreaterThan(100);
  expect(new Set(words).size).toBe(words.length);
  const ordered = words.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  expect(words).toEqual(ordered);
});
