/**
 * Rows of the consumers against the contracts that they follow from. A second set of consumers, on a database in memory,
 * takes in one contract at a time, as in a backfill, and its rows are compared with the stored ones.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Contract, ContractId, Time } from "@callsign/ledger";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import type { DerivedTable, ReplicaConsumer } from "../replica/consumer.ts";
import { decodeAtRest } from "../replica/consumers.ts";
import { SqliteState } from "../replica/sqlite-state.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";
import { findOwnOrder } from "./table-indexes.ts";

type Row = Record<string, SQLOutputValue>;

/** Opens the consumers on a state of their own. */
export type OpenConsumers = (state: SqliteState) => readonly ReplicaConsumer[];

export interface IndexParts {
  readonly state: SqliteState;
  readonly openMemory: () => DatabaseSync;
  readonly openConsumers: OpenConsumers;
}

/** A state without rows of its own: contracts and network are those of the replica. */
class DerivingState extends SqliteState {
  readonly #replica: SqliteState;

  constructor(database: DatabaseSync, replica: SqliteState) {
    super(database);
    this.#replica = replica;
  }

  override findContract(contractId: ContractId): Contract | undefined {
    return this.#replica.findContract(contractId);
  }

  follow(): void {
    this.network = this.#replica.network;
    this.head = this.#replica.head;
  }
}

export function scrubIndex(parts: IndexParts): ScrubPart {
  const { state } = parts;
  const select = state.database.prepare(
    "select contract_id, payload, created_at, name from active_contract where contract_id > ? order by contract_id limit +?",
  );
  let derivation: Derivation | null = null;
  return {
    name: "index",
    store: "replica",
    check: (after) => {
      derivation ??= new Derivation(parts);
      state.flush();
      const rows = select.all(after, SCRUBBED_AT_ONCE);
      for (const row of rows) derivation.compare(readContract(row));
      const next = placeBehind(rows, SCRUBBED_AT_ONCE, (row) => row["contract_id"] as string);
      if (next === null) {
        derivation.close();
        derivation = null;
      }
      return { after: next, rows: rows.length };
    },
  };
}

function readContract(row: Row): Contract {
  return {
    contractId: row["contract_id"] as ContractId,
    templateId: row["name"] as string,
    payload: row["payload"] as string,
    createdAt: row["created_at"] as Time,
  };
}

class Derivation {
  readonly #replica: SqliteState;
  readonly #state: DerivingState;
  readonly #memory: DatabaseSync;
  readonly #consumers: readonly (ReplicaConsumer & { readonly wanted: ReadonlySet<string> })[];
  readonly #tables: readonly ReturnType<typeof openTable>[];

  constructor({ state, openMemory, openConsumers }: IndexParts) {
    this.#replica = state;
    this.#memory = openMemory();
    this.#state = new DerivingState(this.#memory, state);
    this.#consumers = openConsumers(this.#state).map((consumer) => ({
      name: consumer.name,
      kinds: consumer.kinds,
      derived: consumer.derived ?? [],
      absorb: (change, at) => consumer.absorb(change, at),
      save: () => consumer.save?.(),
      reload: () => consumer.reload(),
      wanted: new Set(consumer.kinds.map(({ id }) => id)),
    }));
    this.#tables = this.#consumers.flatMap(({ derived = [] }) =>
      derived.map((table) => openTable(this.#memory, this.#replica.database, table)),
    );
  }

  compare(contract: Contract): void {
    const wanting = this.#consumers.filter(({ wanted }) => wanted.has(contract.templateId));
    if (wanting.length === 0) return;
    const created = [decodeAtRest(contract, -1n)];
    this.#state.follow();
    this.#memory.exec("begin");
    try {
      for (const consumer of wanting) {
        consumer.absorb({ created, archived: [], outcome: null }, this.#state);
        consumer.save?.();
      }
      for (const { compare } of this.#tables) compare(contract);
    } finally {
      this.#memory.exec("rollback");
      for (const consumer of wanting) consumer.reload();
    }
  }

  close(): void {
    this.#memory.close();
  }
}

function openTable(memory: DatabaseSync, stored: DatabaseSync, derived: DerivedTable) {
  const { table, key, columns, columnsIfKnown = [], optional = false } = derived;
  const certain = [...key, ...columns];
  const names = [...certain, ...columnsIfKnown].map((column, i) => `${column} as c${i}`).join(", ");
  const keys = key.map((column, i) => `${column} as k${i}`).join(", ");
  const derive = memory.prepare(`select ${keys}, ${names} from ${table}`);
  const { key: ownKey, access } = findOwnOrder(stored, table);
  const primaryKey = ownKey.join(", ");
  const isKey = key.map((column) => `${column} = ?`).join(" and ");
  // The row is found by an index and read from the table itself: both have a copy of the key.
  const find = stored.prepare(
    `select ${names} from ${table} ${access} where (${primaryKey}) in (select ${primaryKey} from ${table} where ${isKey})`,
  );
  const compare = ({ contractId }: Contract) => {
    for (const expected of derive.all()) {
      const rows = find.all(...key.map((_, i) => expected[`k${i}`] as string));
      if (rows.length === 0 && optional) continue;
      if (rows.length !== 1)
        throw differs(`the table ${table} has ${rows.length} rows of contract ${contractId}, not one`);
      for (const [i, column] of [...certain, ...columnsIfKnown].entries()) {
        const value = expected[`c${i}`];
        if (value === null && i >= certain.length) continue;
        if (rows[0]?.[`c${i}`] === value) continue;
        throw differs(
          `${column} of contract ${contractId} in the table ${table} is not what the contract says`,
        );
      }
    }
  };
  return { compare };
}
