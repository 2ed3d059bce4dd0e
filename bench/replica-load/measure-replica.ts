/** One replica that is fed as a network feeds it, or catches up with a log that is already there. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_PREVIOUS_HASH } from "../../packages/ledger/src/transition/log-entry.ts";
import { BATCH, cutIntoBatches } from "../ledger-log/cut-into-batches.ts";
import { transferLog } from "../ledger-log/registrations.ts";
import { median } from "../measure.ts";
import { BareInserts } from "./bare-inserts.ts";
import { BenchmarkReplica, fillReplica } from "./benchmark-replica.ts";

export interface Rates {
  /** Transfers a second. */
  readonly replica: number;
  readonly bare: number;
  readonly rowsPerTransaction: number;
  /** Milliseconds for which other work of the process waited in a catch-up, all samples together. */
  readonly waits: readonly number[];
}

export interface Load {
  /** Coins that nobody moves. */
  readonly contracts: number;
  readonly samples: number;
  /** Transfers of a sample. */
  readonly transfers: number;
  /** True if a sample's entries are in the log before the replica is told of the first. */
  readonly catchesUp: boolean;
}

export async function measureReplica({ contracts, samples, transfers, catchesUp }: Load): Promise<Rates> {
  const { preparation, batches } = makeBatches((samples + 1) * transfers);
  const folder = mkdtempSync(join(tmpdir(), "callsign-replica-"));
  try {
    const first = new BenchmarkReplica(folder);
    await first.feed(preparation);
    await first.close();
    fillReplica(folder, contracts);
    const bare = new BareInserts(folder);
    const replica = new BenchmarkReplica(folder);
    const rates = { replica: [] as number[], bare: [] as number[] };
    const perSample = transfers / BATCH;
    const waits: number[] = [];
    let rowsPerTransaction = 0;
    // The first sample warms the compiler and the caches up and is not counted.
    for (let i = 0; i <= samples; i++) {
      const sample = batches.slice(i * perSample, (i + 1) * perSample);
      const rowsBefore = replica.changes;
      const caughtUp = catchesUp ? await replica.catchUp(sample) : null;
      const taken = caughtUp?.seconds ?? (await secondsOf(() => replica.feed(sample)));
      rowsPerTransaction = (replica.changes - rowsBefore) / transfers;
      const bareTaken = await secondsOf(() => bare.insert(transfers));
      if (i === 0) continue;
      waits.push(...(caughtUp?.waits ?? []));
      rates.replica.push(transfers / taken);
      rates.bare.push(transfers / bareTaken);
    }
    await replica.close();
    bare.close();
    return { replica: median(rates.replica), bare: median(rates.bare), rowsPerTransaction, waits };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeBatches(count: number) {
  const log = transferLog(count);
  const beginning = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };
  const preparation = cutIntoBatches(log.preparation, beginning);
  return { preparation, batches: cutIntoBatches(log.measured, preparation.at(-1)?.head ?? beginning) };
}

async function secondsOf(work: () => Promise<void> | void): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
