/**
 * The ledger's state in SQLite, as the transition reads it. Reads are synchronous, because the
 * transition is. Outcomes are absorbed in memory; `save` writes those of a transaction at once, so that a contract which comes and goes
 * within it is never written. Whoever reads the tables meanwhile has them written first (`flush`).
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type AcceptedCommand,
  type AttestedSnapshot,
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
  type SvSet,
  type Time,
  type TrafficAccount,
} from "@callsign/ledger";
import { checkMigrated, formatJson, migrateDatabase, parseJson } from "@callsign/node";
import { CheckedRows, type Row } from "./checked-rows.ts";
import { Days, dayOf } from "./days.ts";
import { PayloadTexts, viewContracts } from "./payload-texts.ts";
import { openReplicaRows } from "./replica-rows.ts";
import { replicaMigrations } from "./replica-schema.ts";
import { addToSum, takeFromSum } from "./row-check.ts";
import { RowSums } from "./row-sums.ts";
import { TemplateNumbers } from "./template-numbers.ts";
import { UsedIdTexts, viewUsedIds } from "./used-id-texts.ts";

/** The key of the agreed snapshot; the others stand under the ids of SVs. */
const AGREED = "agreed";

export interface SqliteStateOptions {
  /** True if another process writes the database: `readPosition` follows it. */
  readonly readOnly?: boolean;
}

interface PartyPage {
  readonly after: string;
  readonly prefix: string;
  readonly limit: number;
}

/** Rows of a consumer that wait for the end of the replica's transaction, or for a reader (`SqliteState.flush`). */
export interface WaitingRows {
  readonly save?: () => void;
  /** Writes some of them ahead, until the time is over. True if `save` would find no more of those that take long. */
  readonly saveUntil?: (isOver: () => boolean) => boolean;
}

export class SqliteState implements LedgerView {
  readonly database: DatabaseSync;
  readonly isReadOnly: boolean;
  readonly days: Days;
  /** Of the tables of consumers whose rows have checks. */
  readonly sums: RowSums;
  head: Head;
  network: Network | null;
  readonly #templates: TemplateNumbers;
  readonly #texts: PayloadTexts;
  readonly #idTexts: UsedIdTexts;
  readonly #rows: ReturnType<typeof openReplicaRows>;
  readonly #position: ReturnType<typeof openPosition>;
  readonly #saveAlso: WaitingRows[] = [];
  #contractSum: number;

  constructor(database: DatabaseSync, { readOnly = false }: SqliteStateOptions = {}) {
    this.database = database;
    this.isReadOnly = readOnly;
    if (readOnly) checkMigrated(database, replicaMigrations);
    else migrateDatabase(database, replicaMigrations);
    this.#templates = new TemplateNumbers(database);
    this.#texts = new PayloadTexts(database);
    this.#idTexts = new UsedIdTexts(database);
    this.#view();
    this.#rows = openReplicaRows(database, {
      ...{ templates: this.#templates, texts: this.#texts, idTexts: this.#idTexts, remembers: !readOnly },
    });
    this.#position = openPosition(database);
    this.days = new Days(database);
    this.sums = new RowSums(database);
    this.head = this.#position.head();
    this.network = this.#position.network();
    this.#contractSum = this.#position.contractSum();
  }

  /** The sum over the ids of all active contracts that `addToSum` makes. */
  get contractSum(): number {
    return this.#contractSum;
  }

  findContract(contractId: ContractId): Contract | undefined {
    return this.#rows.contracts.find(contractId);
  }

  findMember(id: string): Member | undefined {
    return this.#rows.members.find(id);
  }

  findHosting(party: PartyId): Hosting | undefined {
    return this.#rows.hostings.find(party);
  }

  findTraffic(member: string): TrafficAccount | undefined {
    return this.#rows.traffic.find(member);
  }

  /** In the order of members' ids. */
  listTraffic(limit: number): readonly TrafficAccount[] {
    this.flush();
    const rows = new CheckedRows(this.database, "traffic").list("order by id limit +?", limit);
    return [...rows].map((row) => parseJson(row["body"] as string) as TrafficAccount);
  }

  /** Hosted parties as they are on disk, in the order of their bytes. */
  listParties({ after, prefix, limit }: PartyPage): readonly string[] {
    // No character of a party id is higher than z: every party with the prefix sorts before this bound.
    const rows = new CheckedRows(this.database, "hosting").list(
      "where party > ? and party >= ? and party < ? order by party limit +?",
      ...[after, prefix, `${prefix}\u007f`, limit],
    );
    return [...rows].map((row) => row["party"] as string);
  }

  /** Reads the whole table. */
  countContracts(): number {
    this.flush();
    return Number(this.database.prepare("select count(*) as number from contract").get()?.["number"] ?? 0);
  }

  findStamp(sv: string): Time | undefined {
    return this.#rows.stamps.find(sv);
  }

  findSvSet(serial: bigint): SvSet | undefined {
    return this.#rows.svSets.find(String(serial));
  }

  findSnapshot(sv: string): AttestedSnapshot | undefined {
    return this.#rows.snapshots.find(sv);
  }

  findAgreedSnapshot(): AttestedSnapshot | undefined {
    return this.#rows.snapshots.find(AGREED);
  }

  findSubmission(key: string): Time | undefined {
    return this.#rows.submissions.find(key);
  }

  findAcceptedCommand(key: string): AcceptedCommand | undefined {
    return this.#rows.commands.find(key);
  }

  /** Moves the state, in memory, to the one after the outcome's entry. `save` writes the rows. */
  absorb({ archived, created, changes, head }: Outcome): void {
    const { contracts } = this.#rows;
    let sum = this.#contractSum;
    for (const { contractId } of archived) {
      contracts.remove(contractId);
      sum = takeFromSum(sum, contractId);
    }
    for (const { contract } of created) {
      contracts.set(contract.contractId, contract);
      sum = addToSum(sum, contract.contractId);
    }
    this.#contractSum = sum;
    for (const change of changes) this.#change(change);
    const day = dayOf(head.recordTime);
    if (day !== dayOf(this.head.recordTime)) this.days.add({ day, sequence: head.sequence });
    this.head = head;
  }

  /** Writes rows of the outcomes absorbed since the last save until the time is over: less is left to `save`. True if there are no more. */
  saveUntil(isOver: () => boolean): boolean {
    return (
      Object.values(this.#rows).every((table) => table.save(isOver)) &&
      this.#saveAlso.every((rows) => rows.saveUntil?.(isOver) ?? true)
    );
  }

  /** Writes the outcomes absorbed since the last save, in the caller's transaction. */
  save(): void {
    for (const table of Object.values(this.#rows)) table.save();
    this.days.save();
    for (const rows of this.#saveAlso) rows.save?.();
    this.sums.save();
    this.#position.save(this.head, this.#contractSum, this.network);
  }

  /** Saves these rows whenever it saves its own. */
  saveAlso(rows: WaitingRows): void {
    this.#saveAlso.push(rows);
  }

  /** Writes the rows that few entries change and others read from the tables: `save` follows in the same transaction. */
  saveTopology(): void {
    this.#rows.members.save();
    this.#rows.hostings.save();
  }

  /** Writes what waits, if a transaction is open: the tables are about to be read. */
  flush(): void {
    if (this.database.isTransaction) this.save();
  }

  /** From now on sorts of many rows do not take place in memory. SQLite drops the views at this setting. */
  sortOnDisk(): void {
    this.database.exec("pragma temp_store = file");
    this.#view();
  }

  #view(): void {
    viewContracts(this.database, this.#texts);
    viewUsedIds(this.database, this.#idTexts);
  }

  /** Reads the tables again, after a transaction that was rolled back. */
  reload(): void {
    this.#templates.reload();
    this.#texts.reload();
    this.#idTexts.reload();
    for (const table of Object.values(this.#rows)) table.reload();
    this.days.reload();
    this.sums.reload();
    this.readPosition();
  }

  /** Reads the position that another connection has written. */
  readPosition(): void {
    this.head = this.#position.head();
    this.network = this.#position.network();
    this.#contractSum = this.#position.contractSum();
  }

  #change(change: Change): void {
    const { members, hostings, traffic, stamps, svSets, snapshots, submissions, commands } = this.#rows;
    switch (change.kind) {
      case "network":
        this.network = change.network;
        break;
      case "member":
        members.set(change.member.id, change.member);
        break;
      case "hosting":
        hostings.set(change.hosting.party, change.hosting);
        break;
      case "traffic":
        traffic.set(change.account.member, change.account);
        break;
      case "stamp":
        stamps.set(change.sv, change.stampedAt);
        break;
      case "sv-set":
        svSets.set(String(change.set.serial), change.set);
        break;
      case "snapshot":
        snapshots.set(change.sv ?? AGREED, change.snapshot);
        break;
      case "submission":
        submissions.set(change.key, change.until);
        break;
      case "command":
        commands.set(change.key, change.command);
        break;
    }
  }
}

/** The position; saving it removes submission ids and commands that can no longer count. */
function openPosition(database: DatabaseSync) {
  const heads = new CheckedRows(database, "head");
  const networks = new CheckedRows(database, "network");
  const forgetSubmissions = database.prepare("delete from submission where until < ?");
  const forgetCommands = database.prepare("delete from command where record_time < ?");
  return {
    head: (): Head => readHead(heads.find(1)),
    network: (): Network | null => {
      const row = networks.find(1);
      return row === undefined ? null : (parseJson(row["body"] as string) as Network);
    },
    contractSum: (): number => Number(heads.find(1)?.["contracts"] ?? 0),
    save: (position: Head, contracts: number, founded: Network | null): void => {
      const { sequence, entryHash, digest, recordTime } = position;
      heads.save(1, sequence, entryHash, digest, recordTime, contracts);
      if (founded !== null) networks.save(1, formatJson(founded));
      forgetSubmissions.run(recordTime);
      forgetCommands.run(recordTime - MAX_DEDUPLICATION_PERIOD);
    },
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
