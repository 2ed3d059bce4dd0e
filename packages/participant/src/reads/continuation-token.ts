/** Continuation tokens: numbers that are valid for the same request to the same participant only. */

import { MAX_CONTINUATION_TOKEN } from "../limits/limits.ts";
import { NEVER } from "../store/contract-number.ts";

const TOKEN = /^([0-9a-f]{16})((?:\.\d{1,19})+)$/;

/** `request`: a hash of the request that the token belongs to. */
export function formatContinuation(request: string, ...numbers: readonly bigint[]): string {
  return Buffer.from([request.slice(0, 16), ...numbers].join(".")).toString("base64");
}

/** Undefined if it is not a token of that request with that many numbers. */
export function parseContinuation(
  request: string,
  token: string,
  count: number,
): readonly bigint[] | undefined {
  if (token.length > MAX_CONTINUATION_TOKEN) return undefined;
  const [, of, rest] = TOKEN.exec(Buffer.from(token, "base64").toString("utf8")) ?? [];
  if (of !== request.slice(0, 16) || rest === undefined) return undefined;
  const numbers = rest.slice(1).split(".").map(BigInt);
  // Offsets and contract numbers have 64 bits.
  return numbers.length === count && numbers.every((number) => number <= NEVER) ? numbers : undefined;
}
