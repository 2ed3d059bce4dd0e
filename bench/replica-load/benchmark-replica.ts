/** A replica as an SV of a local network has it: on disk, with all its consumers, beside the log that keeps its entries. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, openDatabase, SignatureChecks, sha256, systemHost } from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import { Agenda } from "@callsign/sv";
import { type LogBatch, MemberStreams, Replica, SqliteLog, SqliteState } from "@callsign/synchronizer";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { createEngine } from "../../packages/ledger/src/engine/interpret.ts";
import { createTransition } from "../../packages/ledger/src/transition/transition.ts";
import { PayloadTexts } from "../../packages/synchronizer/src/replica/payload-texts.ts";
import { contractAdder } from "../../packages/synchronizer/src/replica/replica-rows.ts";
import { TemplateNumbers } from "../../packages/synchronizer/src/replica/template-numbers.ts";
import { fillerCoins } from "../ledger-log/filler-coins.ts";
import { TurnWaits } from "./turn-waits.ts";

/** Entries are on the log's disk before they are applied. */
const OPTIONS = { exclusive: true, synced: false };

export class BenchmarkReplica {
  readonly #database: DatabaseSync;
  readonly #log: SqliteLog;
  readonly #replica: Replica;
  #stop = new AbortController();
  #running: Promise<void>;

  constructor(folder: string) {
    const checks = new SignatureChecks();
    this.#database = openReplicaFile(folder, "replica.db");
    this.#log = new SqliteLog(join(folder, "log.db"), systemHost);
    const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
    const state = new SqliteState(this.#database);
    this.#replica = new Replica({
      state,
      log: this.#log,
      host: systemHost,
      transition: createTransition({ engine, verify: checks.verify }),
      prepare: (entries) => checks.prepare(entries),
      hash: sha256,
      sharedCommits: true,
      consumers: [new MemberStreams(state, sha256), new ScanIndex(state), new Agenda(state, sha256)],
    });
    this.#replica.onApplied((outcomes) => {
      const failed = outcomes.find(({ verdict }) => verdict.kind !== "accepted");
      if (failed !== undefined) throw new Error(`an entry was ${failed.verdict.kind}`);
    });
    this.#running = this.#replica.run(this.#stop.signal);
  }

  /** Appends the batches, one ahead of what is applied. */
  async feed(batches: readonly LogBatch[]): Promise<void> {
    let applied: Promise<void> = Promise.resolve();
    for (const batch of batches) {
      await this.#log.append(batch);
      await applied;
      applied = Promise.race([this.#running, this.#replica.reach(batch.head.sequence, this.#stop.signal)]);
    }
    await applied;
  }

  /** The seconds that it takes to apply batches which the log has already, and the waits of other work meanwhile. */
  async catchUp(batches: readonly LogBatch[]) {
    await this.#pause();
    for (const batch of batches) await this.#log.append(batch);
    const began = performance.now();
    const waits = new TurnWaits();
    this.#run();
    const last = batches.at(-1)?.head.sequence ?? 0;
    await Promise.race([this.#running, this.#replica.reach(last, this.#stop.signal)]);
    return { seconds: (performance.now() - began) / 1000, waits: waits.end() };
  }

  #run(): void {
    this.#stop = new AbortController();
    this.#running = this.#replica.run(this.#stop.signal);
  }

  async #pause(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Rows written and deleted since it was opened. */
  get changes(): number {
    return Number(this.#database.prepare("select total_changes() as changes").get()?.["changes"]);
  }

  async close(): Promise<void> {
    await this.#pause();
    await this.#log.close();
    this.#database.close();
  }
}

export function openReplicaFile(folder: string, name: string): DatabaseSync {
  return openDatabase(join(folder, name), { ...OPTIONS, owner: "a benchmark" });
}

/** Adds coins that nobody moves. */
export function fillReplica(folder: string, count: number): void {
  const database = openReplicaFile(folder, "replica.db");
  const add = contractAdder(database, {
    templates: new TemplateNumbers(database),
    texts: new PayloadTexts(database),
  });
  inTransaction(database, () => {
    for (const coin of fillerCoins(count)) add(coin);
  });
  database.close();
}
