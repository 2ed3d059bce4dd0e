/**
 * A contract id: lower-case hex, in one of two versions.
 * 1: `00`, a discriminator of 32 bytes, and a suffix of at most 94. Ours always carry Canton's suffix form,
 *    `ca10` + `1220` + 32 bytes: 138 characters.
 * 2: `01`, 12 bytes, and a suffix of at most 33. We never make one, but it is a contract id all the same: a
 *    client that asks for one hears that there is no such contract, not that its id is malformed.
 */
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

/** 1 for each of 0-9 and a-f, by character code. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdef".includes(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * A processor cannot foresee whether the next character of a hash is a digit or a letter, so a check that
 * branches on it, as a regular expression does, takes twice as long as this table.
 */
function isHex(text: string): boolean {
  let valid = 1;
  for (let i = 0; i < text.length; i++) valid &= HEX_DIGITS[text.charCodeAt(i)] ?? 0;
  return valid === 1;
}

/** Both hashes are 64 lower-case hex digits. */
export function formatContractId(parts: { discriminator: string; contentHash: string }): ContractId {
  return `00${parts.discriminator}ca101220${parts.contentHash}` as ContractId;
}
