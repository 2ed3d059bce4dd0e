/**
 * Keys by which the agenda finds contracts: the first or last 60 bits of a hash. Two texts may share one, so a reader
 * checks the contract itself.
 */
import type { ContractId, Hash, MemberTraffic, PartyId, PayloadOf } from "@callsign/ledger";

const KEY_DIGITS = 15;

/** The beginning of a contract id, which contracts of one transaction share. */
export function contractKey(contractId: ContractId): bigint {
  return BigInt(`0x${contractId.slice(2, 2 + KEY_DIGITS)}`);
}

/** The end of a contract id, which is a hash of the contract's content. */
export function contentKey(contractId: ContractId): bigint {
  return BigInt(`0x${contractId.slice(-KEY_DIGITS)}`);
}

export function textKey(hash: Hash, text: string): bigint {
  return BigInt(`0x${hash(text).slice(0, KEY_DIGITS)}`);
}

/** Names the member whose traffic it is; traffic contracts with equal texts can be merged. */
export function trafficText(traffic: PayloadOf<typeof MemberTraffic>): string {
  const { memberId, synchronizerId, migrationId } = traffic;
  return JSON.stringify([memberId, synchronizerId, String(migrationId)]);
}

/** By action and SV, so that an SV that confirms a thousand times hides no other. */
export function confirmationKey(hash: Hash, actionText: string, sv: PartyId): bigint {
  return textKey(hash, `${sv}\n${actionText}`);
}
