/**
 * Rows of the active contracts that clients are shown and disclose, as they were created. Decoded contracts are cached by
 * template until one of the template changes.
 */
import type { SQLOutputValue } from "node:sqlite";
import type { AnyTemplateDeclaration, ContractId, PartyId, Time } from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  type ReplicaChange,
  type SummedDatabase,
} from "@callsign/synchronizer";
import { type ContractReader, type CurrentContract, decodeCurrent } from "../contracts/contract-reader.ts";
import { CURRENT_TEMPLATES, type CurrentTemplate, roundOf, tickOf } from "../contracts/current-templates.ts";

export const CONTRACT_TABLES = `
  create table if not exists current_contract (
    template_id text not null,
    round integer not null,
    created integer not null,
    contract_id text not null unique,
    payload text not null,
    created_at integer not null,
    tick integer,
    primary key (template_id, round, created)
  ) strict, without rowid;
  create index if not exists current_contract_tick on current_contract (tick) where tick is not null;
`;

/** The order of creation does not follow from a contract. */
export const CURRENT_CONTRACTS = {
  table: "current_contract",
  columns: ["template_id", "round", "created", "contract_id", "payload", "created_at", "tick"],
  key: ["template_id", "round", "created"],
} as const satisfies CheckedTable;

const TEMPLATE_IDS: ReadonlySet<string> = new Set(CURRENT_TEMPLATES.map(({ id }) => id));

export function openCurrentContracts({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, CURRENT_CONTRACTS, sums);
  const remove = rows.deletion("where contract_id = ?");
  const select = rows.query("where template_id = ? order by round, created");
  const page = rows.query(
    "where template_id = ? and round = 0 and created < ? order by created desc limit +?",
  );
  const lowestRound = database.prepare(
    "select min(round) as round from current_contract where template_id = ?",
  );
  const shortestTick = database.prepare(
    "select min(tick) as tick from current_contract where tick is not null",
  );
  const memory = new Map<string, readonly CurrentContract[]>();

  function list<T extends CurrentTemplate>(template: T): readonly CurrentContract<T>[] {
    let contracts = memory.get(template.id);
    if (contracts === undefined) {
      contracts = select.all(template.id).map((row) => readCurrentRow(template, row));
      memory.set(template.id, contracts);
    }
    return contracts as readonly CurrentContract<T>[];
  }

  const reader: ContractReader = {
    list,
    find: (template) => list(template).at(-1),
    findLowestRound: ({ id }) => (lowestRound.get(id)?.["round"] ?? undefined) as bigint | undefined,
    findShortestTick: () => (shortestTick.get()?.["tick"] ?? undefined) as bigint | undefined,
  };

  return {
    ...reader,
    /**
     * Contracts created before a place, newest first, each with its own: for templates that are no rounds and may have
     * many contracts.
     */
    listNewest: <T extends CurrentTemplate>(
      template: T,
      { before, limit }: { readonly before: bigint; readonly limit: number },
    ) =>
      page.all(template.id, before, limit).map((row) => {
        return { ...readCurrentRow(template, row), place: row["created"] as bigint };
      }),
    /** Returns the templates whose contracts changed. Anybody may create contracts that name a DSO of their own. */
    absorb: ({ archived, created }: ReplicaChange, dso: PartyId): ReadonlySet<string> => {
      const changed = new Set<string>();
      for (const { templateId, contractId } of archived) {
        if (!TEMPLATE_IDS.has(templateId)) continue;
        remove(contractId);
        changed.add(templateId);
      }
      for (const { contract, signatories, value, place } of created) {
        const { contractId, templateId, payload, createdAt } = contract;
        if (!TEMPLATE_IDS.has(templateId) || !signatories.includes(dso)) continue;
        rows.insert(templateId, roundOf(value), place, contractId, payload, createdAt, tickOf(value));
        changed.add(templateId);
      }
      for (const templateId of changed) memory.delete(templateId);
      return changed;
    },
    forget: (templateId: string) => memory.delete(templateId),
    reload: () => memory.clear(),
  };
}

/** Of a row with the columns `contract_id`, `payload` and `created_at`. */
export function readCurrentRow<T extends AnyTemplateDeclaration>(
  template: T,
  row: Record<string, SQLOutputValue>,
): CurrentContract<T> {
  return decodeCurrent(template, {
    contractId: row["contract_id"] as ContractId,
    templateId: template.id,
    payload: row["payload"] as string,
    createdAt: row["created_at"] as Time,
  });
}
