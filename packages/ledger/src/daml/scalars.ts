/** The types without parts: unit, bool, int64, numeric, text, party, contract id, time, date. */
import { type ContractId, isContractId } from "../values/contract-id.ts";
import { formatLedgerDate, isLedgerDate, type LedgerDate, parseDate } from "../values/date.ts";
import { type Decimal, isDecimalUnits, parseDecimal } from "../values/decimal.ts";
import { isInt64, parseInt64 } from "../values/int64.ts";
import type { Parsed } from "../values/parsed.ts";
import { isPartyId, type PartyId } from "../values/party-id.ts";
import { compareAscii, compareText, isStorableText } from "../values/text.ts";
import { isTimeMicros, parseTime, type Time } from "../values/time.ts";
import type { DamlType } from "./daml-type.ts";
import { DecodeError } from "./decode-error.ts";
import type { JsonDialect } from "./json-dialect.ts";
import { describeJson, type JsonValue } from "./json-value.ts";

export type Unit = Readonly<Record<never, never>>;

const UNIT: Unit = Object.freeze({});

export const unit: DamlType<Unit> = {
  label: "Unit",
  isOptional: false,
  encode: () => "[]",
  decode: (data) => (Array.isArray(data) && data.length === 0 ? UNIT : refuse("an empty array", data)),
  toJson: () => ({}),
  fromJson: () => UNIT,
  compare: () => 0,
};

export const bool: DamlType<boolean> = {
  label: "Bool",
  isOptional: false,
  encode: (value) => (value ? "true" : "false"),
  decode: asBoolean,
  toJson: (value) => value,
  fromJson: asBoolean,
  compare: (a, b) => Number(a) - Number(b),
};

export const int64: DamlType<bigint> = digits({
  label: "Int64",
  isValid: (value): value is bigint => isInt64(value),
  format: (value) => value.toString(),
  read: (json) =>
    parsedOrThrow(
      parseInt64(typeof json === "number" && Number.isSafeInteger(json) ? `${json}` : asString(json)),
    ),
});

export const numeric: DamlType<Decimal> = digits({
  label: "Numeric 10",
  isValid: isDecimalUnits,
  format: (value, dialect) => dialect.formatDecimal(value),
  read: (json) => parsedOrThrow(parseDecimal(typeof json === "number" ? plainNumber(json) : asString(json))),
});

export const time: DamlType<Time> = digits({
  label: "Time",
  isValid: isTimeMicros,
  format: (value, dialect) => dialect.formatTime(value),
  read: (json) => parsedOrThrow(parseTime(asString(json))),
});

export const date: DamlType<LedgerDate> = digits({
  label: "Date",
  isValid: isLedgerDate,
  format: (value) => formatLedgerDate(value),
  read: (json) => parsedOrThrow(parseDate(asString(json))),
});

export const text: DamlType<string> = {
  label: "Text",
  isOptional: false,
  encode: (value) => JSON.stringify(value),
  decode: asText,
  toJson: (value) => value,
  fromJson: asText,
  compare: compareText,
};

export const party: DamlType<PartyId> = identifier("a party id such as alice::1220…", isPartyId);
export const contractId: DamlType<ContractId> = identifier(
  "a contract id (lower-case hex, 00…)",
  isContractId,
);

/** Identifiers hold no character that JSON escapes, so their text needs no more than quotes. */
function identifier<T extends string>(label: string, isValid: (given: string) => given is T): DamlType<T> {
  const read = (json: unknown): T => {
    const given = asString(json);
    return isValid(given) ? given : refuse(label, json);
  };
  return {
    label,
    isOptional: false,
    encode: (value) => `"${value}"`,
    decode: read,
    toJson: (value) => value,
    fromJson: read,
    compare: compareAscii,
  };
}

/** Numbers, written canonically as a string of digits in their smallest unit. */
function digits<T extends bigint>(type: {
  label: string;
  isValid: (value: bigint) => value is T;
  format: (value: T, dialect: JsonDialect) => string;
  read: (json: unknown) => T;
}): DamlType<T> {
  const { label, isValid, format, read } = type;
  return {
    label,
    isOptional: false,
    encode: (value) => `"${value}"`,
    decode: (data) => {
      if (typeof data === "string" && DIGITS.test(data)) {
        const value = BigInt(data);
        if (isValid(value)) return value;
      }
      return refuse(`${label} as a string of digits`, data);
    },
    toJson: (value, dialect): JsonValue => format(value, dialect),
    fromJson: read,
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  };
}

/** No leading zeros and no minus zero: a number has one canonical text. */
const DIGITS = /^(?:0|-?[1-9]\d{0,38})$/;

function asBoolean(json: unknown): boolean {
  return typeof json === "boolean" ? json : refuse("true or false", json);
}

function asText(json: unknown): string {
  const given = asString(json);
  if (isStorableText(given)) return given;
  throw new DecodeError("Text must not contain U+0000 or lone surrogates", "malformed-text");
}

function asString(json: unknown): string {
  return typeof json === "string" ? json : refuse("a string", json);
}

/** A JSON number without exponent; one that ten decimal places cannot hold is refused, not rounded. */
function plainNumber(given: number): string {
  const fixed = Math.abs(given) < 1e21 ? given.toFixed(10) : "";
  return fixed !== "" && Number(fixed) === given
    ? fixed
    : refuse("at most 10 decimal places (use a string)", given);
}

function parsedOrThrow<T>(result: Parsed<T>): T {
  if (result.ok) return result.value;
  throw new DecodeError(result.error);
}

export function refuse(expected: string, given: unknown): never {
  throw new DecodeError(`Expected ${expected}, got ${describeJson(given)}`);
}
