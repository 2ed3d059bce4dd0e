/**
 * The public keys behind an address. The first token fetches them; they are valid for five minutes, and a background
 * fetch refreshes them long before that, so that a withdrawn key is soon no longer accepted. An unknown key id causes a
 * fetch at once, within a rate limit: made-up key ids cannot cause many. While the address does not answer, only tokens
 * of unknown keys are refused, and soon. Why this is not jose's remote key set: decision 0028.
 */
import type { Host, HttpClient } from "../host/host.ts";
import { fetchText } from "../http-client/fetch-text.ts";
import { type Log, silentLog } from "../observability/log.ts";
import { runOutsideTraces } from "../observability/trace-context.ts";
import { onAbort } from "../waiting/abort.ts";
import { waitAtMost } from "../waiting/deadline.ts";
import { TokenBucket } from "../waiting/token-bucket.ts";
import { importKey, MAX_KEYS, type PublicKey, parseKeySet } from "./parse-key-set.ts";
import type { TokenKey, TokenKeys } from "./token-keys.ts";
import { TokenRejected } from "./verified-token.ts";

const MAX_AGE_MILLISECONDS = 5 * 60_000;
const REFRESH_MILLISECONDS = 30_000;
/** The time for the connection, and for an answer that has not come or does not go on. */
const TIMEOUT_MILLISECONDS = 10_000;
/** Callers wait this long after a fetch began. The fetch goes on for later callers. */
const WAIT_MILLISECONDS = 3000;
const PAUSE_AFTER_FAILURE_MILLISECONDS = 2000;
const MAX_WAITING = 200;
const MAX_BYTES = 1024 * 1024;
/** The rate limit of fetches for unknown key ids. */
const SEARCHES_AT_ONCE = 5;
/** One more is allowed after this time. */
const SEARCH_MILLISECONDS = 10_000;
const LOG_MILLISECONDS = 60_000;

interface FetchedKeys {
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** The keys as text: shows a change. */
  readonly text: string;
  /** The elapsed time of the last fetch that gave them. */
  readonly at: number;
}

interface KeySetTimeouts {
  readonly connectionTimeoutMilliseconds?: number;
  readonly readTimeoutMilliseconds?: number;
}

interface RemoteKeySetOptions extends KeySetTimeouts {
  readonly log?: Log | undefined;
  readonly stopping?: AbortSignal | undefined;
  readonly host: Host;
}

export class RemoteKeySet implements TokenKeys {
  readonly #url: string;
  readonly #log: Log;
  readonly #stopping: AbortSignal | undefined;
  readonly #host: Host;
  readonly #client: HttpClient;
  readonly #timeouts: Required<KeySetTimeouts>;
  readonly #searches: TokenBucket;
  readonly #imported = new Map<string, Promise<TokenKey>>();
  #fetched: FetchedKeys | null = null;
  #generation = 0;
  /** Settles with the fetch, or when callers should wait no longer; never rejects. */
  #fetching: Promise<void> | null = null;
  #waiting = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(url: string, options: RemoteKeySetOptions) {
    const { log = silentLog, stopping, host } = options;
    this.#url = url;
    this.#stopping = stopping;
    this.#host = host;
    const {
      connectionTimeoutMilliseconds = TIMEOUT_MILLISECONDS,
      readTimeoutMilliseconds = TIMEOUT_MILLISECONDS,
    } = options;
    this.#timeouts = { connectionTimeoutMilliseconds, readTimeoutMilliseconds };
    this.#client = host.http.openClient(this.#timeouts);
    this.#searches = new TokenBucket({
      capacity: SEARCHES_AT_ONCE,
      perSecond: 1000 / SEARCH_MILLISECONDS,
      ...host.clock,
    });
    const { origin = "", pathname = "" } = URL.parse(url) ?? {};
    this.#log = log.child({ keySet: origin + pathname });
    onAbort(stopping, () => this.#client.close());
  }

  /** Called for each token, cached ones included: starts the background refresh. */
  readonly generation = (): number => {
    if (this.#fetched !== null && this.#age() > REFRESH_MILLISECONDS && this.#mayFetch()) {
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
    // A fetch that was in flight may have begun before the key was published.
    if (joined !== null && this.#get(keyId) === undefined) await this.#wait(this.#fetching ?? this.#search());
    const found = this.#get(keyId);
    if (found === undefined) throw new TokenRejected("the key that signed the token is not in the key set");
    return this.#import(found);
  };

  #get(keyId: string): PublicKey | undefined {
    return this.#age() > MAX_AGE_MILLISECONDS ? undefined : this.#fetched?.keys.get(keyId);
  }

  #now(): number {
    return this.#host.clock.elapsedMilliseconds();
  }

  #age(): number {
    return this.#fetched === null ? Number.POSITIVE_INFINITY : this.#now() - this.#fetched.at;
  }

  #mayFetch(): boolean {
    return this.#fetching === null && this.#now() >= this.#pausedUntil;
  }

  /** Fetches for an unknown key id. */
  #search(): Promise<void> {
    if (!this.#mayFetch()) throw new TokenRejected("the key set could not be fetched a moment ago");
    // Without any valid keys, every token needs the fetch: it does not count.
    if (this.#age() <= MAX_AGE_MILLISECONDS && !this.#searches.take())
      throw new TokenRejected("too many tokens of unknown keys came lately");
    this.#fetching = this.#startFetch();
    return this.#fetching;
  }

  async #wait(fetched: Promise<void>): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw new TokenRejected("too many calls wait for the key set");
    this.#waiting += 1;
    try {
      await fetched;
    } finally {
      this.#waiting -= 1;
    }
  }

  #startFetch(): Promise<void> {
    // All callers share the answer.
    const settled = runOutsideTraces(() => this.#fetch())
      .then(
        (keys) => this.#take(keys),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#fetching = null;
      });
    return waitAtMost(settled, WAIT_MILLISECONDS, this.#host.timers);
  }

  async #fetch(): Promise<ReadonlyMap<string, PublicKey>> {
    const { connectionTimeoutMilliseconds: connection, readTimeoutMilliseconds: read } = this.#timeouts;
    const limits = { host: this.#host, stopping: this.#stopping, maxBytes: MAX_BYTES };
    // The client follows no redirect: keys come from the configured address alone.
    const { status, text } = await fetchText(
      this.#client,
      this.#url,
      {},
      { ...limits, milliseconds: connection + read },
    );
    if (status < 200 || status > 299) throw new Error(`it answers with status ${status}`);
    const keys = parseKeySet(text);
    if (keys === undefined) throw new Error(`its answer is no key set of at most ${MAX_KEYS} keys`);
    return keys;
  }

  #take(keys: ReadonlyMap<string, PublicKey>): void {
    const text = JSON.stringify([...keys.values()]);
    if (text !== this.#fetched?.text) {
      this.#generation += 1;
      this.#imported.clear();
    }
    this.#fetched = { keys, text, at: this.#now() };
    if (this.#isFailing) this.#log.info({ keys: keys.size }, "the key set is fetched again after failures");
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    const now = this.#now();
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
