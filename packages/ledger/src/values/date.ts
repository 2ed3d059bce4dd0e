/** Calendar dates of the proleptic Gregorian calendar, years 1 to 9999, and their distance from 1970. */
import { malformed, type Parsed, parsed } from "./parsed.ts";

export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Daml's Date: days since 1970-01-01. */
export type LedgerDate = bigint & { readonly date: unique symbol };

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAYS_PER_ERA = 146_097;

export function parseDate(given: string): Parsed<LedgerDate> {
  const match = PATTERN.exec(given);
  const date = { year: Number(match?.[1]), month: Number(match?.[2]), day: Number(match?.[3]) };
  if (match === null || !isCivilDate(date)) {
    return malformed("date", given, "a date reads YYYY-MM-DD, from 0001-01-01 to 9999-12-31");
  }
  return parsed(daysFromCivil(date) as LedgerDate);
}

export function formatLedgerDate(date: LedgerDate): string {
  return formatDate(civilFromDays(date));
}

export function isLedgerDate(days: bigint): days is LedgerDate {
  return days >= -719_162n && days <= 2_932_896n;
}

export function isCivilDate({ year, month, day }: CivilDate): boolean {
  const length = month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
  return year >= 1 && year <= 9999 && day >= 1 && day <= length;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Counts from March, so that the leap day is the last of its year, in eras of 400 years, which all have
 * the same number of days.
 */
export function daysFromCivil({ year, month, day }: CivilDate): bigint {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return BigInt(era * DAYS_PER_ERA + dayOfEra - 719_468);
}

export function civilFromDays(days: bigint): CivilDate {
  const shifted = Number(days) + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day };
}

export function formatDate({ year, month, day }: CivilDate): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, width: number): string {
  return value.toString().padStart(width, "0");
}
