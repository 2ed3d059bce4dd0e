/** Lookups of names by minute, in memory, for a day. */
import { type LookupStatistics, MAX_LOOKUP_MINUTES, scanApi } from "@callsign/api";
import type { Clock } from "@callsign/node";

const MINUTE_MILLISECONDS = 60_000;

const { endpoints } = scanApi;
const LOOKUPS: ReadonlySet<string> = new Set(
  [
    endpoints.listAnsEntries,
    endpoints.lookupAnsEntryByName,
    endpoints.lookupAnsEntryByParty,
    endpoints.lookupNames,
    endpoints.listNames,
    endpoints.listNamesOfParty,
  ].map(({ id }) => id),
);

export class LookupCounts {
  readonly #clock: Clock;
  readonly #since: number;
  /** By the number of the minute since 1970, the earliest first. */
  readonly #counts = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.wallMilliseconds();
  }

  /** Other operations are not counted. */
  count({ id }: { readonly id: string }): void {
    if (!LOOKUPS.has(id)) return;
    const minute = this.#minute();
    this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + 1);
    if (this.#counts.size <= MAX_LOOKUP_MINUTES) return;
    const [earliest] = this.#counts.keys();
    if (earliest !== undefined) this.#counts.delete(earliest);
  }

  show(): LookupStatistics {
    const last = this.#minute();
    const start = Math.floor(this.#since / MINUTE_MILLISECONDS);
    const first = Math.max(start, last - MAX_LOOKUP_MINUTES + 1);
    // A machine's clock may have been set back to before the start.
    const length = Math.max(0, last - first + 1);
    return {
      since: new Date(this.#since).toISOString(),
      from: new Date(first * MINUTE_MILLISECONDS).toISOString(),
      counts: Array.from({ length }, (_, place) => this.#counts.get(first + place) ?? 0),
    };
  }

  #minute(): number {
    return Math.floor(this.#clock.wallMilliseconds() / MINUTE_MILLISECONDS);
  }
}
