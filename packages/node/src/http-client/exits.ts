/** The ways out of this machine: directly, or through the forward proxy of the URL's scheme. */
import type { SecureContext } from "node:tls";
import type { Dispatcher, ProxyAgent as ProxyAgentTypes } from "undici";
import type { OutgoingOptions, ProxyAddress } from "../host/outgoing.ts";
import { ClientTls, type TlsClock } from "./client-tls.ts";
import { Agent, Pool, ProxyAgent } from "./dispatchers.ts";
import { isNonProxyHost } from "./non-proxy-hosts.ts";

/** Connections to one server. A call beyond them waits for one. */
const MAX_CONNECTIONS = 64;
const KEEP_ALIVE_MILLISECONDS = 30_000;
const CONNECTION_MILLISECONDS = 10_000;

export interface Exit {
  readonly dispatcher: Dispatcher;
  /** Undefined for a direct connection. */
  readonly proxy: ProxyAddress | undefined;
  readonly tls: ClientTls;
}

function poolOptions({ readTimeoutMilliseconds: read }: OutgoingOptions) {
  return {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
    ...(read === undefined ? {} : { headersTimeout: read, bodyTimeout: read }),
  };
}

export class Exits {
  readonly #options: OutgoingOptions;
  readonly #tls: ClientTls;
  /** Exits by scheme and proxy, each opened when it is first needed. */
  readonly #open = new Map<string, Exit>();
  /** Dispatchers with a certificate that was renewed since; each goes when its last call has ended. */
  readonly #retired = new Set<Dispatcher>();
  #context: SecureContext | undefined;
  #isClosed = false;

  /** Throws `TlsFilesRejected` if a file of the options cannot be used. */
  constructor(options: OutgoingOptions, machine: TlsClock) {
    this.#options = options;
    this.#tls = new ClientTls(options.tls ?? {}, machine);
  }

  choose({ protocol, hostname }: URL): Exit {
    if (this.#isClosed) throw new Error("the HTTP client is closed");
    const { proxy, socketPath } = this.#options;
    const isDirect = socketPath !== undefined || isNonProxyHost(hostname, proxy?.nonProxyHosts ?? []);
    if (protocol !== "https:") return this.#get("http", isDirect ? undefined : proxy?.http);
    const context = this.#tls.context();
    if (context !== this.#context) this.#replace(context);
    return this.#get("https", isDirect ? undefined : proxy?.https);
  }

  /** Aborts the calls in flight, and refuses later ones. */
  close(): void {
    this.#isClosed = true;
    const open = [...this.#open.values()].map(({ dispatcher }) => dispatcher);
    for (const dispatcher of [...open, ...this.#retired]) void dispatcher.destroy();
  }

  /** Calls in flight end on the connections that they have; later ones show the new certificate. */
  #replace(context: SecureContext): void {
    this.#context = context;
    for (const [key, { dispatcher }] of this.#open) {
      if (!key.startsWith("https")) continue;
      this.#open.delete(key);
      this.#retired.add(dispatcher);
      const end = () => void this.#retired.delete(dispatcher);
      void dispatcher.close().then(end, end);
    }
  }

  #get(scheme: "http" | "https", proxy: ProxyAddress | undefined): Exit {
    const key = proxy === undefined ? scheme : `${scheme} by ${formatAddress(proxy)}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const tls = this.#context === undefined ? {} : { secureContext: this.#context };
    const pool = poolOptions(this.#options);
    const { socketPath, connectionTimeoutMilliseconds: timeout = CONNECTION_MILLISECONDS } = this.#options;
    const socket = socketPath === undefined ? {} : { socketPath };
    const dispatcher =
      proxy === undefined
        ? new Agent({ ...pool, connect: { ...tls, ...socket, timeout } })
        : openProxy(proxy, { ...pool, requestTls: tls, connectTimeout: timeout });
    const exit = { dispatcher, proxy, tls: this.#tls };
    this.#open.set(key, exit);
    return exit;
  }
}

function openProxy(proxy: ProxyAddress, options: Omit<ProxyAgentTypes.Options, "uri">): Dispatcher {
  const headersTimeout = options.connectTimeout ?? CONNECTION_MILLISECONDS;
  return new ProxyAgent({
    ...options,
    uri: `http://${formatAddress(proxy)}`,
    // Plain requests to the proxy would otherwise have a pool without a limit.
    factory: (origin, parts) => new Pool(origin, { ...options, ...parts }),
    clientFactory: (origin, parts) => new Pool(origin, { ...parts, headersTimeout }),
  });
}

export function formatAddress({ host, port }: ProxyAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
