/** Payloads of contracts. Decisions read the same few again and again, and SVs of one process have the same contracts. */
import {
  type AnyTemplateDeclaration,
  type Contract,
  DecodeError,
  decodeText,
  type PayloadOf,
} from "@callsign/ledger";
import { ReplicaDamaged } from "@callsign/synchronizer";

interface Decoded {
  readonly record: AnyTemplateDeclaration["record"];
  readonly payload: unknown;
}

const decoded = new WeakMap<Contract, Decoded>();

/** The contract must be of that template. Each contract in memory is decoded once. Throws a `ReplicaDamaged` if it cannot be read. */
export function decodePayload<T extends AnyTemplateDeclaration>(
  { record }: T,
  contract: Contract,
): PayloadOf<T> {
  const known = decoded.get(contract);
  if (known?.record === record) return known.payload as PayloadOf<T>;
  const payload = decodeWhole(record, contract) as PayloadOf<T>;
  decoded.set(contract, { record, payload });
  return payload;
}

/** The transition makes no other payloads than those of their template. */
function decodeWhole(record: AnyTemplateDeclaration["record"], { contractId, payload }: Contract): unknown {
  try {
    return decodeText(record, payload);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ReplicaDamaged(`contract ${contractId}: ${error.message}`, { cause: error });
  }
}
