import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ledgerApi } from "../ledger/api.ts";
import { scanApi } from "../scan/api.ts";
import { check, firstFaultOnly, formatProblem } from "./check.ts";
import { mapOf } from "./map-of.ts";
import { oneOf, value } from "./one-of.ts";
import { orNull } from "./or-null.ts";

describe("a problem", () => {
  const schema = z.object({
    name: z.string(),
    list: z.array(z.object({ size: z.int().refine((size) => size > 0, "is too small") })).default([]),
    choice: oneOf({ A: value(z.object({ b: z.string() })), C: z.object({ d: z.int() }) }).optional(),
  });

  test.each([
    [{}, "missing", "name: is missing"],
    [{ name: null }, "malformed", "name: expected string, received null"],
    [{ name: "", list: [{ size: 1 }, { size: 0 }] }, "rule", "list[1].size: is too small"],
    [{ name: "", list: [{ size: 1.5 }] }, "malformed", "list[0].size: expected int, received number"],
    [{ name: "", choice: {} }, "malformed", "choice: expected one of A, C"],
    [{ name: "", choice: { A: {} } }, "missing", "choice.A.value: is missing"],
    [{ name: "", choice: { A: { value: {} } } }, "missing", "choice.A.value.b: is missing"],
    [{ name: "", choice: { C: { d: "x" } } }, "malformed", "choice.C.d: expected number, received string"],
    [{ name: "", choice: { A: null } }, "malformed", "choice.A: expected object, received null"],
    [5, "malformed", "expected object, received number"],
    [undefined, "missing", "is missing"],
  ])("%j is reported with its path and kind", (given, kind, text) => {
    const checked = check(schema, given);
    expect(checked.ok || [checked.problem.kind, formatProblem(checked.problem)]).toEqual([kind, text]);
  });
});

test("what may have no value is null, whether the key is there or not", () => {
  const schema = z.object({ a: orNull(z.string()) });
  expect(check(schema, {})).toEqual({ ok: true, value: { a: null } });
  expect(check(schema, { a: null })).toEqual({ ok: true, value: { a: null } });
  expect(check(schema, { a: "x" })).toEqual({ ok: true, value: { a: "x" } });
  expect(check(schema, { a: 5 }).ok).toBe(false);
});

describe("a map", () => {
  const schema = mapOf(z.object({ n: z.int(), s: z.string().default("s") }));

  test("keeps its keys and reads its values", () => {
    const given = { "": { n: 1 }, "a::b": { n: 2, s: "t", other: 1 } };
    expect(check(schema, given)).toEqual({
      ok: true,
      value: { "": { n: 1, s: "s" }, "a::b": { n: 2, s: "t" } },
    });
    expect(check(schema, {})).toEqual({ ok: true, value: {} });
  });

  test.each([[[]], ["x"], [null], [5]])("is no %j", (given) => {
    expect(check(schema, given).ok).toBe(false);
  });

  test("names the key of a fault", () => {
    const checked = check(schema, { a: { n: 1 }, b: { n: "x" } });
    expect(checked.ok || checked.problem.path).toBe("b.n");
  });

  test("refuses the key that would change a prototype, and keeps others of objects", () => {
    const checked = check(schema, JSON.parse('{"__proto__":{"n":1}}'));
    expect(checked.ok || checked.problem).toMatchObject({ path: "__proto__" });
    const kept = check(schema, JSON.parse('{"constructor":{"n":2}}'));
    expect(kept).toEqual({ ok: true, value: { constructor: { n: 2, s: "s" } } });
  });
});

describe("of many faults only the first is worked out", () => {
  const { endpoints: ledger } = ledgerApi;
  const { endpoints: scan } = scanApi;
  const list = (item: unknown) => Array.from({ length: 1000 }, () => item);
  const map = (item: unknown) => Object.fromEntries(list(item).map((each, index) => [`k${index}`, each]));
  const commands = { commandId: "c", commands: [], actAs: [] };
  const create = { CreateCommand: { templateId: "x", createArguments: {} } };
  const entry = { user: "", name: "", url: "", description: "", expires_at: "soon" };

  test.each([
    ["parties that are numbers", ledger.submitAndWait.body, { ...commands, actAs: list(1) }],
    ["commands of no kind", ledger.submitAndWait.body, { ...commands, commands: list({}) }],
    ["malformed template ids", ledger.submitAndWait.body, { ...commands, commands: list(create) }],
    ["rights that are numbers", ledger.createUser.body, { user: {}, rights: list(1) }],
    [
      "annotations that are numbers",
      ledger.updatePartyDetails.body,
      { partyDetails: { localMetadata: { annotations: map(1) } } },
    ],
    [
      "filters that are numbers",
      ledger.getEventsByContractId.body,
      { eventFormat: { filtersByParty: map(1) } },
    ],
    ["entries without fields", scan.listAnsEntries.success.schema, { entries: list({}) }],
    ["entries that expire at no time", scan.listAnsEntries.success.schema, { entries: list(entry) }],
    [
      "rounds that are numbers",
      scan.getOpenAndIssuingMiningRounds.success.schema,
      { time_to_live_in_microseconds: 1, open_mining_rounds: map(1), issuing_mining_rounds: map(1) },
    ],
  ])("%s", (_, schema, given) => {
    const result = (schema as z.ZodType).safeParse(given, firstFaultOnly);
    expect(result.error?.issues).toHaveLength(1);
  });
});
