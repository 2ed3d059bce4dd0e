import { expect, expectTypeOf, test } from "vitest";
import type { ContractId } from "../values/contract-id.ts";
import type { LedgerDate } from "../values/date.ts";
import type { Decimal } from "../values/decimal.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import { textMap } from "./collections.ts";
import { decodeText, equalValues, type ValueOf } from "./daml-type.ts";
import { record } from "./record.ts";
import {
  type bool,
  type contractId,
  type date,
  int64,
  type numeric,
  type party,
  text,
  type time,
} from "./scalars.ts";

const Entry = record({ name: text, number: int64 });

test("a canonical text is decoded", () => {
  expect(decodeText(Entry, '["alice","7"]')).toEqual({ name: "alice", number: 7n });
});

test.each([
  ["", 'Expected JSON, got ""'],
  ["[", 'Expected JSON, got "["'],
  ['["alice","7"]x', 'Expected JSON, got "[\\"alice\\",\\"7\\"]x"'],
  [`[${"x".repeat(1_000_000)}`, `Expected JSON, got "[${"x".repeat(79)}"… (1000001 characters)`],
  ['["alice"]', "Missing non-optional field at 'number'"],
  ['["alice",7]', "Expected Int64 as a string of digits, got number 7 at 'number'"],
])("a text that is none is a decode error (%#)", (canonical, message) => {
  expect(() => decodeText(Entry, canonical)).toThrow(
    expect.objectContaining({ name: "DecodeError", message }),
  );
});

test("values are equal if their texts are", () => {
  expect(equalValues(Entry, { name: "a", number: 1n }, { number: 1n, name: "a" })).toBe(true);
  expect(equalValues(Entry, { name: "a", number: 1n }, { name: "a", number: 2n })).toBe(false);
  const [ab, ba] = [
    [
      ["a", 1n],
      ["b", 2n],
    ],
    [
      ["b", 2n],
      ["a", 1n],
    ],
  ] as const;
  expect(equalValues(textMap(int64), ab, ba)).toBe(true);
});

test("the scalars give their TypeScript types", () => {
  expectTypeOf<ValueOf<typeof bool>>().toEqualTypeOf<boolean>();
  expectTypeOf<ValueOf<typeof int64>>().toEqualTypeOf<bigint>();
  expectTypeOf<ValueOf<typeof numeric>>().toEqualTypeOf<Decimal>();
  expectTypeOf<ValueOf<typeof text>>().toEqualTypeOf<string>();
  expectTypeOf<ValueOf<typeof party>>().toEqualTypeOf<PartyId>();
  expectTypeOf<ValueOf<typeof contractId>>().toEqualTypeOf<ContractId>();
  expectTypeOf<ValueOf<typeof time>>().toEqualTypeOf<Time>();
  expectTypeOf<ValueOf<typeof date>>().toEqualTypeOf<LedgerDate>();
  // @ts-expect-error: a contract id is no party id
  const mixedUp: PartyId = "" as ContractId;
  expect(mixedUp).toBe("");
});
