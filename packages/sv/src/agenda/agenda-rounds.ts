/** The open rounds, and when the next one may open. There are three, with consecutive numbers. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ContractId, OpenMiningRound, PayloadOf, Time } from "@callsign/ledger";

export const ROUNDS_SCHEMA = `
  create table sv_round (
    number integer primary key,
    contract_id text not null unique,
    opens_at integer not null,
    closes_at integer not null,
    tick integer not null
  ) strict;
`;

export interface AgendaRound {
  readonly number: bigint;
  readonly cid: ContractId;
  readonly opensAt: Time;
  readonly closesAt: bigint;
  readonly tick: bigint;
}

export class AgendaRounds {
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #select: StatementSync;
  #known: readonly AgendaRound[] | null = null;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("insert into sv_round values (?, ?, ?, ?, ?)");
    this.#remove = database.prepare("delete from sv_round where contract_id = ?");
    this.#select = database.prepare("select * from sv_round order by number");
  }

  /** The oldest first. */
  list(): readonly AgendaRound[] {
    this.#known ??= this.#select.all().map((row) => ({
      number: row["number"] as bigint,
      cid: row["contract_id"] as ContractId,
      opensAt: row["opens_at"] as Time,
      closesAt: row["closes_at"] as bigint,
      tick: row["tick"] as bigint,
    }));
    return this.#known;
  }

  /** The earliest time at which the next round may open: the ledger's own condition. */
  findNextDue(): Time | null {
    const [oldest, middle, latest] = this.list();
    if (oldest === undefined || middle === undefined || latest === undefined) return null;
    const moments = [oldest.closesAt, latest.opensAt, middle.opensAt + middle.tick];
    return moments.reduce((late, moment) => (moment > late ? moment : late)) as Time;
  }

  insert(cid: ContractId, round: PayloadOf<typeof OpenMiningRound>): void {
    const { opensAt, targetClosesAt, tickDuration } = round;
    this.#insert.run(round.round.number, cid, opensAt, targetClosesAt, tickDuration.microseconds);
    this.#known = null;
  }

  remove(cid: ContractId): void {
    this.#remove.run(cid);
    this.#known = null;
  }

  reload(): void {
    this.#known = null;
  }
}
