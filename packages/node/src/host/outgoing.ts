import type { TlsClientConfig } from "../tls/tls-config.ts";

/** How calls leave this machine. */
export interface OutgoingOptions {
  readonly tls?: TlsClientConfig;
  readonly proxy?: ForwardProxy;
}

/** An HTTP forward proxy: plain calls are handed to it, and TLS goes through it by CONNECT. */
export interface ForwardProxy {
  readonly host: string;
  readonly port: number;
  /** Hosts that are called directly; a `*` at the beginning or end stands for any text. */
  readonly nonProxyHosts: readonly string[];
}
