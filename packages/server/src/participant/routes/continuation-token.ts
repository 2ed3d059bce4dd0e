/** Where a list of active contracts goes on: behind a contract, for the same request only. */
import { NEVER } from "../store/contract-number.ts";

const TOKEN = /^([0-9a-f]{16})\.(\d{1,19})$/;

export function formatContinuation(request: string, number: bigint): string {
  return Buffer.from(`${request.slice(0, 16)}.${number}`).toString("base64url");
}

/** Undefined if it is no token of that request. */
export function parseContinuation(request: string, token: string): bigint | undefined {
  if (token.length > 100) return undefined;
  const [, of, number] = TOKEN.exec(Buffer.from(token, "base64url").toString("utf8")) ?? [];
  if (of !== request.slice(0, 16) || number === undefined) return undefined;
  // What no column holds is no contract's number.
  return BigInt(number) <= NEVER ? BigInt(number) : undefined;
}
