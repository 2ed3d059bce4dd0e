/**
 * The scrub looks for stored bytes that have changed since they were written. The digests of outcomes do not see such a
 * byte until an entry uses it. The scrub works through everything that an SV has stored, a few rows at a time, rests, and
 * starts over; its position is kept with the rows that it checks.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type Clock,
  DatabaseDamaged,
  isDamage,
  type Log,
  migrateDatabase,
  sleep,
  type Timers,
} from "@callsign/node";
import {
  SCRUB_PAUSE_FACTOR,
  SCRUB_PAUSE_MILLISECONDS,
  SCRUB_REST_MILLISECONDS,
  SCRUB_SAVED_AFTER,
  SCRUB_START_MILLISECONDS,
} from "../limits/limits.ts";
import { ScrubFinding, type ScrubPart } from "./scrub-part.ts";

const POSITION = `
  create table scrub_position (
    one integer primary key check (one = 1),
    part text not null,
    after text not null,
    rounds integer not null
  ) strict;
`;

export interface ScrubParts {
  readonly parts: readonly ScrubPart[];
  /** Keeps the position. */
  readonly database: DatabaseSync;
  /** Stored bytes have changed, or cannot be read. Ends the scrub. */
  readonly onFinding: (finding: ScrubFinding) => void;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ScrubStatus {
  /** The kind of rows that is checked at present. */
  readonly part: string;
  /** Rows that were checked in this round, since the start of the process. */
  readonly rows: number;
  /** Rounds that were completed, also by earlier processes. */
  readonly rounds: number;
  readonly findings: number;
}

export class Scrub {
  readonly #given: ScrubParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #part = 0;
  #after = "";
  #rounds = 0;
  #rows = 0;
  #findings = 0;

  constructor(given: ScrubParts) {
    this.#given = given;
    const { database, parts } = given;
    migrateDatabase(database, { store: "scrub", migrations: [POSITION] });
    const saved = database.prepare("select part, after, rounds from scrub_position").get();
    this.#rounds = Number(saved?.["rounds"] ?? 0);
    const part = parts.findIndex(({ name }) => name === saved?.["part"]);
    if (part < 0) return;
    this.#part = part;
    this.#after = saved?.["after"] as string;
  }

  get status(): ScrubStatus {
    const part = this.#given.parts[this.#part]?.name ?? "";
    return { part, rows: this.#rows, rounds: this.#rounds, findings: this.#findings };
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Checks everything from the present position to the end of the round, without pauses. Returns the finding. */
  async finishRound(): Promise<ScrubFinding | null> {
    const { rounds } = this.status;
    try {
      while (this.#rounds === rounds) await this.#step();
      return null;
    } catch (error) {
      const finding = this.#asFinding(error);
      if (finding === null) throw error;
      this.#report(finding);
      return finding;
    }
  }

  #report(finding: ScrubFinding): void {
    this.#findings++;
    this.#given.onFinding(finding);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (this.#findings === 0) this.#save();
  }

  async #run(): Promise<void> {
    const { timers, clock } = this.#given;
    const { signal } = this.#stopping;
    await sleep(SCRUB_START_MILLISECONDS, { timers, signal });
    for (let steps = 1; !signal.aborted; steps++) {
      const { rounds } = this.status;
      const begun = clock.elapsedMilliseconds();
      if (!(await this.#tryStep())) return;
      if (steps % SCRUB_SAVED_AFTER === 0) this.#save();
      const taken = clock.elapsedMilliseconds() - begun;
      const pause = Math.max(SCRUB_PAUSE_MILLISECONDS, taken * SCRUB_PAUSE_FACTOR);
      await sleep(this.#rounds > rounds ? SCRUB_REST_MILLISECONDS : pause, { timers, signal });
    }
  }

  /** False after a finding. Other failures, as of a disk that cannot be read at present, are tried again. */
  async #tryStep(): Promise<boolean> {
    const { log } = this.#given;
    try {
      await this.#step();
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      const finding = this.#asFinding(error);
      if (finding === null) {
        log.warn({ error, part: this.status.part }, "the scrub failed; it is retried");
        return true;
      }
      this.#report(finding);
      return false;
    }
    return true;
  }

  /** Null for an error that does not come from stored bytes. */
  #asFinding(error: unknown): ScrubFinding | null {
    if (error instanceof ScrubFinding) return error;
    const { store = "replica" } = this.#given.parts[this.#part] ?? {};
    // A log may be on a server, whose errors say nothing about its bytes.
    const isFound = store === "log" ? error instanceof DatabaseDamaged : isDamage(error);
    return isFound ? new ScrubFinding(store, (error as Error).message, { cause: error }) : null;
  }

  async #step(): Promise<void> {
    const { parts } = this.#given;
    const part = parts[this.#part];
    const checked = await part?.check(this.#after, this.#stopping.signal);
    this.#rows += checked?.rows ?? 0;
    this.#after = checked?.after ?? "";
    if (checked !== undefined && checked.after !== null) return;
    this.#part = (this.#part + 1) % parts.length;
    if (this.#part > 0) return;
    this.#rounds++;
    this.#rows = 0;
  }

  #save(): void {
    const { database, parts, log } = this.#given;
    try {
      database
        .prepare("insert or replace into scrub_position values (1, ?, ?, ?)")
        .run(parts[this.#part]?.name ?? "", this.#after, this.#rounds);
    } catch (error) {
      log.warn({ error }, "the scrub's position was not saved");
    }
  }
}
