/** Payloads of contracts. Decisions read the same few again and again, and SVs of one process have the same contracts. */
import { type AnyTemplateDeclaration, type Contract, decodeText, type PayloadOf } from "@callsign/ledger";

interface Decoded {
  readonly record: AnyTemplateDeclaration["record"];
  readonly payload: unknown;
}

const decoded = new WeakMap<Contract, Decoded>();

/** The contract must be of that template. Each contract in memory is decoded once. */
export function decodePayload<T extends AnyTemplateDeclaration>(
  { record }: T,
  contract: Contract,
): PayloadOf<T> {
  const known = decoded.get(contract);
  if (known?.record === record) return known.payload as PayloadOf<T>;
  const payload = decodeText(record, contract.payload) as PayloadOf<T>;
  decoded.set(contract, { record, payload });
  return payload;
}
