/** Access to the replica's tables, row by row. */
import type { DatabaseSync } from "node:sqlite";
import type {
  AcceptedCommand,
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
import { KeyedRows } from "./keyed-rows.ts";
import { rowCheck } from "./row-check.ts";
import type { TemplateNumbers } from "./template-numbers.ts";

/** One accessor a table; `templates` numbers the templates of contracts. */
export function openReplicaRows(database: DatabaseSync, templates: TemplateNumbers) {
  return {
    contracts: openContracts(database, templates),
    members: openBodies<Member>(database, "member"),
    traffic: openBodies<TrafficAccount>(database, "traffic"),
    hostings: openHostings(database),
    stamps: openStamps(database),
    svSets: openBodies<SvSet>(database, "sv_set"),
    submissions: openSubmissions(database),
    commands: openCommands(database),
  };
}

function openContracts(database: DatabaseSync, templates: TemplateNumbers): KeyedRows<Contract> {
  const select = database.prepare(
    "select template_id, payload, created_at from contract where contract_id = ?",
  );
  const insert = database.prepare(
    "insert into contract (contract_id, template_id, payload, created_at) values (?, ?, ?, ?)",
  );
  const remove = database.prepare("delete from contract where contract_id = ?");
  return new KeyedRows({
    read: (contractId) => {
      const row = select.get(contractId);
      if (row === undefined) return undefined;
      return {
        contractId: contractId as ContractId,
        templateId: templates.name(row["template_id"] as bigint),
        payload: row["payload"] as string,
        createdAt: row["created_at"] as Time,
      };
    },
    write: (contractId, { templateId, payload, createdAt }) =>
      insert.run(contractId, templates.number(templateId), payload, createdAt),
    remove: (contractId) => remove.run(contractId),
    remembered: REMEMBERED_CONTRACTS,
  });
}

/** Rows are few and small: one JSON column holds each. */
function openBodies<T extends object>(
  database: DatabaseSync,
  table: "member" | "traffic" | "sv_set",
): KeyedRows<T> {
  const select = database.prepare(`select body from ${table} where id = ?`);
  const save = database.prepare(`insert or replace into ${table} (id, body, row_check) values (?, ?, ?)`);
  return new KeyedRows({
    read: (id) => {
      const row = select.get(id);
      return row === undefined ? undefined : (parseJson(row["body"] as string) as T);
    },
    write: (id, body) => {
      const text = formatJson(body);
      save.run(id, text, rowCheck(id, text));
    },
    remembered: REMEMBERED_MEMBERS,
  });
}

function openHostings(database: DatabaseSync): KeyedRows<Hosting> {
  const select = database.prepare("select serial, hosts from hosting where party = ?");
  const save = database.prepare(
    "insert or replace into hosting (party, serial, hosts, row_check) values (?, ?, ?, ?)",
  );
  return new KeyedRows<Hosting>({
    read: (party) => {
      const row = select.get(party);
      if (row === undefined) return undefined;
      const hosts = (row["hosts"] as string).split(" ");
      return { party: party as PartyId, hosts, serial: row["serial"] as bigint };
    },
    write: (party, { hosts: list, serial }) => {
      const hosts = list.join(" ");
      save.run(party, serial, hosts, rowCheck(party, serial, hosts));
    },
    remembered: REMEMBERED_PARTIES,
  });
}

function openStamps(database: DatabaseSync): KeyedRows<Time> {
  const select = database.prepare("select stamped_at from stamp where sv = ?");
  const save = database.prepare("insert or replace into stamp (sv, stamped_at, row_check) values (?, ?, ?)");
  return new KeyedRows({
    read: (sv) => select.get(sv)?.["stamped_at"] as Time | undefined,
    write: (sv, stampedAt) => save.run(sv, stampedAt, rowCheck(sv, stampedAt)),
    remembered: REMEMBERED_MEMBERS,
  });
}

function openSubmissions(database: DatabaseSync): KeyedRows<Time> {
  const select = database.prepare("select until from submission where key = ?");
  const save = database.prepare("insert or replace into submission (key, until, row_check) values (?, ?, ?)");
  return new KeyedRows({
    read: (key) => select.get(key)?.["until"] as Time | undefined,
    write: (key, until) => save.run(key, until, rowCheck(key, until)),
    remembered: 0,
  });
}

function openCommands(database: DatabaseSync): KeyedRows<AcceptedCommand> {
  const select = database.prepare("select submission_id, record_time from command where key = ?");
  const save = database.prepare(
    "insert or replace into command (key, submission_id, record_time, row_check) values (?, ?, ?, ?)",
  );
  return new KeyedRows({
    read: (key) => {
      const row = select.get(key);
      if (row === undefined) return undefined;
      return { submissionId: row["submission_id"] as string, recordTime: row["record_time"] as Time };
    },
    write: (key, { submissionId, recordTime }) =>
      save.run(key, submissionId, recordTime, rowCheck(key, submissionId, recordTime)),
    remembered: 0,
  });
}
