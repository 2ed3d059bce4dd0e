/**
 * Transactions a second that one replica applies: it parses entries, checks signatures, applies them, and keeps contracts,
 * deduplication, the members' streams, scan's index and the SV's agenda. The floor is the best that the same database could do:
 * rows of the same number and lengths, inserted into the same tables. The log is written in the same process and within
 * the time.
 */
import { BATCH } from "./ledger-log/cut-into-batches.ts";
import { report } from "./measure.ts";
import { measureReplica } from "./replica-load/measure-replica.ts";

const SMALL = 1000;
const LARGE = 1_000_000;
const LOAD = { samples: 7, transfers: 2000, catchesUp: false };
const LEAST = 3000;

const small = await measureReplica({ ...LOAD, contracts: SMALL });
const large = await measureReplica({ ...LOAD, contracts: LARGE });

const unit = "a second";
report(
  "replica",
  [
    { what: "one replica, 1,000 active contracts", value: small.replica, unit, floor: small.bare },
    {
      what: "one replica, 1,000,000 active contracts",
      ...{ value: large.replica, unit, floor: large.bare },
      ...{ target: `≥ ${LEAST.toLocaleString("en-US")}`, met: large.replica >= LEAST },
    },
    { what: "1,000,000 against 1,000 contracts", value: large.replica / small.replica, unit: "×" },
  ],
  [
    `Transfers of coin, in batches of ${BATCH}; ${large.rowsPerTransaction.toFixed(1)} rows a transaction.\n` +
      `Medians of ${LOAD.samples} samples of ${LOAD.transfers}. The floor inserts as many rows of the same lengths\n` +
      `into the same tables, a commit for ${BATCH} transfers. The active contracts are coins made in bulk.\n` +
      "Signatures are checked, on other threads.",
  ],
);
