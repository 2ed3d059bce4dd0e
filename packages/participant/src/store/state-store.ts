/**
 * Fills the ledger of a store with active contracts in the place of a stream from its beginning. The position is written last:
 * a store that was interrupted has none, and is filled anew. Afterwards it is as if it had been pruned up to its position.
 */
import { type Contract, decodeContract, networkCatalogue } from "@callsign/ledger";
import type { Sql, Store } from "@callsign/node";
import { STREAM_START, type StateStart } from "../agreement/stream-agreement.ts";
import { ContractRows } from "./contract-rows.ts";
import type { RowMemory } from "./row-memory.ts";

/** Everything that follows from the stream. Users, their rights, records of parties and settings stay. */
const STREAM_TABLES = [
  ...["stream_item", "update_witness", "completion", "user_completion", "submission_context", "contract"],
  ...["stakeholder", "pruned_position", "topology_update", "hosting_change", "party_completion"],
] as const;

/** A transaction has fewer nodes than this. */
const CONTRACTS_AT_AN_OFFSET = 10_000;

/** Gives up what the store has of the stream. The participant that starts on it begins anew. */
export async function forgetStream(sql: Sql): Promise<void> {
  for (const table of STREAM_TABLES) await sql.run(`delete from ${table}`);
  await sql.run("update party set is_local = 0");
  const { offset, digest } = STREAM_START;
  await sql.run(
    "update ledger_position set ledger_offset = $1, digest = $2, record_time = 0 where singleton = 1",
    offset,
    digest,
  );
}

export class StateStore {
  readonly #store: Store;
  readonly #memory: RowMemory;
  readonly #parties = new Set<string>();
  #contracts = 0;

  constructor(store: Store, memory: RowMemory) {
    this.#store = store;
    this.#memory = memory;
  }

  async begin(): Promise<void> {
    await this.#write(forgetStream);
  }

  async addParties(parties: readonly string[]): Promise<void> {
    await this.#write(async (sql) => {
      for (const party of parties)
        await sql.run(
          "insert into party (party, is_local) values ($1, 1) on conflict (party) do update set is_local = 1",
          party,
        );
    });
    for (const party of parties) this.#parties.add(party);
  }

  /** Call it behind all parties. Contracts that were created behind the start come in the stream. */
  async addContracts(contracts: readonly Contract[], { offset, recordTime }: StateStart): Promise<void> {
    const old = contracts.filter(({ createdAt }) => createdAt <= recordTime);
    await this.#write(async (sql) => {
      const rows = new ContractRows(this.#memory);
      for (const contract of old) this.#add(rows, contract, offset);
      await rows.write(sql);
    });
  }

  async finish({ offset, digest, recordTime }: StateStart): Promise<void> {
    await this.#write(async (sql) => {
      await sql.run(
        "update ledger_position set ledger_offset = $1, digest = $2, record_time = $3 where singleton = 1",
        ...([offset, digest, recordTime] as const),
      );
      await sql.run(
        "insert into pruned_position (singleton, ledger_offset, record_time) values (1, $1, $2)",
        ...([offset, recordTime] as const),
      );
    });
  }

  #add(rows: ContractRows, contract: Contract, end: number): void {
    const { signatories, observers } = decodeContract(networkCatalogue, contract);
    const witnesses = [...signatories, ...observers].filter((party) => this.#parties.has(party));
    if (witnesses.length === 0) return;
    const offset = end - Math.floor(this.#contracts / CONTRACTS_AT_AN_OFFSET);
    const nodeId = this.#contracts % CONTRACTS_AT_AN_OFFSET;
    this.#contracts++;
    const { contractId, templateId, payload, createdAt } = contract;
    const place = { nodeId, signatories: [...signatories], observers: [...observers], witnesses };
    const event = { kind: "created", ...place, acsDelta: true, contractId, templateId, payload } as const;
    rows.create(offset, { ...event, createdAt: `${createdAt}` });
  }

  async #write(work: (sql: Sql) => Promise<void>): Promise<void> {
    try {
      await this.#store.transaction(work, { repeatable: true });
    } catch (error) {
      this.#memory.names.forget();
      throw error;
    }
  }
}
