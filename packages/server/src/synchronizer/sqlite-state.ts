/**
 * The ledger's state in SQLite, as the transition reads it. Reads are synchronous, which is what a pure and
 * synchronous transition needs. What the network's members and parties are is small and read for every entry, so
 * it is kept in memory beside the rows; contracts are read from the table.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type AcceptedCommand,
  type Change,
  type Contract,
  type ContractId,
  FIRST_DIGEST,
  FIRST_PREVIOUS_HASH,
  type Head,
  type Hosting,
  type LedgerView,
  MAX_DEDUPLICATION_PERIOD,
  type Member,
  MIN_TIME,
  type Network,
  type Outcome,
  type PartyId,
  type Time,
  type TrafficAccount,
} from "@callsign/ledger";
import { REPLICA_SCHEMA } from "./replica-schema.ts";

type Row = Record<string, unknown>;

export class SqliteState implements LedgerView {
  head: Head;
  network: Network | null;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #templates: TemplateNumbers;
  readonly #members = new Map<string, Member>();
  readonly #hosting = new Map<string, Hosting>();

  constructor(database: DatabaseSync) {
    database.exec(REPLICA_SCHEMA);
    this.#statements = prepare(database);
    this.#templates = new TemplateNumbers(database);
    this.head = readHead(this.#statements.head.get());
    const network = this.#statements.network.get();
    this.network = network === undefined ? null : (decodeBody(network["body"]) as Network);
  }

  findContract(contractId: ContractId): Contract | undefined {
    const row = this.#statements.contract.get(contractId);
    if (row === undefined) return undefined;
    return {
      contractId,
      templateId: this.#templates.name(row["template_id"] as bigint),
      payload: row["payload"] as string,
      createdAt: row["created_at"] as Time,
    };
  }

  findMember(id: string): Member | undefined {
    return remembered(this.#members, id, () => {
      const row = this.#statements.member.get(id);
      return row === undefined ? undefined : (decodeBody(row["body"]) as Member);
    });
  }

  findHosting(party: PartyId): Hosting | undefined {
    return remembered(this.#hosting, party, () => {
      const row = this.#statements.hosting.get(party);
      if (row === undefined) return undefined;
      return { party, hosts: (row["hosts"] as string).split(" "), serial: row["serial"] as bigint };
    });
  }

  findTraffic(member: string): TrafficAccount | undefined {
    const row = this.#statements.traffic.get(member);
    return row === undefined ? undefined : (decodeBody(row["body"]) as TrafficAccount);
  }

  findSubmission(key: string): Time | undefined {
    return this.#statements.submission.get(key)?.["until"] as Time | undefined;
  }

  findAcceptedCommand(key: string): AcceptedCommand | undefined {
    const row = this.#statements.command.get(key);
    if (row === undefined) return undefined;
    return { submissionId: row["submission_id"] as string, recordTime: row["record_time"] as Time };
  }

  /** Writes the outcome's changes; the caller's transaction makes them one with its own rows. */
  absorb({ archived, created, changes, head }: Outcome): void {
    const { deleteContract, insertContract, saveHead, forgetSubmissions, forgetCommands } = this.#statements;
    for (const { contractId } of archived) deleteContract.run(contractId);
    for (const { contract } of created) {
      const template = this.#templates.number(contract.templateId);
      insertContract.run(contract.contractId, template, contract.payload, contract.createdAt);
    }
    for (const change of changes) this.#change(change);
    saveHead.run(head.sequence, head.entryHash, head.digest, head.recordTime);
    forgetSubmissions.run(head.recordTime);
    forgetCommands.run(head.recordTime - MAX_DEDUPLICATION_PERIOD);
    this.head = head;
  }

  /** Forgets what is only in memory: after a rolled-back transaction it may be ahead of the rows. */
  reload(): void {
    this.#members.clear();
    this.#hosting.clear();
    this.head = readHead(this.#statements.head.get());
    const network = this.#statements.network.get();
    this.network = network === undefined ? null : (decodeBody(network["body"]) as Network);
  }

  #change(change: Change): void {
    const { saveNetwork, saveMember, saveHosting, saveTraffic, saveSubmission, saveCommand } =
      this.#statements;
    switch (change.kind) {
      case "network":
        this.network = change.network;
        saveNetwork.run(encodeBody(change.network));
        return;
      case "member":
        this.#members.set(change.member.id, change.member);
        saveMember.run(change.member.id, encodeBody(change.member));
        return;
      case "hosting": {
        const { party, hosts, serial } = change.hosting;
        this.#hosting.set(party, change.hosting);
        saveHosting.run(party, serial, hosts.join(" "));
        return;
      }
      case "traffic":
        saveTraffic.run(change.account.member, encodeBody(change.account));
        return;
      case "submission":
        saveSubmission.run(change.key, change.until);
        return;
      case "command":
        saveCommand.run(change.key, change.command.submissionId, change.command.recordTime);
        return;
    }
  }
}

/** Template ids are long and few: rows name them by number. */
class TemplateNumbers {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #numbers = new Map<string, bigint>();
  readonly #names = new Map<bigint, string>();

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("insert into template (name) values (?) on conflict (name) do nothing");
    this.#select = database.prepare("select id, name from template");
    this.#load();
  }

  number(name: string): bigint {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#insert.run(name);
    this.#load();
    return this.#numbers.get(name) ?? missing(name);
  }

  name(number: bigint): string {
    return this.#names.get(number) ?? missing(`template ${number}`);
  }

  #load(): void {
    for (const { id, name } of this.#select.all() as Row[]) {
      this.#numbers.set(name as string, id as bigint);
      this.#names.set(id as bigint, name as string);
    }
  }
}

function missing(what: string): never {
  throw new Error(`${what} is not in the replica's tables`);
}

function prepare(database: DatabaseSync) {
  return {
    head: database.prepare("select sequence, entry_hash, digest, record_time from head"),
    saveHead: database.prepare(
      "insert or replace into head (one, sequence, entry_hash, digest, record_time) values (1, ?, ?, ?, ?)",
    ),
    network: database.prepare("select body from network"),
    saveNetwork: database.prepare("insert or replace into network (one, body) values (1, ?)"),
    contract: database.prepare("select template_id, payload, created_at from contract where contract_id = ?"),
    insertContract: database.prepare("insert into contract values (?, ?, ?, ?)"),
    deleteContract: database.prepare("delete from contract where contract_id = ?"),
    member: database.prepare("select body from member where id = ?"),
    saveMember: database.prepare("insert or replace into member values (?, ?)"),
    hosting: database.prepare("select serial, hosts from hosting where party = ?"),
    saveHosting: database.prepare("insert or replace into hosting values (?, ?, ?)"),
    traffic: database.prepare("select body from traffic where member = ?"),
    saveTraffic: database.prepare("insert or replace into traffic values (?, ?)"),
    submission: database.prepare("select until from submission where key = ?"),
    saveSubmission: database.prepare("insert or replace into submission values (?, ?)"),
    forgetSubmissions: database.prepare("delete from submission where until < ?"),
    command: database.prepare("select submission_id, record_time from command where key = ?"),
    saveCommand: database.prepare("insert or replace into command values (?, ?, ?)"),
    forgetCommands: database.prepare("delete from command where record_time < ?"),
  };
}

function readHead(row: Row | undefined): Head {
  if (row === undefined) {
    return { sequence: 0, entryHash: FIRST_PREVIOUS_HASH, digest: FIRST_DIGEST, recordTime: MIN_TIME };
  }
  return {
    sequence: Number(row["sequence"]),
    entryHash: row["entry_hash"] as string,
    digest: row["digest"] as string,
    recordTime: row["record_time"] as Time,
  };
}

function remembered<T>(memory: Map<string, T>, key: string, read: () => T | undefined): T | undefined {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const found = read();
  if (found !== undefined) memory.set(key, found);
  return found;
}

/** JSON with bigints, each as an object with its digits; only these small bodies need it. */
function encodeBody(body: object): string {
  return JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? { bigint: `${value}` } : value));
}

function decodeBody(text: unknown): unknown {
  return JSON.parse(text as string, (_key, value) => {
    const digits = typeof value === "object" && value !== null ? value.bigint : undefined;
    return typeof digits === "string" ? BigInt(digits) : value;
  });
}
