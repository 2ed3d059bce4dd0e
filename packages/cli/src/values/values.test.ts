// Values files and --set: helm's rules, origins, and text that is refused.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigFault } from "./finding.ts";
import { mergeValues } from "./merge-values.ts";
import { formatOrigin } from "./origin.ts";
import { applySet } from "./parse-set.ts";
import { parseValuesFile } from "./parse-values-file.ts";
import { emptyMap, findNode, type ValueNode } from "./value-node.ts";

function plain(node: ValueNode | undefined): unknown {
  if (node === undefined || node.kind === "null") return null;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries([...node.entries].map(([name, inner]) => [name, plain(inner)]));
}

const nothing = emptyMap({ kind: "set", text: "" });
const fileOf = (text: string) => parseValuesFile("a.yaml", text);
const mergedOf = (...texts: readonly string[]) =>
  plain(texts.map(fileOf).reduce((a, b) => mergeValues(a, b), nothing));

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigFault) return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("values files", () => {
  test.each<[string, readonly string[], unknown]>([
    ["maps are merged deep", ["a: { b: 1, c: 2 }", "a: { c: 3 }"], { a: { b: 1, c: 3 } }],
    ["lists are replaced", ["a: [1, 2, 3]", "a: [4]"], { a: [4] }],
    ["null deletes", ["a: { b: 1, c: 2 }", "a: { b: null }"], { a: { c: 2 } }],
    ["a key without a value deletes", ["a: 1\nb: 2", "a:"], { b: 2 }],
    [
      "a scalar replaces a map, and the other way round",
      ["a: { b: 1 }\nc: 1", "a: 2\nc: { d: 1 }"],
      { a: 2, c: { d: 1 } },
    ],
    ["of three files the last wins", ["a: 1", "a: 2", "a: 3"], { a: 3 }],
    ["an empty file changes nothing", ["a: 1", "", "# nothing\n"], { a: 1 }],
    [
      "aliases and merge keys are written out",
      ["a: &x { b: 1 }\nc: *x\nd: { <<: *x, e: 2 }"],
      { a: { b: 1 }, c: { b: 1 }, d: { e: 2, b: 1 } },
    ],
    ["digits beyond a number's stay text", ["a: 12345678901234567890"], { a: "12345678901234567890" }],
  ])("%s", (_, texts, expected) => {
    expect(mergedOf(...texts)).toEqual(expected);
  });

  test("every value knows its file, line and column", () => {
    const values = mergeValues(fileOf("a:\n  b: 1\n"), parseValuesFile("b.yaml", "\n\nc: [x]\n"));
    const originOf = (...path: readonly string[]) => {
      const node = findNode(values, path);
      return node && formatOrigin(node.origin);
    };
    expect([originOf("a", "b"), originOf("c")]).toEqual(["a.yaml:2:6", "b.yaml:3:4"]);
  });

  test.each([
    ["a: 1\na: 2", /a\.yaml.*unique.*\(a\.yaml:2:1\)/],
    ["a: [1, 2", /a\.yaml:.*no YAML.*\(a\.yaml:\d+:\d+\)/s],
    ["a: 1\n---\nb: 2", /one document/],
    ["- a\n- b", /no map of keys/],
    ["a: *x", /a\.yaml/],
    ["? { b: 1 }\n: 2", /key that is no text/],
    [`a: ${"[".repeat(60)}${"]".repeat(60)}`, /deeper than 50/],
    ["x".repeat(1024 * 1024 + 1), /larger than 1048576/],
  ])("%j is refused with its place", (text, message) => {
    expect(faultOf(() => fileOf(text))).toMatch(message);
  });

  test("aliases that multiply are refused", () => {
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++) bomb.push(`a${i}: &a${i} [${new Array(10).fill(`*a${i - 1}`).join(", ")}]`);
    expect(faultOf(() => fileOf(bomb.join("\n")))).toMatch(/more than 20000 values/);
  });
});

describe("--set", () => {
  test.each<[string, unknown]>([
    ["a.b=c", { a: { b: "c" } }],
    [
      "a=1,b=true,c=false,d=x,e=007,f=-3,g=1.5",
      { a: 1, b: true, c: false, d: "x", e: "007", f: -3, g: "1.5" },
    ],
    ["a={x,y,3}", { a: ["x", "y", 3] }],
    ["a={}", { a: [] }],
    ["a[0]=x,a[1].b=y", { a: ["x", { b: "y" }] }],
    ["a\\.b=c\\,d", { "a.b": "c,d" }],
    ["a=x=y", { a: "x=y" }],
    ["a=", { a: "" }],
    ["old=null", {}],
    ["old.inner=1", { old: { inner: 1 } }],
  ])("%s", (text, expected) => {
    const values = applySet(fileOf(text.startsWith("old") ? "old: 1" : ""), text);
    expect(plain(values)).toEqual(expected);
  });

  test("--set-string leaves text as it is", () => {
    expect(plain(applySet(nothing, "a=1,b=true", { isText: true }))).toEqual({ a: "1", b: "true" });
  });

  test.each([
    "a",
    "=b",
    "a..b=c",
    "a,b=c",
    "a[x]=1",
    "a[9999]=1",
    "a[1]=x",
    "[0]=x",
    "a={x",
    "a={x}y",
    "a[0]b=1",
    "",
  ])("%j is refused without its value", (text) => {
    expect(faultOf(() => applySet(nothing, text))).toMatch(/--set/);
  });

  test("a secret in a faulty --set is not shown", () => {
    expect(faultOf(() => applySet(nothing, "persistence.password={hunter2"))).not.toContain("hunter2");
  });

  test("any text is read or refused in one way", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab.=[]{},\\01 "') }), (text) => {
        try {
          applySet(nothing, text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigFault);
        }
      }),
      { numRuns: 500 },
    );
  });
});
