/** The fields of a caller's request. Each reader throws where a field breaks its rule, and says which. */
import {
  type Decimal,
  isTimeMicros,
  type Parsed,
  type PartyId,
  parseDecimal,
  parsePartyId,
  type Time,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";

export function invalid(text: string): ValidatorError {
  return new ValidatorError({ kind: "invalid-request", text });
}

export function readPartyField(field: string, given: string): PartyId {
  return orRefuse(field, parsePartyId(given));
}

/** `unit` is what the amount counts. */
export function readAmount(field: string, given: string, unit: string): Decimal {
  const amount = orRefuse(field, parseDecimal(given));
  if (amount <= 0n) throw invalid(`${field}: ${given} is not allowed; ask for more than 0 ${unit}.`);
  return amount;
}

/** A text of the ledger, which stores neither U+0000 nor half a character. */
export function readText(field: string, given: string, maxCharacters: number): string {
  if (!given.isWellFormed() || given.includes("\u0000"))
    throw invalid(`${field} is a text without U+0000 and without halves of characters. Leave those out.`);
  // A character outside the basic plane is two units of a JavaScript string.
  if (given.length > maxCharacters && [...given].length > maxCharacters)
    throw invalid(`${field} has at most ${maxCharacters} characters: choose a shorter one.`);
  return given;
}

/** A time in microseconds since 1970. */
export function readTimeField(field: string, given: number): Time {
  const micros = BigInt(given);
  if (isTimeMicros(micros)) return micros;
  throw invalid(`${field}: ${given} is not allowed; it is microseconds since 1970, in the years 1 to 9999.`);
}

function orRefuse<T>(field: string, parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw invalid(`${field}: ${parsed.error}`);
}
