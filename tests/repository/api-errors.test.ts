// Keeps docs/api-errors.md true: every text that it quotes stands in the source that it names, piece by piece.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apis } from "../../packages/api/testing/apis.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

const rows = read("docs/api-errors.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| call |"))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

/** Quoted texts, cut where they differ each time. */
function piecesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)]
    .flatMap(([, text = ""]) => text.split("…"))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

const quoted = rows.filter(([, , , where]) => where !== "");

test.each(quoted)("%s %s: %s", (_call, _status, text = "", where = "") => {
  const [path = ""] = piecesOf(where);
  const source = read(path);
  const missing = piecesOf(text).filter((piece) => !source.includes(piece));
  expect(missing).toEqual([]);
});

test("every operation that is named exists", () => {
  const known = new Set(
    apis.flatMap(({ api }) => Object.values(api.endpoints).map(({ method, path }) => `${method} ${path}`)),
  );
  const named = rows
    .flatMap(([call = ""]) => [...call.matchAll(/`([^`]+)`/g)].map(([, operation = ""]) => operation))
    .filter((operation) => operation.includes("/"));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((operation) => !known.has(operation))).toEqual([]);
});
