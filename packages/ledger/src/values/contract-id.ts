/**
 * A contract id, version 1: lower-case hex, `00`, a discriminator of 32 bytes, and a suffix of at most 94.
 * Ours always carry Canton's suffix form, `ca10` + `1220` + 32 bytes: 138 characters.
 */
import { malformed, type Parsed, parsed } from "./parsed.ts";

export type ContractId = string & { readonly contractId: unique symbol };

/** `00`, 64 hex digits, then an even number of up to 188 more. */
const PATTERN = /^00[0-9a-f]{64}(?:[0-9a-f]{2}){0,94}$/;
const ALLOWED = "a contract id is lower-case hex: 00, 64 digits, and a suffix of at most 188 digits";

export function parseContractId(given: string): Parsed<ContractId> {
  return isContractId(given) ? parsed(given) : malformed("contract id", given, ALLOWED);
}

export function isContractId(given: string): given is ContractId {
  return PATTERN.test(given);
}

/** Both hashes are 64 lower-case hex digits. */
export function formatContractId(parts: { discriminator: string; contentHash: string }): ContractId {
  return `00${parts.discriminator}ca101220${parts.contentHash}` as ContractId;
}
