import type { TlsClientConfig } from "../tls/tls-config.ts";

/** Options of outgoing calls: TLS, proxy, timeouts. */
export interface OutgoingOptions {
  readonly tls?: TlsClientConfig;
  readonly proxy?: ForwardProxy;
  /** A unix domain socket that every call goes to, whatever its URL's host is; then no proxy is used. */
  readonly socketPath?: string;
  /** The time for a connection, and for a proxy's tunnel; ten seconds if omitted. */
  readonly connectionTimeoutMilliseconds?: number;
  /** The time for an answer that has not come or does not go on; callers bound the whole call anyway. */
  readonly readTimeoutMilliseconds?: number;
}

/** HTTP forward proxies, by the scheme of the called URL. A URL whose scheme has none is called directly. */
export interface ForwardProxy {
  /** The proxy of `https` URLs, which opens a tunnel by CONNECT. */
  readonly https?: ProxyAddress;
  /** The proxy of plain `http` URLs, which sends the request on. */
  readonly http?: ProxyAddress;
  /** Hosts that are called directly; a `*` at the beginning or end stands for any text. */
  readonly nonProxyHosts: readonly string[];
}

export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
}
