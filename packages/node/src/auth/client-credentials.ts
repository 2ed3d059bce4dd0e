/**
 * Tokens from an OpenID provider for a client's secret. A token is kept and renewed two minutes before its end, or halfway
 * if it is short-lived; callers go on with the old one meanwhile. A token that was refused is replaced, within a rate
 * limit. All callers share one fetch, and after a failure the provider is left alone for a while.
 */
import type { Host, HttpClient } from "../host/host.ts";
import type { FetchLimits } from "../http-client/fetch-text.ts";
import { type Log, silentLog } from "../observability/log.ts";
import { runOutsideTraces } from "../observability/trace-context.ts";
import { onAbort } from "../waiting/abort.ts";
import { Backoff } from "../waiting/backoff.ts";
import { TokenBucket } from "../waiting/token-bucket.ts";
import {
  type ClientCredentials,
  discoverTokenEndpoint,
  type FetchedToken,
  fetchToken,
  TokenUnavailable,
} from "./openid-tokens.ts";
import type { TokenSource, TokenSourceParts } from "./token-source.ts";

const RENEWAL_MILLISECONDS = 2 * 60_000;
const FETCH_TIMEOUT_MILLISECONDS = 10_000;
const MAX_BYTES = 256 * 1024;
const DISCOVERY_MILLISECONDS = 10 * 60_000;
const PAUSES = { firstMilliseconds: 500, longestMilliseconds: 10_000 } as const;
/** The rate limit of fetches for refused tokens: so many at once, and one more after each such time. */
const REPLACEMENTS_AT_ONCE = 3;
const REPLACEMENT_MILLISECONDS = 30_000;
const LOG_MILLISECONDS = 60_000;

interface KeptToken {
  readonly token: string;
  /** Both times are in elapsed milliseconds. */
  readonly renewAt: number;
  readonly endsAt: number;
}

export class ClientCredentialsTokens implements TokenSource {
  readonly #credentials: ClientCredentials;
  readonly #userId: string | undefined;
  readonly #host: Host;
  readonly #log: Log;
  readonly #client: HttpClient;
  readonly #limits: FetchLimits;
  readonly #backoff: Backoff;
  readonly #replacements: TokenBucket;
  #endpoint: { readonly url: string; readonly at: number } | undefined;
  #kept: KeptToken | undefined;
  #fetching: Promise<string> | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  #isAudienceTold = false;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(credentials: ClientCredentials, parts: TokenSourceParts) {
    checkCredentials(credentials);
    const { host, log = silentLog, stopping, userId } = parts;
    this.#credentials = credentials;
    this.#userId = userId;
    this.#host = host;
    this.#log = log.child({ clientId: credentials.clientId });
    this.#client = host.http.openClient();
    this.#limits = { host, milliseconds: FETCH_TIMEOUT_MILLISECONDS, maxBytes: MAX_BYTES, stopping };
    this.#backoff = new Backoff({ ...PAUSES, jitter: host.randomness });
    this.#replacements = new TokenBucket({
      capacity: REPLACEMENTS_AT_ONCE,
      perSecond: 1000 / REPLACEMENT_MILLISECONDS,
      ...host.clock,
    });
    onAbort(stopping, () => this.#client.close());
  }

  readonly token = async (): Promise<string> => {
    const now = this.#now();
    const kept = this.#kept;
    const mayFetch = this.#failure === undefined || now >= this.#failure.until;
    if (kept === undefined || now >= kept.endsAt) {
      if (this.#fetching === undefined && !mayFetch) throw this.#failure?.error;
      return this.#fetch();
    }
    // The renewal runs in the background: its failure is logged, and matters when the old token has ended.
    if (now >= kept.renewAt && mayFetch) this.#fetch().catch(() => undefined);
    return kept.token;
  };

  readonly onRejected = (token: string): void => {
    if (token !== this.#kept?.token) return;
    if (this.#replacements.take()) {
      this.#kept = undefined;
      this.#log.info({}, "the server refused the token: another one is fetched");
      return;
    }
    this.#warn("several new tokens in a row were refused");
  };

  #now(): number {
    return this.#host.clock.elapsedMilliseconds();
  }

  /** One at a time for all callers. */
  #fetch(): Promise<string> {
    this.#fetching ??= runOutsideTraces(() => this.#fetchNow()).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<string> {
    const at = this.#now();
    try {
      const fetched = await fetchToken(
        this.#client,
        await this.#findEndpoint(),
        this.#credentials,
        this.#limits,
      );
      this.#checkSubject(fetched);
      const lead = Math.min(RENEWAL_MILLISECONDS, fetched.lifetimeMilliseconds / 2);
      const endsAt = at + fetched.lifetimeMilliseconds;
      this.#kept = { token: fetched.token, renewAt: endsAt - lead, endsAt };
      this.#succeed(fetched);
      return fetched.token;
    } catch (error) {
      this.#endpoint = undefined;
      this.#failure = { error, until: this.#now() + this.#backoff.next() };
      this.#warn(error instanceof Error ? error.message : "unknown");
      throw error;
    }
  }

  async #findEndpoint(): Promise<string> {
    const at = this.#now();
    if (this.#endpoint === undefined || at - this.#endpoint.at > DISCOVERY_MILLISECONDS) {
      const url = await discoverTokenEndpoint(this.#client, this.#credentials, this.#limits);
      this.#endpoint = { url, at };
    }
    return this.#endpoint.url;
  }

  /** The server would refuse every call without saying why. */
  #checkSubject({ claims }: FetchedToken): void {
    if (claims === undefined || this.#userId === undefined || claims.subject === this.#userId) return;
    const { clientId, wellKnownUrl } = this.#credentials;
    const named = claims.subject === undefined ? "no user" : `the user "${claims.subject}"`;
    throw new TokenUnavailable(
      `the token of the client "${clientId}" from ${wellKnownUrl} names ${named}, but ledger-api-user is "${this.#userId}": make them equal`,
    );
  }

  #succeed({ claims }: FetchedToken): void {
    const { audience } = this.#credentials;
    const audiences = claims?.audiences ?? [audience];
    if (this.#failure !== undefined) this.#log.info({}, "a token was fetched after failures");
    if (!audiences.includes(audience) && !this.#isAudienceTold) {
      this.#isAudienceTold = true;
      this.#log.warn({ audiences, wanted: audience }, "the provider gave a token for another audience");
    }
    this.#failure = undefined;
    this.#backoff.reset();
  }

  #warn(reason: string): void {
    const now = this.#now();
    if (this.#limits.stopping?.aborted === true || now - this.#loggedAt < LOG_MILLISECONDS) return;
    this.#loggedAt = now;
    this.#log.warn({ reason }, "there is no new token");
  }
}

function checkCredentials(credentials: ClientCredentials): void {
  const { wellKnownUrl } = credentials;
  const protocol = URL.parse(wellKnownUrl)?.protocol;
  if (protocol !== "https:" && protocol !== "http:") {
    throw new Error(
      `wellKnownUrl is the http or https address of an OpenID configuration, not "${wellKnownUrl.slice(0, 200)}"`,
    );
  }
  for (const key of ["clientId", "clientSecret", "audience"] as const)
    if (credentials[key].trim() === "") throw new Error(`${key} of the client credentials is empty`);
}
