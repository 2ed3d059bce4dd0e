/** The ways out of this machine: directly, or through the forward proxy of the URL's scheme. */
import type { SecureContext } from "node:tls";
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { OutgoingOptions, ProxyAddress } from "../host/outgoing.ts";
import { ClientTls, type TlsClock } from "./client-tls.ts";
import { isNonProxyHost } from "./non-proxy-hosts.ts";

/** Connections to one server. A call beyond them waits for one. */
const MAX_CONNECTIONS = 64;
const KEEP_ALIVE_MILLISECONDS = 30_000;
/** The time for a proxy's answer to CONNECT. */
const TUNNEL_MILLISECONDS = 10_000;

export interface Exit {
  readonly dispatcher: Dispatcher;
  /** Undefined: a direct connection. */
  readonly proxy: ProxyAddress | undefined;
  readonly tls: ClientTls;
}

const POOL = {
  connections: MAX_CONNECTIONS,
  keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  allowH2: false,
} as const;

export class Exits {
  readonly #options: OutgoingOptions;
  readonly #tls: ClientTls;
  /** By proxy and TLS; opened when they are first needed. */
  readonly #open = new Map<string, Exit>();
  #context: SecureContext | undefined;

  /** Throws `TlsFilesRejected` if a file of the options cannot be used. */
  constructor(options: OutgoingOptions, machine: TlsClock) {
    this.#options = options;
    this.#tls = new ClientTls(options.tls ?? {}, machine);
  }

  choose({ protocol, hostname }: URL): Exit {
    const { proxy } = this.#options;
    const isDirect = isNonProxyHost(hostname, proxy?.nonProxyHosts ?? []);
    if (protocol !== "https:") return this.#get("http", isDirect ? undefined : proxy?.http);
    const context = this.#tls.context();
    if (context !== this.#context) this.#replace(context);
    return this.#get("https", isDirect ? undefined : proxy?.https);
  }

  /** Aborts the calls in flight. */
  close(): void {
    for (const { dispatcher } of this.#open.values()) void dispatcher.destroy();
  }

  /** Calls in flight end on the connections that they have; later ones show the new certificate. */
  #replace(context: SecureContext): void {
    this.#context = context;
    for (const [key, { dispatcher }] of this.#open) {
      if (!key.startsWith("https")) continue;
      this.#open.delete(key);
      void dispatcher.close();
    }
  }

  #get(scheme: "http" | "https", proxy: ProxyAddress | undefined): Exit {
    const key = proxy === undefined ? scheme : `${scheme} by ${formatAddress(proxy)}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const tls = this.#context === undefined ? {} : { secureContext: this.#context };
    const dispatcher = proxy === undefined ? new Agent({ ...POOL, connect: tls }) : openProxy(proxy, tls);
    const exit = { dispatcher, proxy, tls: this.#tls };
    this.#open.set(key, exit);
    return exit;
  }
}

function openProxy(proxy: ProxyAddress, requestTls: { readonly secureContext?: SecureContext }): Dispatcher {
  return new ProxyAgent({
    ...POOL,
    uri: `http://${formatAddress(proxy)}`,
    requestTls,
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: TUNNEL_MILLISECONDS }),
  });
}

export function formatAddress({ host, port }: ProxyAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
