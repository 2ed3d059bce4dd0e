/** Where the agenda stands, in the same transaction as its rows. It takes the log's entries without a gap. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { MIN_TIME, type Outcome, type PartyId, ReplicaHalt, type Time } from "@callsign/ledger";

const SCHEMA = `
  create table if not exists sv_position (
    one integer primary key check (one = 1),
    sequence integer not null,
    record_time integer not null,
    dso text
  ) strict;
`;

export class AgendaPosition {
  sequence = 0;
  /** The record time of the last entry: *now* to every decision. */
  now: Time = MIN_TIME;
  /** Null until the network is founded. */
  dso: PartyId | null = null;
  readonly #select: StatementSync;
  readonly #save: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#select = database.prepare("select sequence, record_time, dso from sv_position");
    this.#save = database.prepare("insert or replace into sv_position values (1, ?, ?, ?)");
    this.reload();
  }

  absorb({ head, changes }: Outcome): void {
    if (head.sequence !== this.sequence + 1) {
      throw new ReplicaHalt(
        `the SV's agenda stands at entry ${this.sequence} and cannot take in entry ${head.sequence}: ` +
          "delete the replica's database, so that both are made anew from the log",
      );
    }
    for (const change of changes) if (change.kind === "network") this.dso = change.network.dso;
    this.sequence = head.sequence;
    this.now = head.recordTime;
    this.#save.run(this.sequence, this.now, this.dso);
  }

  reload(): void {
    const row = this.#select.get();
    this.sequence = Number(row?.["sequence"] ?? 0);
    this.now = (row?.["record_time"] ?? MIN_TIME) as Time;
    this.dso = (row?.["dso"] ?? null) as PartyId | null;
  }
}
