/**
 * The payloads of active contracts, packed with dictionaries of earlier ones (decision 0083). The first ones, long ones, and those of earlier
 * releases stand as texts. Whoever reads contracts with SQL reads the view `active_contract`, which each connection has for itself.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Contract } from "@callsign/ledger";
import { PackedTextDamaged, type TextDictionaries } from "@callsign/node";
import { openCheckedDictionaries } from "./checked-dictionaries.ts";
import { ReplicaDamaged } from "./checked-rows.ts";
import { CONTRACT_DICTIONARIES } from "./row-check.ts";

export const PACKED_CONTRACTS = `
  alter table contract add column packed blob;
  create table contract_dictionary (
    id integer primary key,
    ids text not null,
    body text not null,
    row_check integer not null
  ) strict;
`;

/** The SQL of a payload; `contract` has the name `c`. */
export const PAYLOAD = "contract_payload(c.contract_id, c.payload, c.packed)";

const VIEW = `
  create temp view if not exists active_contract as
    select c.contract_id, t.name, ${PAYLOAD} as payload, c.created_at
    from contract c join template t on t.id = c.template_id
`;

/** The columns of a payload: one of them has it. */
export interface PayloadColumns {
  readonly payload: string;
  readonly packed: Uint8Array | null;
}

export class PayloadTexts {
  readonly #dictionaries: TextDictionaries;

  constructor(database: DatabaseSync) {
    this.#dictionaries = openCheckedDictionaries(database, CONTRACT_DICTIONARIES);
  }

  /** The SVs of one process pack the same contracts. */
  pack({ contractId, templateId, payload }: Omit<Contract, "createdAt">): PayloadColumns {
    const packed = this.#dictionaries.tryPack(templateId, payload, {
      known: contractId,
      key: contractId,
    });
    return { payload: packed === null ? payload : "", packed };
  }

  /** Throws a `ReplicaDamaged` if the bytes have changed. */
  unpack(contractId: string, { payload, packed }: PayloadColumns): string {
    if (packed === null) return payload;
    try {
      return this.#dictionaries.unpack(packed, contractId);
    } catch (error) {
      if (!(error instanceof PackedTextDamaged)) throw error;
      throw new ReplicaDamaged(`contract ${contractId}: ${error.message}`, { cause: error });
    }
  }

  /** Call after a rollback. */
  reload(): void {
    this.#dictionaries.reload();
  }
}

/** Gives the connection the view, and the function that it needs. */
export function viewContracts(
  database: DatabaseSync,
  texts: PayloadTexts = new PayloadTexts(database),
): void {
  database.function("contract_payload", { deterministic: true }, (contractId, payload, packed) =>
    texts.unpack(contractId as string, { payload: payload as string, packed: packed as Uint8Array | null }),
  );
  database.exec(VIEW);
}
