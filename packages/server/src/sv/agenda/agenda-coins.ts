/**
 * Every coin, free or locked, by the round in which its holding fees have eaten it up: those that are due are found
 * however many are not. There may be millions, and each transfer makes and spends some, so a row is two numbers: the
 * first 60 bits of the coin's id and the round. The id itself is in the replica's contracts. Should two coins begin
 * alike, one of them may stay on the ledger for longer than it had to.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Amulet, type ContractId, expiryRound, LockedAmulet, type PayloadOf } from "@callsign/ledger";
import { contractKey, contractPrefix } from "./agenda-row.ts";

const SCHEMA = `
  create table if not exists sv_coin (contract_key integer primary key, expiry_round integer not null) strict;
  create index if not exists sv_coin_expiry on sv_coin (expiry_round);
`;

export const COIN_TEMPLATES = [Amulet, LockedAmulet] as const;

export function isCoin(templateId: string): boolean {
  return templateId === Amulet.id || templateId === LockedAmulet.id;
}

export class AgendaCoins {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #list: StatementSync;
  /** The replica makes its tables after the agenda's. */
  #findContracts: StatementSync | null = null;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#database = database;
    this.#insert = database.prepare("insert or ignore into sv_coin values (?, ?)");
    this.#remove = database.prepare("delete from sv_coin where contract_key = ? returning expiry_round");
    this.#list = database.prepare(
      "select contract_key from sv_coin where expiry_round <= ? order by expiry_round, contract_key limit ?",
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
    if (round !== null) this.#insert.run(contractKey(contractId), round);
    return round;
  }

  /** Returns the round in which the coin would have expired; null if it is not here. */
  remove(contractId: ContractId): bigint | null {
    const row = this.#remove.get(contractKey(contractId));
    return (row?.["expiry_round"] ?? null) as bigint | null;
  }

  /** The ids of contracts that begin like a coin which has expired by that round, the longest expired first. */
  listExpired(round: bigint, limit: number): readonly ContractId[] {
    this.#findContracts ??= this.#database.prepare(
      "select contract_id from contract where contract_id > ? and contract_id < ? || 'g' order by contract_id",
    );
    const find = this.#findContracts;
    return this.#list.all(round, limit).flatMap((row) => {
      const prefix = contractPrefix(row["contract_key"] as bigint);
      return find.all(prefix, prefix).map((found) => found["contract_id"] as ContractId);
    });
  }
}
