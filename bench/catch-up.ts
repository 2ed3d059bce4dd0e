/**
 * Entries a second with which a replica catches up with a log that is already there, as after a pause or on a new machine. The
 * floor is the best that the same database could do: rows of the same number and lengths, inserted into the same tables.
 */
import { BATCH } from "./ledger-log/cut-into-batches.ts";
import { percentile, type Row, report } from "./measure.ts";
import { measureReplica } from "./replica-load/measure-replica.ts";

const LOAD = { contracts: 1000, samples: 4, transfers: 6000, catchesUp: true };
const LEAST = 4000;
const LONGEST_WAIT = 5;

const { replica, bare, rowsPerTransaction, waits } = await measureReplica(LOAD);
report(
  "catch-up",
  [
    {
      what: "entries of a log that is there",
      ...{ value: replica, unit: "a second", floor: bare },
      ...{ target: `≥ ${LEAST.toLocaleString("en-US")}`, met: replica >= LEAST },
    },
    waitOf("p50", 0.5),
    waitOf("p99", 0.99),
    waitOf("longest", 1),
  ],
  [
    `Transfers of coin; ${rowsPerTransaction.toFixed(1)} rows each. Medians of ${LOAD.samples} samples of ${LOAD.transfers}.\n` +
      `The floor commits after every ${BATCH}. Signatures are checked, on other threads.`,
  ],
);

function waitOf(which: string, share: number): Row {
  const value = percentile(waits, share);
  const what = `other work of the process waits meanwhile, ${which}`;
  return { what, value, unit: "ms", target: `≤ ${LONGEST_WAIT}`, met: value <= LONGEST_WAIT };
}
