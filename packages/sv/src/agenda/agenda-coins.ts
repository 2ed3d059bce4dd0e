/**
 * Coins, free or locked, by the round in which their holding fees have used them up. Only coins that expire within a
 * horizon have a row: most last for years, there may be millions, and each transfer makes and spends some. As rounds
 * open, the replica's contracts are looked through for coins that have come within the horizon, a slice of them with
 * each round. A slice is a range of contract ids, which begin with a hash: slices are about equally large.
 *
 * Rows wait for the end of the replica's transaction, or for a reader: a coin that is made and spent meanwhile is never looked for.
 *
 * The primary key is the end of the coin's id, which is a hash of the coin itself. Should those of two coins be equal,
 * once in 2^60, the later one stays on the ledger for longer than it had to.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  Amulet,
  type ContractId,
  expiryRound,
  LockedAmulet,
  type PartyId,
  type PayloadOf,
} from "@callsign/ledger";
import { KeyedRows } from "@callsign/synchronizer";
import { contentKey } from "../kinds/keys.ts";

export const COINS_SCHEMA = `
  create table sv_coin (
    content_key integer primary key,
    contract_id text not null,
    expiry_round integer not null
  ) strict;
  create index sv_coin_expiry on sv_coin (expiry_round);
`;

/** Every contract is in one slice of so many rounds. */
const SLICES = 256n;
const SLICE_DIGITS = 2;
/** The round of a coin that has no row, in memory: it lasts beyond the horizon, or for ever. */
const NO_ROW = -1n;
/**
 * In rounds. A coin made since the last commit may not be in the replica's table yet, and may be
 * missed once: two passes over all slices fit into the horizon.
 */
const HORIZON = 3n * SLICES;

export const COIN_TEMPLATES = [Amulet, LockedAmulet] as const;

export function isCoin(templateId: string): boolean {
  return templateId === Amulet.id || templateId === LockedAmulet.id;
}

type Coin = PayloadOf<typeof Amulet>;

export function coinOf(templateId: string, value: unknown): Coin {
  return templateId === LockedAmulet.id ? (value as PayloadOf<typeof LockedAmulet>).amulet : (value as Coin);
}

export class AgendaCoins {
  readonly #database: DatabaseSync;
  readonly #rounds: KeyedRows<bigint>;
  readonly #list: StatementSync;
  readonly #trim: StatementSync;
  #listSlice: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const insert = database.prepare("insert or ignore into sv_coin values (?, ?, ?)");
    const find = database.prepare(
      "select expiry_round from sv_coin where content_key = ? and contract_id = ?",
    );
    const remove = database.prepare("delete from sv_coin where content_key = ? and contract_id = ?");
    const keyOf = (id: string) => contentKey(id as ContractId);
    this.#rounds = new KeyedRows<bigint>({
      read: (id) => find.get(keyOf(id), id)?.["expiry_round"] as bigint | undefined,
      write: (id, round) => {
        if (round !== NO_ROW) insert.run(keyOf(id), id, round);
      },
      remove: (id) => remove.run(keyOf(id), id),
      remembered: 0,
    });
    this.#trim = database.prepare("delete from sv_coin where expiry_round > ?");
    this.#list = database.prepare(
      "select contract_id from sv_coin where expiry_round <= ? order by expiry_round, content_key limit +?",
    );
  }

  /** Returns the round in which the coin expires; null if it never does. Without a latest round there is no horizon. */
  insert(contractId: ContractId, { amount }: Coin, latestRound: bigint | null): bigint | null {
    // Without a holding fee the ledger has no answer.
    const round = amount.ratePerRound.rate > 0n ? expiryRound(amount) : null;
    const hasRow = round !== null && (latestRound === null || round <= latestRound + HORIZON);
    this.#rounds.set(contractId, hasRow ? round : NO_ROW);
    return round;
  }

  /** Returns the round in which the coin would have expired; null if it is not here. */
  remove(contractId: ContractId): bigint | null {
    const round = this.#rounds.find(contractId);
    // Most coins last beyond the horizon and have no row.
    if (round === undefined) return null;
    this.#rounds.remove(contractId);
    return round === NO_ROW ? null : round;
  }

  /** Writes the rows that have waited, until the time is over. False if some are left. */
  save(isOver?: () => boolean): boolean {
    return this.#rounds.save(isOver);
  }

  /** Drops what waits, after a transaction that was rolled back. */
  reload(): void {
    this.#rounds.reload();
  }

  forgetBeyondHorizon(latestRound: bigint): void {
    this.save();
    this.#trim.run(latestRound + HORIZON);
  }

  /** A round has opened: takes in the DSO's coins of the round's slice that have come within the horizon. */
  roundOpened(round: bigint, dso: PartyId, isActive: (contractId: ContractId) => boolean): void {
    this.#listSlice ??= this.#database.prepare(
      "select contract_id, payload, name from active_contract " +
        "where contract_id >= ? and contract_id < ? and name in (?, ?)",
    );
    const slice = `00${(round % SLICES).toString(16).padStart(SLICE_DIGITS, "0")}`;
    // Hexadecimal digits end before "g".
    for (const row of this.#listSlice.all(slice, `${slice}g`, Amulet.id, LockedAmulet.id)) {
      const contractId = row["contract_id"] as ContractId;
      if (!isActive(contractId) || (this.#rounds.find(contractId) ?? NO_ROW) !== NO_ROW) continue;
      const { record } = row["name"] === LockedAmulet.id ? LockedAmulet : Amulet;
      const coin = coinOf(row["name"] as string, record.decode(JSON.parse(row["payload"] as string)));
      if (coin.dso === dso) this.insert(contractId, coin, round);
    }
  }

  /** Coins that have expired by that round, the longest expired first. */
  listExpired(round: bigint, limit: number): readonly ContractId[] {
    this.save();
    return this.#list.all(round, limit).map((row) => row["contract_id"] as ContractId);
  }
}
