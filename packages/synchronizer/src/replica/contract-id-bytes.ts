/**
 * The id of a contract in rows of consumers: as bytes, which take half of the text. Rows of earlier releases have texts, and so has an id
 * that is not made of whole bytes.
 */
import type { ContractId } from "@callsign/ledger";
import { bytesOfHex, hexOf } from "@callsign/node";
import type { Row } from "./checked-rows.ts";

const DIGITS = /^[0-9a-f]+$/;

/** The columns of an id: the text is empty if there are bytes. */
export interface ContractIdColumns {
  readonly contract_id: string;
  readonly id_bytes: Uint8Array<ArrayBuffer> | null;
}

/** Adds the column to a table whose ids are texts. */
export function addIdBytes(table: string): string {
  return `alter table ${table} add column id_bytes blob`;
}

/** Digits in upper case would not come back. */
export function contractIdColumns(contractId: string): ContractIdColumns {
  const hasBytes = contractId.length % 2 === 0 && DIGITS.test(contractId);
  return hasBytes
    ? { contract_id: "", id_bytes: bytesOfHex(contractId) }
    : { contract_id: contractId, id_bytes: null };
}

export function readKeptId({ contract_id: text, id_bytes: bytes }: Row): ContractId {
  return (bytes instanceof Uint8Array ? hexOf(bytes) : text) as ContractId;
}

/** The SQL of a row's id; the table's name stands before the columns, if any is given. */
export function keptContractId(table?: string): string {
  const [text, bytes] = ["contract_id", "id_bytes"].map((column) =>
    table === undefined ? column : `${table}.${column}`,
  );
  return `iif(${bytes} is null, ${text}, lower(hex(${bytes})))`;
}
