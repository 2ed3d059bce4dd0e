import type { TlsServerConfig } from "../tls/tls-config.ts";

/** Where a port listens, and for whom. */
export interface Listening {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Plain HTTP if omitted. */
  readonly tls?: TlsServerConfig;
  /** No limit if omitted. */
  readonly callRates?: CallRates;
}

/** These keys alone, of a role's whole configuration. */
export function listeningOf({ host, port, tls, callRates }: Listening): Listening {
  return { host, port, ...(tls && { tls }), ...(callRates && { callRates }) };
}

/** The calls of one caller; those beyond them are refused with 429. */
export interface CallRates {
  readonly perAddress?: CallRate;
  /** By the user of a valid token. */
  readonly perUser?: CallRate;
}

export interface CallRate {
  readonly perSecond: number;
  /** Calls that may come at once. */
  readonly burst: number;
}
