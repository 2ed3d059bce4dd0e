/**
 * How many whole registrations and transfers one core decides in a second, in memory, and how much that depends
 * on the number of active contracts. What is timed is what a replica does for each entry: read its bytes, apply
 * it, take the outcome in. Signatures are checked beforehand in one row and within the time in another.
 */
import { networkCatalogue } from "../packages/ledger/src/contracts/network-catalogue.ts";
import { createEngine } from "../packages/ledger/src/engine/interpret.ts";
import type { Verify } from "../packages/ledger/src/transition/key.ts";
import { parseLogEntry } from "../packages/ledger/src/transition/log-entry.ts";
import { createTransition } from "../packages/ledger/src/transition/transition.ts";
import { expectParsed } from "../packages/ledger/src/values/parsed.ts";
import { verifyEd25519 } from "../packages/ledger/testing/member-key.ts";
import { MemoryState } from "../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../packages/ledger/testing/sha256.ts";
import { fillerCoins } from "./ledger-log/filler-coins.ts";
import { type BenchmarkLog, registrationLog, transferLog } from "./ledger-log/registrations.ts";
import { cpuSeconds, median, type Row, report } from "./measure.ts";

const SMALL = 1000;
const LARGE = 1_000_000;
const SAMPLES = 7;
const WARM_UP_PASSES = 4;

class Replica {
  readonly #state = new MemoryState();
  readonly #transition;

  constructor(filler: number, verify: Verify = () => true) {
    this.#transition = createTransition({
      engine: createEngine({ catalogue: networkCatalogue, hash: sha256 }),
      verify,
    });
    for (const coin of fillerCoins(filler)) this.#state.contracts.set(coin.contractId, coin);
  }

  replay(bytes: readonly string[]): void {
    for (const entry of bytes) {
      const outcome = this.#transition.apply(expectParsed(parseLogEntry(entry)), this.#state);
      if (outcome.verdict.kind !== "accepted") throw new Error(`an entry was ${outcome.verdict.kind}`);
      this.#state.absorb(outcome);
    }
  }
}

/** The floor: each entry is read as JSON and hashed once. */
function floor(bytes: readonly string[]): void {
  for (const entry of bytes) {
    JSON.parse(entry.slice(entry.indexOf("\n") + 1));
    sha256(entry);
  }
}

function chunks<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  const size = Math.floor(items.length / count);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function measure(log: BenchmarkLog): { small: number; large: number; floor: number; verified: number } {
  const perEntry = log.measured.length / log.units;
  const replicas = {
    small: new Replica(SMALL),
    large: new Replica(LARGE),
    verified: new Replica(SMALL, verifyEd25519),
  };
  const rates = {
    small: [] as number[],
    large: [] as number[],
    verified: [] as number[],
    floor: [] as number[],
  };
  for (const replica of Object.values(replicas)) replica.replay(log.preparation);
  // Whole passes before the measured one, until the machine code has settled: what counts is the rate that lasts.
  for (let pass = 0; pass < WARM_UP_PASSES; pass++) {
    new Replica(SMALL).replay([...log.preparation, ...log.measured]);
  }
  for (const [i, chunk] of chunks(log.measured, SAMPLES + 1).entries()) {
    for (const name of ["small", "large", "verified"] as const) {
      const taken = cpuSeconds(() => replicas[name].replay(chunk));
      if (i > 0) rates[name].push(chunk.length / perEntry / taken);
    }
    const taken = cpuSeconds(() => floor(chunk));
    if (i > 0) rates.floor.push(chunk.length / perEntry / taken);
  }
  return {
    small: median(rates.small),
    large: median(rates.large),
    verified: median(rates.verified),
    floor: median(rates.floor),
  };
}

function rowsOf(what: string, target: number, rates: ReturnType<typeof measure>): readonly Row[] {
  const unit = "a second";
  const scaled = rates.large / rates.small;
  return [
    {
      what: `${what}, 1,000 active contracts`,
      value: rates.small,
      unit,
      floor: rates.floor,
      target: `≥ ${target}`,
      met: rates.small >= target,
    },
    {
      what: `${what}, 1,000,000 active contracts`,
      value: rates.large,
      unit,
      floor: rates.floor,
      target: `≥ ${target}`,
      met: rates.large >= target,
    },
    {
      what: `${what}, signatures checked in the same thread`,
      value: rates.verified,
      unit,
      floor: rates.floor,
    },
    {
      what: `${what}, 1,000,000 against 1,000 contracts`,
      value: scaled,
      unit: "×",
      target: "≥ 0.7",
      met: scaled >= 0.7,
    },
  ];
}

const registrations = measure(registrationLog(1600));
const transfers = measure(transferLog(16_000));
report(
  "ledger",
  [...rowsOf("registrations", 1000, registrations), ...rowsOf("transfers", 20_000, transfers)],
  [
    "Per second of processor time, all threads counted: what one core does.\n" +
      "A registration is seven entries: request, acceptance, the confirmations of four SVs, collection.\n" +
      "Medians of seven samples taken in turns. The floor reads the same entries as JSON and hashes them once.\n" +
      "The active contracts are coins made in bulk; payloads are kept encoded.",
  ],
);
