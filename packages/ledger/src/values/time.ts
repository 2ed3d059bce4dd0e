/**
 * A point in time: microseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999.
 * Written without the runtime's Date, which has milliseconds only and a time zone of its own.
 */
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { civilFromDays, daysFromCivil, formatDate, isCivilDate } from "./date.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./duration.ts";
import { expectParsed, malformed, type Parsed, parsed } from "./parsed.ts";

export type Time = bigint & { readonly time: unique symbol };

export const MIN_TIME: Time = (daysFromCivil({ year: 1, month: 1, day: 1 }) * DAY) as Time;
export const MAX_TIME: Time = ((daysFromCivil({ year: 9999, month: 12, day: 31 }) + 1n) * DAY - 1n) as Time;

/**
 * Date, `T`, time with optional seconds and up to nine digits of a fraction, and a mandatory zone: `Z` or
 * ±hh:mm. The letters may be small, as in Java's ISO_DATE_TIME and RFC 3339.
 */
const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/i;
/** Java's limit, which is wider than any zone in use. */
const MAX_ZONE = 18n * HOUR;
const ALLOWED = "a time reads like 2026-01-31T12:00:00.5Z, with Z or an offset, in the years 0001 to 9999";

/** Digits beyond microseconds are cut off, as Canton does. */
export function parseTime(given: string): Parsed<Time> {
  const match = PATTERN.exec(given);
  if (match === null) return malformed("time", given, ALLOWED);
  const [, year, month, day, hours, minutes, seconds = "0", fraction = "", sign, zoneHours, zoneMinutes] =
    match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const clockValid = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  const zone = BigInt(zoneHours ?? 0) * HOUR + BigInt(zoneMinutes ?? 0) * MINUTE;
  const zoneValid = Number(zoneMinutes ?? 0) < 60 && zone <= MAX_ZONE;
  if (!isCivilDate(date) || !clockValid || !zoneValid) return malformed("time", given, ALLOWED);
  const local =
    daysFromCivil(date) * DAY +
    BigInt(hours ?? 0) * HOUR +
    BigInt(minutes ?? 0) * MINUTE +
    BigInt(seconds) * SECOND +
    BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  const micros = sign === "-" ? local + zone : local - zone;
  return isTimeMicros(micros) ? parsed(micros) : malformed("time", given, ALLOWED);
}

/** A time written in our own source. */
export function time(literal: string): Time {
  return expectParsed(parseTime(literal));
}

export function isTimeMicros(micros: bigint): micros is Time {
  return micros >= MIN_TIME && micros <= MAX_TIME;
}

export function timeFromMicros(micros: bigint): Time {
  if (!isTimeMicros(micros))
    throw new ArithmeticFailure(`${micros} microseconds lie outside the years 1 to 9999`);
  return micros;
}

export function addDuration(start: Time, micros: bigint): Time {
  return timeFromMicros(start + micros);
}

export function laterTime(a: Time, b: Time): Time {
  return a > b ? a : b;
}

/** As Daml payloads print it: as many digits as needed, no trailing zeros, none if zero. */
export function formatTime(value: Time): string {
  const { seconds, fraction } = split(value);
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

/** As Java's Instant prints it: no digits if zero, otherwise three or six. */
export function formatInstant(value: Time): string {
  const { seconds, fraction } = split(value);
  if (fraction === "000000") return `${seconds}Z`;
  return fraction.endsWith("000") ? `${seconds}.${fraction.slice(0, 3)}Z` : `${seconds}.${fraction}Z`;
}

function split(value: Time): { seconds: string; fraction: string } {
  const intoDay = ((value % DAY) + DAY) % DAY;
  const date = formatDate(civilFromDays((value - intoDay) / DAY));
  const clock = [intoDay / HOUR, (intoDay % HOUR) / MINUTE, (intoDay % MINUTE) / SECOND]
    .map((part) => part.toString().padStart(2, "0"))
    .join(":");
  return { seconds: `${date}T${clock}`, fraction: (intoDay % SECOND).toString().padStart(6, "0") };
}
