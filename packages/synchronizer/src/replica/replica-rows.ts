/** Access to the replica's tables, row by row. */
import type { DatabaseSync } from "node:sqlite";
import type {
  AcceptedCommand,
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
import { KeyedRows } from "./keyed-rows.ts";
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
    snapshots: openBodies<AttestedSnapshot>(database, "state_snapshot"),
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
  table: "member" | "traffic" | "sv_set" | "state_snapshot",
): KeyedRows<T> {
  const rows = new CheckedRows(database, table);
  return new KeyedRows({
    read: (id) => {
      const row = rows.find(id);
      return row === undefined ? undefined : (parseJson(row["body"] as string) as T);
    },
    write: (id, body) => rows.save(id, formatJson(body)),
    remembered: REMEMBERED_MEMBERS,
  });
}

function openHostings(database: DatabaseSync): KeyedRows<Hosting> {
  const rows = new CheckedRows(database, "hosting");
  return new KeyedRows<Hosting>({
    read: (party) => {
      const row = rows.find(party);
      return row === undefined ? undefined : readHosting(row);
    },
    write: (party, { hosts, serial }) => rows.save(party, serial, hosts.join(" ")),
    remembered: REMEMBERED_PARTIES,
  });
}

function openStamps(database: DatabaseSync): KeyedRows<Time> {
  const rows = new CheckedRows(database, "stamp");
  return new KeyedRows({
    read: (sv) => rows.find(sv)?.["stamped_at"] as Time | undefined,
    write: (sv, stampedAt) => rows.save(sv, stampedAt),
    remembered: REMEMBERED_MEMBERS,
  });
}

function openSubmissions(database: DatabaseSync): KeyedRows<Time> {
  const rows = new CheckedRows(database, "submission");
  return new KeyedRows({
    read: (key) => rows.find(key)?.["until"] as Time | undefined,
    write: (key, until) => rows.save(key, until),
    remembered: 0,
  });
}

function openCommands(database: DatabaseSync): KeyedRows<AcceptedCommand> {
  const rows = new CheckedRows(database, "command");
  return new KeyedRows({
    read: (key) => {
      const row = rows.find(key);
      return row === undefined ? undefined : readCommand(row);
    },
    write: (key, { submissionId, recordTime }) => rows.save(key, submissionId, recordTime),
    remembered: 0,
  });
}

export function readHosting(row: Row): Hosting {
  const hosts = (row["hosts"] as string).split(" ");
  return { party: row["party"] as PartyId, hosts, serial: row["serial"] as bigint };
}

export function readCommand(row: Row): AcceptedCommand {
  return { submissionId: row["submission_id"] as string, recordTime: row["record_time"] as Time };
}
