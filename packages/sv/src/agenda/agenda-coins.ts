/**
 * Every coin, free or locked, by the round in which its holding fees have eaten it up: those that are due are found
 * however many are not. There may be millions, and each transfer makes and spends some, so that rows are lean: the key
 * is the end of the coin's id, which is a hash of the coin itself. Should those of two coins be the same, once in 2^60,
 * the later one stays on the ledger for longer than it had to.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Amulet, type ContractId, expiryRound, LockedAmulet, type PayloadOf } from "@callsign/ledger";
import { contentKey } from "./agenda-row.ts";

const SCHEMA = `
  create table if not exists sv_coin (
    content_key integer primary key,
    contract_id text not null,
    expiry_round integer not null
  ) strict;
  create index if not exists sv_coin_expiry on sv_coin (expiry_round);
`;

export const COIN_TEMPLATES = [Amulet, LockedAmulet] as const;

export function isCoin(templateId: string): boolean {
  return templateId === Amulet.id || templateId === LockedAmulet.id;
}

export class AgendaCoins {
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#insert = database.prepare("insert or ignore into sv_coin values (?, ?, ?)");
    this.#remove = database.prepare(
      "delete from sv_coin where content_key = ? and contract_id = ? returning expiry_round",
    );
    this.#list = database.prepare(
      "select contract_id from sv_coin where expiry_round <= ? order by expiry_round, content_key limit ?",
    );
  }

  /** Returns the round in which the coin expires; null if it never does. */
  insert(contractId: ContractId, templateId: string, value: unknown): bigint | null {
    const coin =
      templateId === LockedAmulet.id
        ? (value as PayloadOf<typeof LockedAmulet>).amulet
        : (value as PayloadOf<typeof Amulet>);
    // Without a holding fee the ledger has no answer.
    const round = coin.amount.ratePerRound.rate > 0n ? expiryRound(coin.amount) : null;
    if (round !== null) this.#insert.run(contentKey(contractId), contractId, round);
    return round;
  }

  /** Returns the round in which the coin would have expired; null if it is not here. */
  remove(contractId: ContractId): bigint | null {
    const row = this.#remove.get(contentKey(contractId), contractId);
    return (row?.["expiry_round"] ?? null) as bigint | null;
  }

  /** What has expired by that round, the longest expired first. */
  listExpired(round: bigint, limit: number): readonly ContractId[] {
    return this.#list.all(round, limit).map((row) => row["contract_id"] as ContractId);
  }
}
