/**
 * Transactions a second that one replica applies: it parses entries, checks signatures, applies them, and keeps contracts,
 * deduplication, the members' streams, scan's index and the SV's agenda, with an fsync for each batch.
 * The floor is the best that the same database could do: rows of the same number and lengths, inserted into the
 * same tables in as many commits. The log is written in the same process and within the time.
 */

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, openDatabase, SignatureChecks, sha256, systemHost } from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import { Agenda } from "@callsign/sv";
import { type LogBatch, MemberStreams, Replica, SqliteLog, SqliteState } from "@callsign/synchronizer";
import { networkCatalogue } from "../packages/ledger/src/contracts/network-catalogue.ts";
import { createEngine } from "../packages/ledger/src/engine/interpret.ts";
import { FIRST_PREVIOUS_HASH } from "../packages/ledger/src/transition/log-entry.ts";
import { createTransition } from "../packages/ledger/src/transition/transition.ts";
import { BATCH, cutIntoBatches } from "./ledger-log/cut-into-batches.ts";
import { fillerCoins } from "./ledger-log/filler-coins.ts";
import { transferLog } from "./ledger-log/registrations.ts";
import { median, type Row, report } from "./measure.ts";
import { measureNetwork } from "./network-load/measure-network.ts";

const SMALL = 1000;
const LARGE = 1_000_000;
const SAMPLES = 7;
const TRANSFERS_PER_SAMPLE = 2000;
/** As long as what a transfer writes. */
const STREAM_ENTRY = new Uint8Array(1000);
const CONTRACT = "x".repeat(200);

/** A replica on disk, with its log, and the rows it writes counted. */
class BenchmarkReplica {
  readonly #database: DatabaseSync;
  readonly #log: SqliteLog;
  readonly #replica: Replica;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(folder: string) {
    const checks = new SignatureChecks();
    this.#database = openDatabase(join(folder, "replica.db"));
    this.#log = new SqliteLog(join(folder, "log.db"), systemHost);
    const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
    const state = new SqliteState(this.#database);
    this.#replica = new Replica({
      state,
      log: this.#log,
      timers: systemHost.timers,
      clock: systemHost.clock,
      transition: createTransition({ engine, verify: checks.verify }),
      prepare: (entries) => checks.prepare(entries),
      hash: sha256,
      consumers: [new MemberStreams(this.#database, sha256), new ScanIndex(state), new Agenda(state, sha256)],
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

  /** Rows written and deleted since it was opened. */
  get changes(): number {
    return Number(this.#database.prepare("select total_changes() as changes").get()?.["changes"]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#log.close();
    this.#database.close();
  }
}

/** The rows that a transfer writes, inserted into the same tables and nothing else done. */
class BareInserts {
  readonly #database: DatabaseSync;
  #inserted = 0;

  constructor(folder: string) {
    copyFileSync(join(folder, "replica.db"), join(folder, "bare.db"));
    this.#database = openDatabase(join(folder, "bare.db"));
  }

  insert(transfers: number): void {
    const contract = this.#database.prepare("insert into contract values (?, 1, ?, 0)");
    const entry = this.#database.prepare("insert into stream_entry values (-?, 0, ?)");
    const item = this.#database.prepare("insert into stream_item values (0, ?, ?, unhex(?), null, null)");
    const submission = this.#database.prepare("insert into submission values (?, ?, 0)");
    const command = this.#database.prepare("insert into command values (?, ?, ?, 0)");
    for (let i = 0; i < transfers; i += BATCH) {
      inTransaction(this.#database, () => {
        for (let j = 0; j < BATCH; j++) {
          const number = ++this.#inserted;
          const hash = sha256(`bare ${number}`);
          contract.run(`00${hash}${hash}`, CONTRACT);
          contract.run(`01${hash}${hash}`, CONTRACT);
          entry.run(number, STREAM_ENTRY);
          item.run(number, number, hash);
          submission.run(`bare/${number}`, number);
          command.run(`bare command ${number} of ${hash}`, hash, number);
        }
      });
    }
  }

  close(): void {
    this.#database.close();
  }
}

function fill(folder: string, count: number): void {
  const database = openDatabase(join(folder, "replica.db"));
  const { id } = database.prepare("select id from template where name like '%:Amulet'").get() ?? {};
  const insert = database.prepare("insert into contract values (?, ?, ?, ?)");
  inTransaction(database, () => {
    for (const { contractId, payload, createdAt } of fillerCoins(count))
      insert.run(contractId, id ?? 1n, payload, createdAt);
  });
  database.close();
}

async function secondsOf(work: () => Promise<void> | void): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

const transfers = transferLog((SAMPLES + 1) * TRANSFERS_PER_SAMPLE);
const preparation = cutIntoBatches(transfers.preparation, { sequence: 0, entryHash: FIRST_PREVIOUS_HASH });
const prepared = preparation.at(-1)?.head ?? { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };
const measured = cutIntoBatches(transfers.measured, prepared);

interface Rates {
  readonly replica: number;
  readonly bare: number;
  readonly rowsPerTransaction: number;
}

async function measure(contracts: number): Promise<Rates> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
  try {
    const first = new BenchmarkReplica(folder);
    await first.feed(preparation);
    await first.close();
    fill(folder, contracts);
    const bare = new BareInserts(folder);
    const replica = new BenchmarkReplica(folder);
    const rates = { replica: [] as number[], bare: [] as number[] };
    const perSample = TRANSFERS_PER_SAMPLE / BATCH;
    let rowsPerTransaction = 0;
    // The first sample warms the compiler and the caches up and is not counted.
    for (let i = 0; i <= SAMPLES; i++) {
      const batches = measured.slice(i * perSample, (i + 1) * perSample);
      const rowsBefore = replica.changes;
      const taken = await secondsOf(() => replica.feed(batches));
      rowsPerTransaction = (replica.changes - rowsBefore) / TRANSFERS_PER_SAMPLE;
      const bareTaken = await secondsOf(() => bare.insert(TRANSFERS_PER_SAMPLE));
      if (i === 0) continue;
      rates.replica.push(TRANSFERS_PER_SAMPLE / taken);
      rates.bare.push(TRANSFERS_PER_SAMPLE / bareTaken);
    }
    await replica.close();
    bare.close();
    return { replica: median(rates.replica), bare: median(rates.bare), rowsPerTransaction };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const small = await measure(SMALL);
const large = await measure(LARGE);
const network = await measureNetwork();

const unit = "a second";
const rows: readonly Row[] = [
  { what: "one replica, 1,000 active contracts", value: small.replica, unit, floor: small.bare },
  {
    what: "one replica, 1,000,000 active contracts",
    value: large.replica,
    unit,
    floor: large.bare,
    target: "≥ 2,000",
    met: large.replica >= 2000,
  },
  { what: "1,000,000 against 1,000 contracts", value: large.replica / small.replica, unit: "×" },
  {
    what: "the whole local network, four SVs, three nodes",
    value: network,
    unit,
    target: "≥ 200",
    met: network >= 200,
  },
];
report("replica", rows, [
  `Transfers of coin, in batches of ${BATCH}; ${large.rowsPerTransaction.toFixed(1)} rows a transaction.\n` +
    `Medians of ${SAMPLES} samples of ${TRANSFERS_PER_SAMPLE}. The floor inserts as many rows of the same lengths\n` +
    "into the same tables, in as many commits under the same settings. The active contracts are coins made in bulk.\n" +
    "Signatures are checked, on other threads. The whole network is one process; its transactions are contracts that users create\n" +
    "through the JSON Ledger API of all three participants, and each is counted when it has been acknowledged.",
]);
