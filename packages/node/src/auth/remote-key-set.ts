/**
 * The public keys behind an address. They are fetched when a token needs them, believed for five minutes, and asked
 * for again behind the caller's back long before that, so that a key that is taken away is soon no longer believed.
 * A key that is not known is asked for at once; strangers who make up keys cannot make us ask often. Where the
 * address does not answer, only tokens whose key is not known are refused, and soon; once it answers, all is well.
 */
import { readBounded } from "@callsign/api";
import { type Log, silentLog } from "../observability/log.ts";
import { importKey, MAX_KEYS, type PublicKey, parseKeySet } from "./parse-key-set.ts";
import type { TokenKey, TokenKeys } from "./token-keys.ts";
import { TokenRejected } from "./verified-token.ts";

const MAX_AGE_MILLISECONDS = 5 * 60_000;
const REFRESH_MILLISECONDS = 30_000;
const FETCH_TIMEOUT_MILLISECONDS = 10_000;
/** How long after a fetch began callers wait for it. It may go on, for those who come later. */
const PATIENCE_MILLISECONDS = 3000;
const PAUSE_AFTER_FAILURE_MILLISECONDS = 2000;
const MAX_WAITING = 200;
const MAX_BYTES = 1024 * 1024;
/** Fetches for keys that are not known: so many at once, and one more each time this has passed. */
const MAX_SEARCHES = 5;
const SEARCH_MILLISECONDS = 10_000;
const LOG_MILLISECONDS = 60_000;

interface Held {
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** The same as text, to tell whether they changed. */
  readonly written: string;
  /** When they were fetched last. */
  readonly at: number;
}

interface Fetching {
  /** Settles when the fetch has, or when callers should wait no longer; never rejects. */
  readonly patience: Promise<void>;
}

interface RemoteKeySetOptions {
  readonly log?: Log;
  readonly stopping?: AbortSignal;
  /** Milliseconds on a clock that never goes back. */
  readonly elapsed?: () => number;
}

export class RemoteKeySet implements TokenKeys {
  readonly #url: string;
  readonly #log: Log;
  readonly #stopping: AbortSignal | undefined;
  readonly #elapsed: () => number;
  readonly #imported = new Map<string, Promise<TokenKey>>();
  #held: Held | null = null;
  #generation = 0;
  #fetching: Fetching | null = null;
  #waiting = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #searches = MAX_SEARCHES;
  #searchesAt = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(url: string, options: RemoteKeySetOptions = {}) {
    this.#url = url;
    this.#stopping = options.stopping;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    const { origin = "", pathname = "" } = URL.parse(url) ?? {};
    this.#log = (options.log ?? silentLog).child({ keySet: origin + pathname });
  }

  /** Asked before each token, also one that is believed without its key: keys that grow old are fetched again. */
  readonly generation = (): number => {
    if (this.#held !== null && this.#age() > REFRESH_MILLISECONDS && this.#mayFetch()) {
      this.#fetching = this.#startFetch();
    }
    return this.#generation;
  };

  readonly find = async (keyId: string | undefined): Promise<TokenKey> => {
    if (keyId === undefined) throw new TokenRejected("the token does not say which key signed it");
    const known = this.#get(keyId);
    if (known !== undefined) return this.#import(known);
    const joined = this.#fetching;
    await this.#wait(joined ?? this.#search());
    // A fetch that was under way already may have begun before the key was there.
    if (joined !== null && this.#get(keyId) === undefined) await this.#wait(this.#fetching ?? this.#search());
    const found = this.#get(keyId);
    if (found === undefined) throw new TokenRejected("the key that signed the token is not in the key set");
    return this.#import(found);
  };

  #get(keyId: string): PublicKey | undefined {
    return this.#age() > MAX_AGE_MILLISECONDS ? undefined : this.#held?.keys.get(keyId);
  }

  #age(): number {
    return this.#held === null ? Number.POSITIVE_INFINITY : this.#elapsed() - this.#held.at;
  }

  #mayFetch(): boolean {
    return this.#fetching === null && this.#elapsed() >= this.#pausedUntil;
  }

  /** For a key that is not known. */
  #search(): Fetching {
    if (!this.#mayFetch()) throw new TokenRejected("the key set could not be fetched a moment ago");
    // Without any keys a stranger's token asks for no more than anybody's.
    if (this.#age() <= MAX_AGE_MILLISECONDS) this.#takeSearch();
    this.#fetching = this.#startFetch();
    return this.#fetching;
  }

  #takeSearch(): void {
    const now = this.#elapsed();
    const regained = Math.floor((now - this.#searchesAt) / SEARCH_MILLISECONDS);
    this.#searches = Math.min(MAX_SEARCHES, this.#searches + regained);
    if (this.#searches === MAX_SEARCHES) this.#searchesAt = now;
    else this.#searchesAt += regained * SEARCH_MILLISECONDS;
    if (this.#searches === 0) throw new TokenRejected("too many tokens of unknown keys came lately");
    this.#searches -= 1;
  }

  async #wait({ patience }: Fetching): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw new TokenRejected("too many calls wait for the key set");
    this.#waiting += 1;
    try {
      await patience;
    } finally {
      this.#waiting -= 1;
    }
  }

  #startFetch(): Fetching {
    let stopWaiting: () => void = () => undefined;
    const patience = new Promise<void>((resolve) => {
      stopWaiting = resolve;
    });
    const timer = setTimeout(stopWaiting, PATIENCE_MILLISECONDS);
    timer.unref();
    void this.#fetch()
      .then(
        (keys) => this.#take(keys),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#fetching = null;
        clearTimeout(timer);
        stopWaiting();
      });
    return { patience };
  }

  async #fetch(): Promise<ReadonlyMap<string, PublicKey>> {
    const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MILLISECONDS);
    const response = await fetch(this.#url, {
      // Keys come from the address that was configured, and from nowhere it points to.
      redirect: "error",
      headers: { accept: "application/json" },
      signal: this.#stopping === undefined ? timeout : AbortSignal.any([timeout, this.#stopping]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answers with status ${response.status}`);
    }
    const body = await readBounded(response, MAX_BYTES);
    if (body === undefined) throw new Error(`its answer is longer than ${MAX_BYTES} bytes`);
    const keys = parseKeySet(body);
    if (keys === undefined) throw new Error(`its answer is no key set of at most ${MAX_KEYS} keys`);
    return keys;
  }

  #take(keys: ReadonlyMap<string, PublicKey>): void {
    const written = JSON.stringify([...keys.values()]);
    if (written !== this.#held?.written) {
      this.#generation += 1;
      this.#imported.clear();
    }
    this.#held = { keys, written, at: this.#elapsed() };
    if (this.#isFailing) this.#log.info({ keys: keys.size }, "the key set is there again");
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    const now = this.#elapsed();
    this.#pausedUntil = now + PAUSE_AFTER_FAILURE_MILLISECONDS;
    this.#isFailing = true;
    if (this.#stopping?.aborted === true || now - this.#loggedAt < LOG_MILLISECONDS) return;
    this.#loggedAt = now;
    this.#log.warn(
      { reason: reasonOf(error) },
      "the key set cannot be fetched: tokens are refused unless their key is known",
    );
  }

  async #import(key: PublicKey): Promise<TokenKey> {
    const imported = this.#imported.get(key.id) ?? importKey(key);
    this.#imported.set(key.id, imported);
    try {
      return await imported;
    } catch (error) {
      throw new TokenRejected("the key that signed the token is none", { cause: error });
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return (cause instanceof Error ? `${error.message}: ${cause.message}` : error.message).slice(0, 300);
}
