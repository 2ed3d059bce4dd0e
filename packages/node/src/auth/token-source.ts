/** Tokens that this process shows to another one, such as a validator to its participant. */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";

export interface TokenSource {
  /** The token of the next call; undefined sends none. Rejects with `TokenUnavailable`. */
  readonly token: () => Promise<string | undefined>;
  /** Is called with a token that was refused with 401: the next one is another, if there is another. */
  readonly onRejected: (token: string) => void;
}

export interface TokenSourceParts {
  readonly host: Host;
  readonly log?: Log;
  readonly stopping?: AbortSignal;
  /** The user that tokens must name in `sub`; any if omitted. */
  readonly userId?: string;
}
