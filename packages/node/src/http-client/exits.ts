/** The ways out of this machine: directly, or through the forward proxy of the URL's scheme. */
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { OutgoingOptions, ProxyAddress } from "../host/outgoing.ts";
import { isNonProxyHost } from "./non-proxy-hosts.ts";

/** Connections to one server. A call beyond them waits for one. */
const MAX_CONNECTIONS = 64;
const KEEP_ALIVE_MILLISECONDS = 30_000;
/** The time for a proxy's answer to CONNECT. */
const TUNNEL_MILLISECONDS = 10_000;

export interface Exit {
  readonly dispatcher: Dispatcher;
  /** Undefined: a direct connection. */
  readonly proxy?: ProxyAddress;
}

export interface Exits {
  readonly choose: (target: URL) => Exit;
  /** Aborts the calls in flight. */
  readonly close: () => void;
}

const POOL = {
  connections: MAX_CONNECTIONS,
  keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  allowH2: false,
} as const;

export function openExits({ proxy }: OutgoingOptions): Exits {
  const direct: Exit = { dispatcher: new Agent(POOL) };
  const [https, http] = [openProxy(proxy?.https), openProxy(proxy?.http)];
  return {
    choose: ({ protocol, hostname }) => {
      const exit = protocol === "https:" ? https : http;
      if (exit === undefined || isNonProxyHost(hostname, proxy?.nonProxyHosts ?? [])) return direct;
      return exit;
    },
    close: () => {
      for (const exit of [direct, https, http]) void exit?.dispatcher.destroy();
    },
  };
}

function openProxy(proxy: ProxyAddress | undefined): Exit | undefined {
  if (proxy === undefined) return undefined;
  const dispatcher = new ProxyAgent({
    ...POOL,
    uri: `http://${formatAddress(proxy)}`,
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: TUNNEL_MILLISECONDS }),
  });
  return { dispatcher, proxy };
}

export function formatAddress({ host, port }: ProxyAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
