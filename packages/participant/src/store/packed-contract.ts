/**
 * The texts of a contract as its row has them: packed together, as bytes. Rows of earlier releases have them in columns of their own. The
 * id is among them, and a short part of it finds the row: readers compare the whole id.
 */
import type { LoadedDictionaries, SqlRow } from "@callsign/node";

export interface ContractTexts {
  readonly contractId: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  /** Stakeholders that are hosted here. */
  readonly stakeholders: readonly string[];
  readonly payload: string;
}

/** The columns that `readContractTexts` takes. */
export const TEXT_COLUMNS = "packed, contract_id, payload, signatories, observers, stakeholders";

/** The first digits of the hash in an id. Nobody can choose ids that share them in large numbers. */
const PART_BEGINS = 74;
const PART_DIGITS = 12;

/** The part of an id in SQL. */
export const ID_PART = `substr(contract_id, ${PART_BEGINS + 1}, ${PART_DIGITS})`;

export function idPartOf(contractId: string): string {
  return contractId.slice(PART_BEGINS, PART_BEGINS + PART_DIGITS);
}

/** The payload comes behind the first line, because it may have others. */
export function packContractTexts(
  texts: ContractTexts,
  templateId: string,
  contracts: LoadedDictionaries,
): Uint8Array {
  const { contractId, signatories, observers, stakeholders, payload } = texts;
  const head = JSON.stringify([contractId, signatories, observers, stakeholders]);
  return contracts.pack(templateId, `${head}\n${payload}`);
}

/** Throws if the row has none that were stored. */
export function readContractTexts(row: SqlRow, contracts: LoadedDictionaries): ContractTexts {
  const { packed } = row;
  if (packed === null) return readColumns(row);
  const text = contracts.unpack(packed as Uint8Array);
  const end = text.indexOf("\n");
  const [contractId, signatories, observers, stakeholders] = JSON.parse(text.slice(0, end));
  return { contractId, signatories, observers, stakeholders, payload: text.slice(end + 1) };
}

function readColumns(row: SqlRow): ContractTexts {
  return {
    contractId: row["contract_id"] as string,
    signatories: JSON.parse(row["signatories"] as string),
    observers: JSON.parse(row["observers"] as string),
    stakeholders: JSON.parse(row["stakeholders"] as string),
    payload: row["payload"] as string,
  };
}
