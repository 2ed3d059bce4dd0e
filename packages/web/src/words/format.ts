/** Numbers, coin and times in the user's language. Amounts are decimal strings throughout: nothing is rounded by accident. */

const DECIMAL = /^-?\d+(\.\d+)?$/;
const MAX_DIGITS = 10;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type ExactNumber = Parameters<Intl.NumberFormat["format"]>[0];

interface Digits {
  readonly min?: number;
  readonly max?: number;
}

/** A text that is no decimal is answered as it is. */
export function showDecimal(
  amount: string | number,
  language: string,
  { min = 0, max = MAX_DIGITS }: Digits = {},
): string {
  const text = String(amount);
  if (!DECIMAL.test(text)) return text;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: min,
    maximumFractionDigits: Math.max(min, max),
  });
  return format.format(text as ExactNumber);
}

/** With at least two digits behind the point: `$1.00`, `$0.005`. */
export function showUsd(amount: string, language: string, max: number = MAX_DIGITS): string {
  if (!DECIMAL.test(amount)) return amount;
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, max),
  });
  return format.format(amount as ExactNumber);
}

/** A share of one: `0.05` reads `5%`. */
export function showPercent(share: string, language: string): string {
  if (!DECIMAL.test(share)) return share;
  const format = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: MAX_DIGITS });
  return format.format(share as ExactNumber);
}

/** With the coin's acronym: `200 CC`. */
export function showCoin(amount: string, acronym: string, language: string, digits?: Digits): string {
  return `${showDecimal(amount, language, digits)}\u00a0${acronym}`;
}

export function showTime(time: string | number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(time),
  );
}

/** A day in UTC, such as `2026-01-31`. */
export function showDay(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** How far a time is from now: `in 89 days`, `3 minutes ago`. */
export function showDistance(time: string | number, now: number, language: string): string {
  const distance = new Date(time).getTime() - now;
  const [unit, size] = chooseUnit(Math.abs(distance));
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  // Ninety days that began a moment ago are ninety days.
  const count = unit === "day" ? Math.round(distance / size) : Math.trunc(distance / size);
  return format.format(count, unit);
}

/** A length of time in its largest fitting unit: `90 days`, `10 minutes`. */
export function showLength(milliseconds: number, language: string): string {
  const [unit, size] = chooseUnit(milliseconds);
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 1,
  });
  return format.format(milliseconds / size);
}

function chooseUnit(milliseconds: number): readonly ["second" | "minute" | "hour" | "day", number] {
  if (milliseconds < MINUTE) return ["second", SECOND];
  if (milliseconds < HOUR) return ["minute", MINUTE];
  if (milliseconds < 2 * DAY) return ["hour", HOUR];
  return ["day", DAY];
}
