/**
 * How many lookups and pages a second the name index answers in process, and how much that depends on the number of
 * names. The floor is the bare prepared statement behind the query, on the same rows. With `--large` there are ten
 * million names too, which takes minutes to make and some 7 GB of disk while it runs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { PartyId } from "../packages/ledger/src/values/party-id.ts";
import { openDatabase } from "../packages/node/src/database/open-database.ts";
import { ScanIndex } from "../packages/scan/src/rows/scan-index.ts";
import { SqliteState } from "../packages/synchronizer/src/replica/sqlite-state.ts";
import { median, type Row, report, seconds } from "./measure.ts";
import { makeNames, NOW, nameAt, ownerAt } from "./name-index-data/bulk-names.ts";

const SIZES = [10_000, 1_000_000, ...(process.argv.includes("--large") ? [10_000_000] : [])];
const SAMPLES = 7;
const LOOKUPS = 50_000;
const PAGES = 5000;
const PAGE_SIZE = 20;
/** Enough to fill the cache before it is measured. */
const WARM_UP = 400_000;

/** The names to look up, in order; whole strings, as they come from a request. */
type Questions = readonly string[];

interface Measured {
  readonly what: string;
  readonly ask: () => Questions;
  readonly answer: (question: string) => unknown;
  readonly floor: (question: string) => unknown;
  readonly rates: number[];
  readonly floors: number[];
}

class Names {
  readonly size: number;
  readonly #database: DatabaseSync;
  readonly #cached: ScanIndex;
  readonly #uncached: ScanIndex;

  constructor(path: string, size: number) {
    this.size = size;
    this.#database = openDatabase(path);
    makeNames(this.#database, size);
    const state = new SqliteState(this.#database);
    this.#uncached = new ScanIndex(state, { cachedNames: 0 });
    this.#cached = new ScanIndex(state);
  }

  measured(): readonly Measured[] {
    const { size } = this;
    const { names } = this.#uncached;
    const byName = this.#bare("select json, expires_at from name_entry where name = ? limit 1");
    const byOwner = this.#bare("select json from name_entry where owner = ? order by name limit 1");
    const page = this.#bare("select json from name_entry where name >= ? order by name limit ?");
    const uniform = () => this.#questions(LOOKUPS, () => nameAt(below(size), size));
    const zipf = (count = LOOKUPS) => this.#questions(count, () => nameAt(popular(size), size));
    const findByName = (name: string) => names.findByName(name, NOW);
    const findCached = (name: string) => this.#cached.names.findByName(name, NOW);
    for (const name of zipf(WARM_UP)) findCached(name);
    const prefixLength = Math.max(1, Math.floor(Math.log(size / PAGE_SIZE) / Math.log(36)));
    return [
      {
        what: "by name, uniform",
        ask: uniform,
        answer: findByName,
        floor: (name: string) => byName.get(name),
      },
      {
        what: "by name, Zipf, with the cache",
        ask: () => zipf(),
        answer: findCached,
        floor: (name: string) => byName.get(name),
      },
      {
        what: "by party, uniform",
        ask: () => this.#questions(LOOKUPS, () => ownerAt(below(size))),
        answer: (party: string) => names.findByParty(party as PartyId, NOW),
        floor: (party: string) => byOwner.get(party),
      },
      {
        what: `pages of ${PAGE_SIZE}`,
        ask: () => this.#questions(PAGES, () => nameAt(below(size), size).slice(0, prefixLength)),
        answer: (prefix: string) => names.listByPrefix(prefix, NOW, PAGE_SIZE),
        floor: (prefix: string) => page.all(prefix, PAGE_SIZE),
      },
    ].map((measured) => ({ ...measured, rates: [], floors: [] }));
  }

  close(): void {
    this.#database.close();
  }

  #bare(sql: string) {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  #questions(count: number, next: () => string): Questions {
    return Array.from({ length: count }, () => Buffer.from(next()).toString());
  }
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}

/** Zipf with exponent 1: rank r with a probability near 1 / r. Ranks are spread over the names. */
function popular(size: number): number {
  const rank = Math.floor(Math.exp(Math.random() * Math.log(size)));
  return (rank * 7919) % size;
}

function rate(questions: Questions, answer: (question: string) => unknown): number {
  const taken = seconds(() => {
    for (const question of questions) answer(question);
  });
  return questions.length / taken;
}

function shown(size: number): string {
  return `${size.toLocaleString("en-US")} names`;
}

const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
try {
  const all = SIZES.map((size) => new Names(join(folder, `${size}.db`), size));
  const measured = all.map((names) => ({ names, cases: names.measured() }));
  // The first sample warms the compiler up and is not counted.
  for (let sample = 0; sample <= SAMPLES; sample++) {
    for (const each of measured.flatMap(({ cases }) => cases)) {
      // Other names for each: what was asked for a moment ago is found faster.
      const [floor, value] = [rate(each.ask(), each.floor), rate(each.ask(), each.answer)];
      if (sample === 0) continue;
      each.rates.push(value);
      each.floors.push(floor);
    }
  }
  const rows: readonly Row[] = measured.flatMap(({ names, cases }) =>
    cases.map(({ what, rates, floors }) => ({
      what: `${what}, ${shown(names.size)}`,
      value: median(rates),
      unit: "a second",
      floor: median(floors),
    })),
  );
  report("name-index", rows, [
    "In process, one thread, answers as JSON texts. Medians of seven samples taken in turns, each with names of its\n" +
      "own. The floor is the bare prepared statement behind the query. The rows of the name table are made in bulk;\n" +
      "all else comes from a simulated founding. Only the lookups with Zipf's distribution use the cache.",
  ]);
  for (const names of all) names.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
