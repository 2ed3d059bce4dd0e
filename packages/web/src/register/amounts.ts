/**
 * Exact sums of coin and dollars. An amount is a decimal text with at most ten digits behind the point, as the ledger has it; it
 * is counted in bigints of 10⁻¹⁰, never in floating numbers.
 */
const PLACES = 10;
const UNIT = 10n ** BigInt(PLACES);
const DECIMAL = /^(-?)(\d{1,28})(?:\.(\d{1,10}))?$/;

/** Null for a text that is no decimal. */
function findUnits(text: string): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const units = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -units : units;
}

/** Texts of the server are decimals; any other counts as nothing. */
function unitsOf(text: string): bigint {
  return findUnits(text) ?? 0n;
}

function formatUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, "0");
  const whole = digits.slice(0, -PLACES);
  const fraction = digits.slice(-PLACES).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

export function addAmounts(...amounts: readonly string[]): string {
  return formatUnits(amounts.reduce((total, amount) => total + unitsOf(amount), 0n));
}

export function subtractAmounts(from: string, amount: string): string {
  return formatUnits(unitsOf(from) - unitsOf(amount));
}

/** Negative, zero or positive, as the first is less than, equal to or greater than the second. */
export function compareAmounts(a: string, b: string): number {
  const difference = unitsOf(a) - unitsOf(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isNegative(amount: string): boolean {
  return unitsOf(amount) < 0n;
}

/** Coin in dollars, rounded down to ten digits. */
export function usdOfCoin(coin: string, price: string): string {
  return formatUnits((unitsOf(coin) * unitsOf(price)) / UNIT);
}

/** Dollars in coin, rounded up to ten digits; null while coin has no price. */
export function coinOfUsd(usd: string, price: string): string | null {
  const divisor = unitsOf(price);
  if (divisor <= 0n) return null;
  return formatUnits((unitsOf(usd) * UNIT + divisor - 1n) / divisor);
}

/** Rounded up to whole cents. */
export function toCents(usd: string): string {
  const cent = UNIT / 100n;
  const units = unitsOf(usd);
  return formatUnits(((units + cent - 1n) / cent) * cent);
}

/** Multiplied by a whole number of parts and divided, rounded up: the share of a yearly fee, for instance. */
export function shareOf(amount: string, parts: bigint, of: bigint): string {
  return formatUnits((unitsOf(amount) * parts + of - 1n) / of);
}

/**
 * The amount that a user typed, as the server reads it; null unless it is a decimal greater than zero. A comma is taken for the
 * point, unless it may as well part thousands.
 */
export function readTypedAmount(typed: string): string | null {
  const text = typed.trim();
  if (/,\d{3}$/.test(text)) return null;
  const plain = text.includes(".") ? text : text.replace(",", ".");
  const units = findUnits(plain.startsWith(".") ? `0${plain}` : plain);
  return units === null || units <= 0n ? null : formatUnits(units);
}
