import type { TlsServerConfig } from "../tls/tls-config.ts";
import type { AllowedCallers } from "./local-caller.ts";
import type { WebPages } from "./web-pages.ts";

/** The address of a port, its TLS, and the rates of its callers. */
export interface Listening {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Plain HTTP if omitted. */
  readonly tls?: TlsServerConfig;
  /** No limit if omitted. */
  readonly callRates?: CallRates;
  /** On a loopback address: callers besides those of this machine. */
  readonly allowedCallers?: AllowedCallers;
  /** The web application, under paths that are no API's; none if omitted. */
  readonly web?: WebPages;
}

/** The keys of `Listening` alone, of a role's whole configuration. */
export function listeningOf({ host, port, tls, callRates, allowedCallers, web }: Listening): Listening {
  return {
    ...{ host, port },
    ...(tls && { tls }),
    ...(callRates && { callRates }),
    ...(allowedCallers && { allowedCallers }),
    ...(web && { web }),
  };
}

/** Rates of calls, by caller. Calls beyond them are refused with 429. */
export interface CallRates {
  readonly perAddress?: CallRate;
  /** The rate of each user, by the name in a valid token. */
  readonly perUser?: CallRate;
}

export interface CallRate {
  readonly perSecond: number;
  /** Calls that may come at once. */
  readonly burst: number;
}
