/** Access to the replica's tables, row by row. */
import type { DatabaseSync } from "node:sqlite";
import type {
  AttestedSnapshot,
  Contract,
  ContractId,
  Hosting,
  Member,
  PartyId,
  SvSet,
  Time,
  TrafficAccount,
} from "@callsign/ledger";
import { formatJson, parseJson } from "@callsign/node";
import { REMEMBERED_CONTRACTS, REMEMBERED_MEMBERS, REMEMBERED_PARTIES } from "../limits/limits.ts";
import { CheckedRows, type Row } from "./checked-rows.ts";
import { KeyedRows, type RowAccess } from "./keyed-rows.ts";
import { CONTRACT_BODY, type PayloadColumns, type PayloadTexts } from "./payload-texts.ts";
import type { TemplateNumbers } from "./template-numbers.ts";
import type { UsedIdTexts } from "./used-id-texts.ts";
import { commandAccess, submissionAccess } from "./used-ids.ts";

export interface ReplicaRowsOptions {
  readonly templates: TemplateNumbers;
  readonly texts: PayloadTexts;
  readonly idTexts: UsedIdTexts;
  /** False if another connection writes the rows: then none is cached. */
  readonly remembers: boolean;
}

/** One accessor a table; `templates` numbers the templates of contracts, `texts` packs their payloads. */
export function openReplicaRows(
  database: DatabaseSync,
  { templates, texts, idTexts, remembers }: ReplicaRowsOptions,
) {
  const keyed = <T extends object | bigint>(access: RowAccess<T>) =>
    new KeyedRows<T>(remembers ? access : { ...access, remembered: 0 });
  return {
    contracts: keyed(contractAccess(database, { templates, texts })),
    members: keyed(bodyAccess<Member>(database, "member")),
    traffic: keyed(bodyAccess<TrafficAccount>(database, "traffic")),
    hostings: keyed(hostingAccess(database)),
    stamps: keyed(stampAccess(database)),
    svSets: keyed(bodyAccess<SvSet>(database, "sv_set")),
    snapshots: keyed(bodyAccess<AttestedSnapshot>(database, "state_snapshot")),
    submissions: keyed(submissionAccess(database, idTexts)),
    commands: keyed(commandAccess(database, idTexts)),
  };
}

function contractAccess(
  database: DatabaseSync,
  { templates, texts }: Pick<ReplicaRowsOptions, "templates" | "texts">,
): RowAccess<Contract> {
  const select = database.prepare(
    `select c.template_id, c.created_at, b.text, b.packed from contract c left join ${CONTRACT_BODY} ` +
      "where c.contract_id = ?",
  );
  const insert = contractAdder(database, { templates, texts });
  const remove = database.prepare("delete from contract where contract_id = ? returning body");
  const removeBody = database.prepare("delete from contract_body where number = ?");
  return {
    read: (contractId) => {
      const row = select.get(contractId);
      if (row === undefined) return undefined;
      return {
        contractId: contractId as ContractId,
        templateId: templates.name(row["template_id"] as bigint),
        payload: texts.unpack(contractId, row as unknown as PayloadColumns),
        createdAt: row["created_at"] as Time,
      };
    },
    write: (_, contract) => insert(contract),
    remove: (contractId) => {
      const row = remove.get(contractId);
      if (row !== undefined) removeBody.run(row["body"] as bigint);
    },
    remembered: REMEMBERED_CONTRACTS,
  };
}

/** A function that adds the row of a contract. */
export function contractAdder(
  database: DatabaseSync,
  { templates, texts }: Pick<ReplicaRowsOptions, "templates" | "texts">,
): (contract: Contract) => void {
  const insertBody = database.prepare("insert into contract_body (text, packed) values (?, ?)");
  const insert = database.prepare(
    "insert into contract (contract_id, template_id, created_at, body) values (?, ?, ?, ?)",
  );
  return (contract) => {
    const { contractId, templateId, createdAt } = contract;
    const { text, packed } = texts.pack(contract);
    const { lastInsertRowid } = insertBody.run(text, packed);
    insert.run(contractId, templates.number(templateId), createdAt, lastInsertRowid);
  };
}

/** Rows are few and small: one JSON column holds each. */
function bodyAccess<T extends object>(
  database: DatabaseSync,
  table: "member" | "traffic" | "sv_set" | "state_snapshot",
): RowAccess<T> {
  const rows = new CheckedRows(database, table);
  return {
    read: (id) => {
      const row = rows.find(id);
      return row === undefined ? undefined : (parseJson(row["body"] as string) as T);
    },
    write: (id, body) => rows.save(id, formatJson(body)),
    remembered: REMEMBERED_MEMBERS,
  };
}

function hostingAccess(database: DatabaseSync): RowAccess<Hosting> {
  const rows = new CheckedRows(database, "hosting");
  return {
    read: (party) => {
      const row = rows.find(party);
      return row === undefined ? undefined : readHosting(row);
    },
    write: (party, { hosts, serial }) => rows.save(party, serial, hosts.join(" ")),
    remembered: REMEMBERED_PARTIES,
  };
}

function stampAccess(database: DatabaseSync): RowAccess<Time> {
  const rows = new CheckedRows(database, "stamp");
  return {
    read: (sv) => rows.find(sv)?.["stamped_at"] as Time | undefined,
    write: (sv, stampedAt) => rows.save(sv, stampedAt),
    remembered: REMEMBERED_MEMBERS,
  };
}

export function readHosting(row: Row): Hosting {
  const hosts = (row["hosts"] as string).split(" ");
  return { party: row["party"] as PartyId, hosts, serial: row["serial"] as bigint };
}
