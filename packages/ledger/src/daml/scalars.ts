/** The types without parts: unit, bool, int64, numeric, text, party, contract id, time, date. */

import { type ContractId, isContractId } from "../values/contract-id.ts";
import { formatLedgerDate, isLedgerDate, type LedgerDate, parseDate } from "../values/date.ts";
import { DECIMAL_PLACES, type Decimal, formatDecimalShort, isDecimalUnits } from "../values/decimal.ts";
import { int64 as checkedInt64, isInt64, parseInt64 } from "../values/int64.ts";
import type { Parsed } from "../values/parsed.ts";
import { isPartyId, type PartyId } from "../values/party-id.ts";
import { compareAscii, compareText, isStorableText } from "../values/text.ts";
import { formatInstant, isTimeMicros, parseTime, type Time } from "../values/time.ts";
import type { DamlType } from "./daml-type.ts";
import { DecodeError } from "./decode-error.ts";
import type { JsonDialect } from "./json-dialect.ts";
import { describeJson, type JsonValue } from "./json-value.ts";
import { HIDDEN_CONTRACT_ID, showParty, showText } from "./show.ts";

export type Unit = Readonly<Record<never, never>>;

const UNIT: Unit = Object.freeze({});

export const unit: DamlType<Unit> = {
  label: "Unit",
  isOptional: false,
  isRigid: true,
  encode: () => "[]",
  decode: (data) => (Array.isArray(data) && data.length === 0 ? UNIT : refuse("an empty array", data)),
  toJson: () => ({}),
  fromJson: () => UNIT,
  show: () => "()",
  compare: () => 0,
};

export const bool: DamlType<boolean> = {
  label: "Bool",
  isOptional: false,
  isRigid: true,
  encode: (value) => (value ? "true" : "false"),
  decode: asBoolean,
  toJson: (value) => value,
  fromJson: asBoolean,
  show: (value) => (value ? "True" : "False"),
  compare: (a, b) => Number(a) - Number(b),
};

export const int64: DamlType<bigint> = {
  ...digits({
    label: "Int64",
    isValid: (value): value is bigint => isInt64(value),
    format: (value) => value.toString(),
    read: (json) => parsedOrThrow(parseInt64(typeof json === "number" ? wholeNumber(json) : asString(json))),
    show: (value) => value.toString(),
  }),
  // The other numbers are only made by checked arithmetic. An Int may be any bigint to TypeScript: an overflow
  // that contract code did not see is caught here, or it would be stored and could never be read again.
  encode: (value) => `"${checkedInt64(value)}"`,
};

export const numeric: DamlType<Decimal> = digits({
  label: "Numeric 10",
  isValid: isDecimalUnits,
  format: (value, dialect) => dialect.formatDecimal(value),
  read: (json, dialect) =>
    parsedOrThrow(dialect.parseDecimal(typeof json === "number" ? decimalNumber(json) : asString(json))),
  show: formatDecimalShort,
});

export const time: DamlType<Time> = digits({
  label: "Time",
  isValid: isTimeMicros,
  format: (value, dialect) => dialect.formatTime(value),
  read: (json) => parsedOrThrow(parseTime(asString(json))),
  show: formatInstant,
});

export const date: DamlType<LedgerDate> = digits({
  label: "Date",
  isValid: isLedgerDate,
  format: formatLedgerDate,
  read: (json) => parsedOrThrow(parseDate(asString(json))),
  show: formatLedgerDate,
});

export const text: DamlType<string> = {
  label: "Text",
  isOptional: false,
  isRigid: true,
  encode: (value) => JSON.stringify(value),
  decode: asText,
  toJson: (value) => value,
  fromJson: asText,
  show: showText,
  compare: compareText,
};

export const party: DamlType<PartyId> = identifier("a party id such as alice::1220…", isPartyId, showParty);
export const contractId: DamlType<ContractId> = identifier(
  "a contract id (lower-case hex, 00…)",
  isContractId,
  () => HIDDEN_CONTRACT_ID,
);

/** Identifiers hold no character that JSON escapes, so their text needs no more than quotes. */
function identifier<T extends string>(
  label: string,
  isValid: (given: string) => given is T,
  show: (value: T) => string,
): DamlType<T> {
  const read = (json: unknown): T => {
    const given = asString(json);
    return isValid(given) ? given : refuse(label, json);
  };
  return {
    label,
    isOptional: false,
    isRigid: true,
    encode: (value) => `"${value}"`,
    decode: read,
    toJson: (value) => value,
    fromJson: read,
    show,
    compare: compareAscii,
  };
}

/** Numbers, written canonically as a string of digits in their smallest unit. */
function digits<T extends bigint>(type: {
  label: string;
  isValid: (value: bigint) => value is T;
  format: (value: T, dialect: JsonDialect) => string;
  read: (json: unknown, dialect: JsonDialect) => T;
  show: (value: T) => string;
}): DamlType<T> {
  const { label, isValid, format, read, show } = type;
  return {
    label,
    isOptional: false,
    isRigid: true,
    encode: (value) => `"${value}"`,
    decode: (data) => {
      const value = typeof data === "string" ? readDigits(data) : undefined;
      if (value !== undefined && isValid(value)) return value;
      return refuse(`${label} as a string of digits`, data);
    },
    toJson: (value, dialect): JsonValue => format(value, dialect),
    fromJson: read,
    show,
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  };
}

/** No leading zeros and no minus zero: a number has one canonical text. */
const DIGITS = /^(?:0|-?[1-9]\d{0,38})$/;

function readDigits(text: string): bigint | undefined {
  return readShortNumber(text) ?? (DIGITS.test(text) ? BigInt(text) : undefined);
}

/** Most numbers have no sign and at most 15 digits. A double holds those, and is built much faster. */
function readShortNumber(text: string): bigint | undefined {
  if (text === "" || text.length > 15) return undefined;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    const isLeadingZero = value === 0 && i > 0;
    if (digit < 0 || digit > 9 || isLeadingZero) return undefined;
    value = value * 10 + digit;
  }
  return BigInt(value);
}

function asBoolean(json: unknown): boolean {
  return typeof json === "boolean" ? json : refuse("true or false", json);
}

function asText(json: unknown): string {
  const given = asString(json);
  if (isStorableText(given)) return given;
  throw new DecodeError("Text must not contain U+0000 or lone surrogates", { problem: "malformed-text" });
}

function asString(json: unknown): string {
  return typeof json === "string" ? json : refuse("a string", json);
}

/** A JSON number is a double by the time we see it, which keeps whole numbers up to 2⁵³ only. */
function wholeNumber(given: number): string {
  return Number.isSafeInteger(given) ? `${given}` : refuse("a whole number below 2^53, or a string", given);
}

/**
 * A double keeps 15 decimal digits, wherever the point stands: a number of more was, or may have been, changed
 * before we saw it (1234567.1 is 1234567.1000000001 to ten places). It is refused, never rounded.
 */
function decimalNumber(given: number): string {
  const size = Math.abs(given);
  if (size < 1e15) {
    const places = 15 - Math.trunc(size).toString().length;
    const fixed = given.toFixed(Math.min(places, DECIMAL_PLACES));
    if (Number(fixed) === given) return fixed;
  }
  return refuse("at most 15 digits, 10 of them after the point, or a string", given);
}

function parsedOrThrow<T>(result: Parsed<T>): T {
  if (result.ok) return result.value;
  throw new DecodeError(result.error);
}

export function refuse(expected: string, given: unknown): never {
  throw new DecodeError(`Expected ${expected}, got ${describeJson(given)}`);
}
