/**
 * The rows of the name index: every active AnsEntry of the DSO. Several contracts may have one name, after one of
 * them has expired and until it is archived. Rows are ordered by the bytes of names; of one name, the entry that expires
 * last comes first.
 *
 * An archived contract is known by its id only. Eight bytes of the id find it nearly always: a whole id in an
 * index would be longer than all other columns of the index together.
 */
import type { DatabaseSync } from "node:sqlite";
import { AnsEntry, type PartyId, type PayloadOf } from "@callsign/ledger";
import type { ReplicaChange } from "@callsign/synchronizer";
import { formatNameEntry } from "../names/name-entry.ts";
import type { NameReader, NameRow } from "../names/name-lookup.ts";

const COLUMNS = `
    name text not null,
    expires_at integer not null,
    created integer not null,
    json text not null,
    owner text not null generated always as (json ->> 'user') virtual,
    contract_id text not null generated always as (json ->> 'contract_id') virtual,
    contract_key text not null generated always as (substr(json ->> 'contract_id', 3, 16)) virtual
`;

export const NAME_TABLE = `
  create table if not exists name_entry (
    ${COLUMNS},
    primary key (name, expires_at desc, created desc)
  ) strict, without rowid;
`;

/**
 * Rows in the order in which they came, and an index of names. Rows in the order of names are longer than a quarter of a page of 1 KiB: most
 * went on in a page of their own, which was two thirds empty.
 */
export const NAMES_AS_THEY_CAME = `
  alter table name_entry rename to ordered_name_entry;
  create table name_entry (${COLUMNS}) strict;
  insert into name_entry (name, expires_at, created, json) select name, expires_at, created, json from ordered_name_entry;
  drop table ordered_name_entry;
  create unique index name_entry_name on name_entry (name, expires_at desc, created desc);
`;

export const NAME_INDEXES = `
  create index if not exists name_entry_owner on name_entry (owner, name, expires_at desc, created desc);
  create index if not exists name_entry_contract on name_entry (contract_key);
`;

export function openNameRows(database: DatabaseSync) {
  const insert = database.prepare(
    "insert into name_entry (name, expires_at, created, json) values (?, ?, ?, ?)",
  );
  const remove = database.prepare(
    "delete from name_entry where contract_key = substr(?1, 3, 16) and contract_id = ?1 returning name, owner",
  );
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    // Rows as arrays: objects with a name for each column take noticeably longer to make.
    statement.setReturnArrays(true);
    return statement;
  };
  // In the table, `expires_at >= now` says what isVisible says of one entry.
  const order = "order by name, expires_at desc, created desc";
  const byName = prepare(`select json, expires_at from name_entry where name = ? ${order} limit 1`);
  const byOwner = prepare(
    `select json, expires_at from name_entry where owner = ? and expires_at >= ? ${order} limit 1`,
  );
  const between = prepare(
    `select json from name_entry where name >= ? and name < ? and expires_at >= ? ${order} limit +?`,
  );
  const fromOn = prepare(`select json from name_entry where name >= ? and expires_at >= ? ${order} limit +?`);
  const reader: NameReader = {
    findByName: (name) => byName.get(name) as unknown as NameRow | undefined,
    findByOwner: (owner, now) => byOwner.get(owner, now) as unknown as NameRow | undefined,
    list: ({ from, end, now, limit }) => {
      const rows = end === null ? fromOn.all(from, now, limit) : between.all(from, end, now, limit);
      return (rows as unknown as readonly (readonly [string])[]).map(([json]) => json);
    },
  };
  /** Returns the names that changed. Anybody may create entries that name a DSO of their own. */
  const absorb = ({ archived, created }: ReplicaChange, dso: PartyId) => {
    const changed: { readonly name: string; readonly owner: string }[] = [];
    for (const { templateId, contractId } of archived) {
      if (templateId !== AnsEntry.id) continue;
      const row = remove.get(contractId);
      if (row !== undefined) changed.push({ name: row["name"] as string, owner: row["owner"] as string });
    }
    for (const { contract, value, place } of created) {
      if (contract.templateId !== AnsEntry.id) continue;
      const entry = value as PayloadOf<typeof AnsEntry>;
      if (entry.dso !== dso) continue;
      const { name, user, expiresAt } = entry;
      insert.run(name, expiresAt, place, formatNameEntry(contract.contractId, entry));
      changed.push({ name, owner: user });
    }
    return changed;
  };
  return { ...reader, absorb };
}
