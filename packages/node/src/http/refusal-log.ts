/**
 * A line for every refused call: trace id, operation, status, caller and the real reason, which the answer may not say. Past a
 * rate they are counted in one line a second. Health checks are not logged. An operation's 404 is an answer, not a refusal: a
 * line for debugging.
 */
import { StoreUnwritable } from "../database/store-errors.ts";
import type { Clock, Timer, Timers } from "../host/host.ts";
import type { LineLevel, Log } from "../observability/log.ts";
import { TokenBucket } from "../waiting/token-bucket.ts";
import { LOGGED_REFUSALS_PER_SECOND, MAX_REASON_LENGTH } from "./limits.ts";
import { LedgerFailure, Refusal } from "./refusal.ts";

export interface RefusedCall {
  readonly traceId?: string;
  readonly operation?: string;
  /** Method and path of a call that belongs to no operation. */
  readonly method?: string;
  readonly path?: string;
  readonly user?: string | null;
  readonly address: string;
  readonly reason: string;
}

type Kind = "operation" | "other";

export class RefusalLog {
  readonly #log: Log;
  readonly #timers: Timers;
  /** A flood of one level leaves room for lines of the others. */
  readonly #levels: Readonly<Record<"info" | "warn", Unlogged>>;

  constructor(log: Log, { clock, timers }: { readonly clock: Clock; readonly timers: Timers }) {
    this.#log = log;
    this.#timers = timers;
    const unlogged = (): Unlogged => ({
      bucket: new TokenBucket({
        capacity: LOGGED_REFUSALS_PER_SECOND,
        perSecond: LOGGED_REFUSALS_PER_SECOND,
        elapsedMilliseconds: clock.elapsedMilliseconds,
      }),
      byStatus: new Map(),
      timer: undefined,
    });
    this.#levels = { info: unlogged(), warn: unlogged() };
  }

  /** The status is null where the connection was cut. The fields are made only if they are logged. */
  write(status: number | null, kind: Kind, describe: () => RefusedCall): void {
    const level = levelOf(status, kind);
    if (this.#log.isLevelEnabled?.(level) === false) return;
    if (level !== "debug" && !this.#levels[level].bucket.take()) return void this.#count(level, status);
    const { user, reason, ...call } = describe();
    this.#log[level](
      {
        ...call,
        ...(status === null ? {} : { status }),
        ...(user == null ? {} : { user }),
        reason: cleanReason(reason),
      },
      "a call was refused",
    );
  }

  /** Writes the counts that no line has yet. */
  close(): void {
    this.#flush("info");
    this.#flush("warn");
  }

  #count(level: "info" | "warn", status: number | null): void {
    const unlogged = this.#levels[level];
    const key = status ?? "no answer";
    unlogged.byStatus.set(key, (unlogged.byStatus.get(key) ?? 0) + 1);
    unlogged.timer ??= this.#timers.set(() => this.#flush(level), 1000);
  }

  #flush(level: "info" | "warn"): void {
    const unlogged = this.#levels[level];
    this.#timers.clear(unlogged.timer);
    unlogged.timer = undefined;
    if (unlogged.byStatus.size === 0) return;
    const refused = Object.fromEntries(unlogged.byStatus);
    unlogged.byStatus.clear();
    this.#log[level](
      { refused },
      "more calls were refused than are logged one by one: their number by status",
    );
  }
}

interface Unlogged {
  readonly bucket: TokenBucket;
  readonly byStatus: Map<number | "no answer", number>;
  timer: Timer | undefined;
}

/** Splice warns of callers without the right. */
function levelOf(status: number | null, kind: Kind): Exclude<LineLevel, "error"> {
  if (status === 404 && kind === "operation") return "debug";
  return status !== null && (status === 403 || status >= 500) ? "warn" : "info";
}

/** The cause as the code knows it, which redaction keeps from the caller. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.reason ?? error.rejection.body;
  if (error instanceof LedgerFailure)
    return error.reason === undefined ? error.message : `${error.message} (${error.reason})`;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreUnwritable) return error.message;
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}

/** Cuts out tokens of the query, and the quotation that the parser of JSON puts into its messages. */
export function cleanReason(reason: string): string {
  // Callers choose parts of it: the search for a quotation takes long in a long text.
  return reason
    .slice(0, 2 * MAX_REASON_LENGTH)
    .replace(/(access_token=)[^&\s"]*/gi, "$1[Redacted]")
    .replace(
      /(?:, )?(?:\.\.\.)?\\?"[\s\S]*\\?"(?:\.\.\.)? is not valid JSON/g,
      " in a text that is not valid JSON",
    )
    .slice(0, MAX_REASON_LENGTH);
}
