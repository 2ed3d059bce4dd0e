/**
 * The payloads of active contracts, packed with dictionaries of earlier ones (decision 0083). The first ones, long ones, and those of earlier
 * releases stand as texts. Whoever reads contracts with SQL reads the view `active_contract`, which each connection has for itself.
 *
 * Payloads have a table of their own, in the order in which they came: beside the long ids, in the order of these, many would take a page
 * each.
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

/** Moves the payloads of an earlier release into a table of their own. */
export const SEPARATE_PAYLOADS = `
  alter table contract rename to whole_contract;
  create table contract (
    contract_id text primary key,
    template_id integer not null,
    created_at integer not null,
    body integer not null
  ) strict, without rowid;
  create table contract_body (number integer primary key, text text, packed blob) strict;
  insert into contract
    select contract_id, template_id, created_at, row_number() over (order by contract_id) from whole_contract;
  insert into contract_body
    select row_number() over (order by contract_id), iif(packed is null, payload, null), packed from whole_contract;
  drop table whole_contract;
`;

/** The SQL that joins the payload of `contract c`. */
export const CONTRACT_BODY = "contract_body b on b.number = c.body";

/** The SQL of that payload; null if the contract is. */
export const CONTRACT_PAYLOAD = "contract_payload(c.contract_id, b.text, b.packed)";

/** Contracts are looked through in their own order, or found by their id: never by the tables that they refer to. */
const VIEW = `
  create temp view if not exists active_contract as
    select c.contract_id, t.name, ${CONTRACT_PAYLOAD} as payload, c.created_at
    from contract c cross join template t on t.id = c.template_id left join ${CONTRACT_BODY}
`;

/** The columns of a payload: one of them has it. */
export interface PayloadColumns {
  readonly text: string | null;
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
    return { text: packed === null ? payload : null, packed };
  }

  /** Throws a `ReplicaDamaged` if the bytes have changed. */
  unpack(contractId: string, { text, packed }: PayloadColumns): string {
    if (text !== null) return text;
    if (packed === null) throw new ReplicaDamaged(`contract ${contractId} has no payload`);
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
  database.function("contract_payload", { deterministic: true }, (contractId, text, packed) =>
    contractId === null ? null : texts.unpack(contractId as string, { text, packed } as PayloadColumns),
  );
  database.exec(VIEW);
}
