/**
 * Where the index stands, and of which network: kept in the same transaction as its rows. It takes the log's
 * entries one after the other and without a gap; an index that missed some would answer wrongly, for ever.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { MIN_TIME, type Network, type Outcome, type PartyId, ReplicaHalt, type Time } from "@callsign/ledger";

const SCHEMA = `
  create table if not exists scan_position (
    one integer primary key check (one = 1),
    sequence integer not null,
    record_time integer not null,
    dso text,
    acronym text,
    synchronizer_id text,
    migration_id integer
  ) strict;
`;

export type ScanNetwork = Pick<Network, "dso" | "acronym" | "synchronizerId" | "migrationId">;

export class ScanPosition {
  /** The last log entry that was taken in; 0 before the first. */
  sequence = 0;
  /** Its record time, which is *now* to every query. */
  now: Time = MIN_TIME;
  /** Null until the network is founded. */
  network: ScanNetwork | null = null;
  readonly #select: StatementSync;
  readonly #save: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#select = database.prepare("select * from scan_position");
    this.#save = database.prepare("insert or replace into scan_position values (1, ?, ?, ?, ?, ?, ?)");
    this.reload();
  }

  absorb({ head, changes }: Outcome): void {
    if (head.sequence !== this.sequence + 1) {
      throw new ReplicaHalt(
        `scan's index stands at entry ${this.sequence} and cannot take in entry ${head.sequence}: ` +
          "delete the replica's database, so that both are made anew from the log",
      );
    }
    for (const change of changes) if (change.kind === "network") this.network = scanNetworkOf(change.network);
    this.sequence = head.sequence;
    this.now = head.recordTime;
    const { dso, acronym, synchronizerId, migrationId } = this.network ?? NO_NETWORK;
    this.#save.run(this.sequence, this.now, dso, acronym, synchronizerId, migrationId);
  }

  reload(): void {
    const row = this.#select.get();
    this.sequence = Number(row?.["sequence"] ?? 0);
    this.now = (row?.["record_time"] ?? MIN_TIME) as Time;
    const dso = row?.["dso"] ?? null;
    this.network =
      row === undefined || dso === null
        ? null
        : {
            dso: dso as PartyId,
            acronym: row["acronym"] as string,
            synchronizerId: row["synchronizer_id"] as string,
            migrationId: row["migration_id"] as bigint,
          };
  }
}

function scanNetworkOf({ dso, acronym, synchronizerId, migrationId }: Network): ScanNetwork {
  return { dso, acronym, synchronizerId, migrationId };
}

const NO_NETWORK = { dso: null, acronym: null, synchronizerId: null, migrationId: null };
