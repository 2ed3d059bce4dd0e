// Properties of all types: random types, and random values of them.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerDate } from "../values/date.ts";
import { decimal } from "../values/decimal.ts";
import { show } from "../values/parsed.ts";
import { time as instant } from "../values/time.ts";
import { damlMap, damlSet, list, textMap } from "./collections.ts";
import { type AnyDamlType, decodeText, equalValues } from "./daml-type.ts";
import { DecodeError } from "./decode-error.ts";
import { historyJson, ledgerJson, scanJson } from "./json-dialect.ts";
import type { JsonValue } from "./json-value.ts";
import { nestedOptional, type OptionalType, optional } from "./optional.ts";
import { record, tuple } from "./record.ts";
import { bool, contractId, date, int64, numeric, party, text, time, unit } from "./scalars.ts";
import { enumeration, variant } from "./variant.ts";

/** A type, and what its values may be: few for each scalar, so that equal ones are met often. */
interface Sample {
  readonly type: AnyDamlType;
  readonly values: fc.Arbitrary<unknown>;
}

const scalars: readonly Sample[] = [
  { type: bool, values: fc.boolean() },
  { type: int64, values: fc.constantFrom(0n, -1n, 42n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n) },
  {
    type: numeric,
    values: fc.constantFrom(...["0", "1", "-0.0000000015", "0.005", `-${"9".repeat(28)}.5`].map(decimal)),
  },
  { type: text, values: fc.constantFrom("", "a", 'b"\\\n', "\uffff", "😀", "__proto__", "null", "[]") },
  { type: party, values: fc.constantFrom("a::1", "b b::1", "A::1") },
  { type: contractId, values: fc.constantFrom("1", "2").map((digit) => `00${digit.repeat(64)}`) },
  {
    type: time,
    values: fc.constantFrom(
      instant("1969-12-31T23:59:59.999999Z"),
      instant("2026-01-31T12:00:00.5Z"),
      instant("9999-12-31T23:59:59.999999Z"),
    ),
  },
  { type: date, values: fc.constantFrom(-719_162n, 0n, 20_484n).map((days) => days as LedgerDate) },
  { type: enumeration("Red", "Green"), values: fc.constantFrom("Green", "Red") },
];
const unitSample: Sample = { type: unit, values: fc.constant({}) };

/** Types of up to three levels. Unit is left out where a test needs that wrong values are noticed. */
function anySample(leaves: readonly Sample[], depth = 3): fc.Arbitrary<Sample> {
  const leaf = fc.constantFrom(...leaves);
  if (depth === 0) return leaf;
  const inner = anySample(leaves, depth - 1);
  return fc.oneof(
    leaf,
    fc.array(inner, { minLength: 1, maxLength: 4 }).map(recordSample),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map(variantSample),
    fc.tuple(inner, fc.integer({ min: 1, max: 3 })).map(([sample, levels]) => optionalSample(sample, levels)),
    inner.map(({ type, values }) => ({
      type: list(type),
      values: fc.array(values, { maxLength: 3 }),
    })),
    inner.map(textMapSample),
    fc.tuple(inner, inner).map(([key, value]) => mapSample(key, value)),
    inner.map((key) => setSample(key)),
    fc.tuple(inner, inner).map(([first, second]) => ({
      type: tuple(first.type, second.type),
      values: fc.record({ _1: first.values, _2: second.values }, { noNullPrototype: true }),
    })),
  );
}

function recordSample(samples: readonly Sample[]): Sample {
  const named = samples.map((sample, i) => [`field${i}`, sample] as const);
  return {
    type: record(Object.fromEntries(named.map(([name, { type }]) => [name, type]))),
    values: fc.record(Object.fromEntries(named.map(([name, { values }]) => [name, values])), {
      noNullPrototype: true,
    }),
  };
}

function variantSample(samples: readonly Sample[]): Sample {
  const named = samples.map((sample, i) => [`Constructor${i}`, sample] as const);
  return {
    type: variant(Object.fromEntries(named.map(([tag, { type }]) => [tag, type]))),
    values: fc.oneof(...named.map(([tag, { values }]) => values.map((value) => ({ tag, value })))),
  };
}

function optionalSample(sample: Sample, levels: number): Sample {
  // An optional of an optional is written nested, whichever way it came about.
  const [first, firstValues] = sample.type.isOptional
    ? [sample.type as OptionalType<unknown>, sample.values]
    : [optional(sample.type), fc.option(sample.values, { nil: null })];
  let type = first;
  let values: fc.Arbitrary<unknown> = firstValues;
  for (let level = 1; level < levels; level++) {
    type = nestedOptional(type) as OptionalType<unknown>;
    values = fc.option(
      values.map((some) => ({ some })),
      { nil: null },
    );
  }
  return { type, values };
}

function textMapSample({ type, values }: Sample): Sample {
  const keys = fc.constantFrom("key", "key a", "key__proto__", "key\uffff", "key😀");
  return { type: textMap(type), values: sortedPairs(text, keys, values) };
}

function mapSample(key: Sample, value: Sample): Sample {
  return { type: damlMap(key.type, value.type), values: sortedPairs(key.type, key.values, value.values) };
}

function setSample(key: Sample): Sample {
  return {
    type: damlSet(key.type),
    values: sortedPairs(key.type, key.values, fc.constant({})).map((map) => ({ map })),
  };
}

function sortedPairs(
  keyType: AnyDamlType,
  keys: fc.Arbitrary<unknown>,
  values: fc.Arbitrary<unknown>,
): fc.Arbitrary<(readonly [unknown, unknown])[]> {
  return fc
    .uniqueArray(fc.tuple(keys, values), { maxLength: 3, selector: ([key]) => keyType.encode(key) })
    .map((pairs) => pairs.toSorted((a, b) => keyType.compare(a[0], b[0])));
}

const everything = anySample([...scalars, unitSample]);
const dialects = { ledgerJson, scanJson, historyJson };

test("the canonical text gives the value back, and the value the text", () => {
  const cases = everything.chain(({ type, values }) => values.map((value) => ({ type, value })));
  fc.assert(
    fc.property(cases, ({ type, value }) => {
      const canonical = type.encode(value);
      const back = decodeText(type, canonical);
      expect(back).toStrictEqual(value);
      expect(type.encode(back)).toBe(canonical);
      expect(JSON.stringify(JSON.parse(canonical))).toBe(canonical);
    }),
    { numRuns: 1000 },
  );
});

/** Changes of an array at any depth that a decoder might put right: its last item left out, or two items exchanged. */
function alternatives(data: unknown): readonly unknown[] {
  if (!Array.isArray(data)) return [];
  const exchanged = data.length > 1 ? [[data[1], data[0], ...data.slice(2)]] : [];
  const inner = data.flatMap((item, i) => alternatives(item).map((changed) => data.with(i, changed)));
  return [data.slice(0, -1), ...exchanged, ...inner];
}

test("data of a rigid type has one form", () => {
  const cases = everything
    .filter(({ type }) => type.isRigid)
    .chain(({ type, values }) => values.map((value) => ({ type, value })));
  fc.assert(
    fc.property(cases, ({ type, value }) => {
      for (const data of alternatives(JSON.parse(type.encode(value)))) {
        const given = attempt(() => type.decode(data));
        if (!(given instanceof DecodeError)) expect(type.encode(given)).toBe(JSON.stringify(data));
      }
    }),
    { numRuns: 1000 },
  );
});

test("maps, and records with an optional field at the end, are not rigid", () => {
  const last = record({ a: text, b: optional(text) });
  const types = [damlMap(text, text), textMap(text), damlSet(text), last, list(last), variant({ A: last })];
  for (const type of types) expect(type.isRigid).toBe(false);
  expect(record({ a: optional(text), b: text }).isRigid).toBe(true);
});

test.each(Object.entries(dialects))("%s gives the value back", (_name, dialect) => {
  const cases = everything.chain(({ type, values }) => values.map((value) => ({ type, value })));
  fc.assert(
    fc.property(cases, ({ type, value }) => {
      const json = JSON.stringify(type.toJson(value, dialect));
      expect(type.fromJson(JSON.parse(json), dialect)).toStrictEqual(value);
    }),
    { numRuns: 1000 },
  );
});

test("values are equal if and only if their texts are, and so says their order", () => {
  const cases = everything.chain(({ type, values }) => fc.tuple(fc.constant(type), values, values, values));
  fc.assert(
    fc.property(cases, ([type, a, b, c]) => {
      const equal = isDeepStrictEqual(a, b);
      expect(equalValues(type, a, b)).toBe(equal);
      expect(type.compare(a, b) === 0).toBe(equal);
      // Not toBe: there are two zeros.
      expect(Math.sign(type.compare(a, b)) === -Math.sign(type.compare(b, a))).toBe(true);
      const [low, middle, high] = [a, b, c].sort(type.compare);
      expect(type.compare(low, middle)).toBeLessThanOrEqual(0);
      expect(type.compare(middle, high)).toBeLessThanOrEqual(0);
      expect(type.compare(low, high)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});

test("any JSON is a value or a decode error", () => {
  const cases = fc.tuple(everything, fc.jsonValue(), fc.constantFrom(...Object.values(dialects)));
  fc.assert(
    fc.property(cases, ([{ type }, json, dialect]) => {
      const value = attempt(() => type.fromJson(json, dialect));
      if (!(value instanceof DecodeError)) expect(decodeText(type, type.encode(value))).toStrictEqual(value);
      const data = attempt(() => type.decode(json));
      if (!(data instanceof DecodeError)) expect(decodeText(type, type.encode(data))).toStrictEqual(data);
    }),
    { numRuns: 2000 },
  );
});

test("the error names the one wrong place in a value", () => {
  const cases = anySample(scalars)
    .chain(({ type, values }) => fc.tuple(fc.constant(type), values, fc.nat(), fc.boolean()))
    .map(([type, value, place, scan]) => ({ type, value, place, dialect: scan ? scanJson : ledgerJson }));
  fc.assert(
    fc.property(cases, ({ type, value, place, dialect }) => {
      const json: JsonValue = type.toJson(value, dialect);
      const paths = listPlaces(json);
      const path = paths[place % paths.length] ?? [];
      const spoiled = attempt(() => type.fromJson(replaceAt(json, path), dialect));
      expect(spoiled).toBeInstanceOf(DecodeError);
      expect((spoiled as DecodeError).path).toBe(formatPath(path));
    }),
    { numRuns: 2000 },
  );
});

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

type Path = readonly (string | number)[];

/** Every place inside a JSON value, itself first. Below a set's elements there is unit, which takes anything. */
function listPlaces(json: JsonValue, path: Path = []): readonly Path[] {
  if (typeof json !== "object" || json === null) return [path];
  const parts = Array.isArray(json) ? json.entries() : Object.entries(json);
  const below = [...parts].filter(([, part]) => !isDeepStrictEqual(part, {}) || Array.isArray(part));
  return [path, ...below.flatMap(([key, part]) => listPlaces(part, [...path, key]))];
}

/** The same JSON with something that is no JSON at one place. */
function replaceAt(json: unknown, [head, ...rest]: Path): unknown {
  if (head === undefined) return Symbol("wrong");
  if (Array.isArray(json)) return json.map((part, i) => (i === head ? replaceAt(part, rest) : part));
  const entries = Object.entries(json as Record<string, unknown>);
  return Object.fromEntries(entries.map(([key, part]) => [key, key === head ? replaceAt(part, rest) : part]));
}

/** In our types only the keys of text maps start with "key". */
function formatPath(path: Path): string {
  return path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return part.startsWith("key") ? `[${show(part)}]` : `.${part}`;
    })
    .join("")
    .replace(/^\./, "");
}
