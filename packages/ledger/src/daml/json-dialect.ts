/**
 * The three renderings of one value that clients see (facts: JSON encodings of Daml values): the JSON Ledger
 * API's, the one of scan's and the validator's contract payloads, and the one of scan's update history.
 */
import {
  DECIMAL_PLACES,
  type Decimal,
  formatDecimal,
  formatDecimalShort,
  parseDecimal,
} from "../values/decimal.ts";
import { type Parsed, parsed } from "../values/parsed.ts";
import { formatInstant, formatTime, type Time } from "../values/time.ts";

export interface JsonDialect {
  readonly formatDecimal: (value: Decimal) => string;
  readonly parseDecimal: (given: string) => Parsed<Decimal>;
  readonly formatTime: (value: Time) => string;
  /** True if absent optional fields at the end of a record are left out instead of shown as null. */
  readonly omitsTrailingNone: boolean;
  /** True if the outermost of nested optionals is an array too (`[]` for None) instead of null/array. */
  readonly nestsOptionalsInArrays: boolean;
}

export const ledgerJson: JsonDialect = {
  formatDecimal,
  parseDecimal,
  formatTime,
  omitsTrailingNone: true,
  nestsOptionalsInArrays: true,
};

export const scanJson: JsonDialect = {
  formatDecimal: formatDecimalShort,
  parseDecimal,
  formatTime: formatInstant,
  omitsTrailingNone: false,
  nestsOptionalsInArrays: false,
};

export const historyJson: JsonDialect = {
  formatDecimal: formatJavaDecimal,
  parseDecimal: parseJavaDecimal,
  formatTime: formatInstant,
  omitsTrailingNone: false,
  nestsOptionalsInArrays: false,
};

/**
 * Java's BigDecimal of scale 10 turns to scientific notation when the value's leading digit stands more
 * than six places behind the point, zero included: `0E-10`, `1.5E-9`, `1.000E-7`.
 */
function formatJavaDecimal(value: Decimal): string {
  const digits = (value < 0n ? -value : value).toString();
  const exponent = digits.length - 1 - DECIMAL_PLACES;
  if (exponent >= -6) return formatDecimal(value);
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${value < 0n ? "-" : ""}${mantissa}E${exponent}`;
}

/** An optional sign, a digit, perhaps a point and up to three more, and a negative power of ten. */
const SCIENTIFIC = /^(-?)(\d)(?:\.(\d{1,3}))?E-(\d{1,2})$/;

/** Plain notation, or exactly the scientific one above, which always has ten places. */
function parseJavaDecimal(given: string): Parsed<Decimal> {
  const [, sign = "", first = "", rest = "", exponent = ""] = SCIENTIFIC.exec(given) ?? [];
  if (rest.length + Number(exponent) !== DECIMAL_PLACES) return parseDecimal(given);
  const units = BigInt(first + rest);
  return parsed((sign === "-" ? -units : units) as Decimal);
}
