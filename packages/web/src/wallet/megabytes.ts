/** Traffic is sold in bytes and priced by the megabyte of a million bytes. */
const MEGABYTE = 1_000_000n;

/** Exact, as a decimal text. */
export function megabytesOf(bytes: bigint): string {
  const fraction = (bytes % MEGABYTE).toString().padStart(6, "0").replace(/0+$/, "");
  return `${bytes / MEGABYTE}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Null for an amount of megabytes that has a part of a byte, or more bytes than a number holds. */
export function toBytes(megabytes: string): number | null {
  const [whole = "0", fraction = ""] = megabytes.split(".");
  if (fraction.length > 6) return null;
  const bytes = BigInt(whole) * MEGABYTE + BigInt(fraction.padEnd(6, "0"));
  return bytes > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(bytes);
}
