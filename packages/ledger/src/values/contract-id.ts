/**
 * A contract id: lower-case hex, in one of two versions.
 * 1: `00`, a discriminator of 32 bytes, and a suffix of at most 94. Ours always carry Canton's suffix form,
 *    `ca10` + `1220` + 32 bytes: 138 characters.
 * 2: `01`, 12 bytes, and a suffix of at most 33. We never make one, but it is a contract id all the same: a
 *    client that asks for one hears that there is no such contract, not that its id is malformed.
 */
import { isHex } from "./hex.ts";
import { malformed, type Parsed, parsed } from "./parsed.ts";

export type ContractId = string & { readonly contractId: unique symbol };

const ALLOWED =
  "a contract id is lower-case hex: 00, 64 digits and a suffix of at most 188, " +
  "or 01, 24 digits and a suffix of at most 66";

export function parseContractId(given: string): Parsed<ContractId> {
  return isContractId(given) ? parsed(given) : malformed("contract id", given, ALLOWED);
}

export function isContractId(given: string): given is ContractId {
  const { length } = given;
  const hasLength = given.startsWith("00")
    ? length >= 66 && length <= 254
    : given.startsWith("01") && length >= 26 && length <= 92;
  return hasLength && length % 2 === 0 && isHex(given);
}

/** Both hashes are 64 lower-case hex digits. */
export function formatContractId(parts: { discriminator: string; contentHash: string }): ContractId {
  return `00${parts.discriminator}ca101220${parts.contentHash}` as ContractId;
}
