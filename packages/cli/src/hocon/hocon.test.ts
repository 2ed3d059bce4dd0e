// HOCON: texts that are read, texts that are refused, and the order of variables.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigFault } from "../values/finding.ts";
import type { ValueNode } from "../values/value-node.ts";
import { parseHocon } from "./parse-hocon.ts";
import { resolveHocon } from "./resolve-hocon.ts";

function plain(node: ValueNode): unknown {
  if (node.kind === "null") return null;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries([...node.entries].map(([name, inner]) => [name, plain(inner)]));
}

const VARIABLES: Readonly<Record<string, string>> = { HOME: "/srv", PORT: "5432" };

function read(...texts: readonly string[]): unknown {
  const parts = texts.map((text, i) => ({ variable: `V${i}`, object: parseHocon(`V${i}`, text) }));
  return plain(resolveHocon(parts, (name) => VARIABLES[name]));
}

describe("HOCON", () => {
  test.each<[string, unknown]>([
    ["a.b.c = 1", { a: { b: { c: "1" } } }],
    ["a : x\nb = y", { a: "x", b: "y" }],
    ["{ a = 1, b = 2, }", { a: "1", b: "2" }],
    ["a { b = 1 } \n a { c = 2 }", { a: { b: "1", c: "2" } }],
    ["a = 1\na = 2", { a: "2" }],
    ["a = { b = 1 }\na = x\na = { c = 2 }", { a: { c: "2" } }],
    ['a.b = ""\na.b { c = 1 }', { a: { b: { c: "1" } } }],
    ['"a.b".c = 1', { "a.b": { c: "1" } }],
    ["a = [1, x y\n z, {b = 1}]", { a: ["1", "x y", "z", { b: "1" }] }],
    ["a = []", { a: [] }],
    ['a = "x # no comment \\" \\n \\u0041"', { a: 'x # no comment " \n A' }],
    ['a = """two\nlines "quoted""""', { a: 'two\nlines "quoted"' }],
    ["# one\na = 1 // two\n// three\nb = 2 # four", { a: "1", b: "2" }],
    ["a = 10 seconds\nb = 5m", { a: "10 seconds", b: "5m" }],
    ["a = null", { a: null }],
    ["a = true and more", { a: "true and more" }],
    ["a = ${HOME}/x", { a: "/srv/x" }],
    ['a = "${HOME}"', { a: "${HOME}" }],
    ["a = ${?NOBODY}\nb = x", { b: "x" }],
    ["a = 1\na = ${?NOBODY}", { a: "1" }],
    ["b = 2\na = ${b}", { a: "2", b: "2" }],
    ["a = ${b}\nb = 2", { a: "2", b: "2" }],
    ["b { x = 1 }\na = ${b} { y = 2 }", { a: { x: "1", y: "2" }, b: { x: "1" } }],
    ["a = [1]\na += 2\na += 3", { a: ["1", "2", "3"] }],
    ["a += 1", { a: ["1"] }],
    ["a = x\na = ${a}y", { a: "xy" }],
    ["a = [1]\na = ${a} [2]", { a: ["1", "2"] }],
    ["users.0 = a\nusers.1 = b", { users: { 0: "a", 1: "b" } }],
    ["include-all = 1", { "include-all": "1" }],
    ["", {}],
  ])("%j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test("later variables win, and see earlier ones", () => {
    expect(read("a = 1\nb { c = 1 }", "a = 2\nb.d = ${a}")).toEqual({ a: "2", b: { c: "1", d: "2" } });
  });

  test.each([
    ['include "other.conf"', /include/],
    ["include file(other)", /include/],
    ["a = {", /without its }/],
    ["a = [1", /without its \]/],
    ["a", /without = and a value/],
    ["a =", /without a value/],
    ["a = http://host", /":" in a value without quotes/],
    ['a = "x', /does not end/],
    ['a = """x', /does not end/],
    ['a = "\\q"', /escapes nothing/],
    ["a = ${b", /substitution/],
    ["a = ${NOBODY}", /neither such a path nor such a variable/],
    ["a = ${b}\nb = ${a}", /refers to itself/],
    ["a = 1 }", /where a comma/],
    ["{ a = 1 } b = 2", /behind its closing brace/],
    ["a = [1] x", /beside each other/],
    ["a..b = 1", /empty part/],
    [`a = ${"[".repeat(60)}${"]".repeat(60)}`, /deeper than 50/],
    [`a = "${"x".repeat(256_000)}"`, /longer than 256000/],
  ])("%j is refused", (text, message) => {
    expect(() => read(text)).toThrow(ConfigFault);
    expect(() => read(text)).toThrow(message);
  });

  test("a fault names its variable and line", () => {
    expect(() => read("a = 1", "b = 2\nc = {")).toThrow(/^V1: .*\(environment variable V1, line 2\)$/);
  });

  test("substitutions that multiply are refused", () => {
    const lines = ["a0 = [x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++) lines.push(`a${i} = ${`\${a${i - 1}} `.repeat(8)}`);
    expect(() => read(lines.join("\n"))).toThrow(/more than 20000 values/);
  });

  test("any text is read or refused in one way", () => {
    const pieces = [
      "a",
      "b",
      ".",
      "=",
      ":",
      "{",
      "}",
      "[",
      "]",
      ",",
      "\n",
      " ",
      '"',
      '"""',
      "${",
      "${?",
      "+=",
      "#",
      "//",
      "\\",
      "null",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        try {
          read(parts.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigFault);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
