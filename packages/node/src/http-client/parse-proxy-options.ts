/**
 * The forward proxy in `additionalJvmOptions`, read as the JVM reads it (decision 0033): options are separated by white
 * space, quotes keep it, and of two options with one name the last counts. Values never show in an error or a list of
 * ignored options, since some are secrets.
 */
import type { ForwardProxy, ProxyAddress } from "../host/outgoing.ts";
import { LOOPBACK_HOSTS } from "./non-proxy-hosts.ts";

export interface ProxyOptions {
  /** Undefined if no proxy is set, or if there are errors. */
  readonly proxy: ForwardProxy | undefined;
  /** Options without an effect here, by name: memory, garbage collection and the like. */
  readonly ignored: readonly string[];
  readonly errors: readonly string[];
}

/** The JVM's default ports. */
const DEFAULT_PORTS = { https: 443, http: 80 } as const;
type Scheme = keyof typeof DEFAULT_PORTS;
const NON_PROXY_HOSTS: readonly string[] = ["http.nonProxyHosts", "https.nonProxyHosts"];
const HONOURED: ReadonlySet<string> = new Set([
  ...["https.proxyHost", "https.proxyPort", "http.proxyHost", "http.proxyPort"],
  ...NON_PROXY_HOSTS,
]);
/** Properties that would choose another proxy. */
const OTHER_PROXIES = /^(?:proxyHost|proxyPort|socksProxy\w+|ftp\.proxy\w+|java\.net\.useSystemProxies)$/;
const CREDENTIALS = /^(?:https?\.proxy(?:User|Password)|jdk\.http\.auth\..*|java\.net\.socks\..*)$/;
/** A name or an address; IPv6 in brackets or not. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

export function parseProxyOptions(additionalJvmOptions: string): ProxyOptions {
  const words = splitOptions(additionalJvmOptions);
  if (words === undefined) {
    return { proxy: undefined, ignored: [], errors: ["additionalJvmOptions has a quote that is not closed"] };
  }
  const ignored: string[] = [];
  const errors: string[] = [];
  const properties = new Map<string, string>();
  for (const word of words) {
    const [, name = "", value = ""] = /^-D([^=]*)=?(.*)$/s.exec(word) ?? [];
    if (CREDENTIALS.test(name)) {
      errors.push(
        `additionalJvmOptions sets ${name}: a proxy that asks for credentials is not supported; remove it`,
      );
    } else if (OTHER_PROXIES.test(name)) {
      errors.push(
        `additionalJvmOptions sets ${name}, which is not supported: a proxy is set by https.proxyHost and https.proxyPort`,
      );
    } else if (HONOURED.has(name)) properties.set(name, value);
    else ignored.push(word.replace(/=.*/s, ""));
  }
  const https = readAddress("https", properties, errors);
  const http = readAddress("http", properties, errors);
  if (errors.length > 0 || (https === undefined && http === undefined))
    return { proxy: undefined, ignored, errors };
  const proxy = {
    ...(https === undefined ? {} : { https }),
    ...(http === undefined ? {} : { http }),
    nonProxyHosts: readNonProxyHosts(properties),
  };
  return { proxy, ignored, errors };
}

/** Words between white space, as in `JAVA_TOOL_OPTIONS`. Undefined if a quote is not closed. */
function splitOptions(text: string): readonly string[] | undefined {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const isWhole = text.replace(/"[^"]*"|'[^']*'/g, "").search(/["']/) === -1;
  return isWhole ? words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2")) : undefined;
}

function readAddress(
  scheme: Scheme,
  properties: ReadonlyMap<string, string>,
  errors: string[],
): ProxyAddress | undefined {
  const [hostKey, portKey] = [`${scheme}.proxyHost`, `${scheme}.proxyPort`];
  const host = properties.get(hostKey);
  const port = properties.get(portKey) ?? String(DEFAULT_PORTS[scheme]);
  if (host === undefined || host === "") {
    if (properties.has(portKey))
      errors.push(`additionalJvmOptions sets ${portKey} but no ${hostKey}: set both`);
    else if (host === "")
      errors.push(`additionalJvmOptions sets ${hostKey} to nothing: name a host, or remove it`);
    return undefined;
  }
  const problem = problemOfHost(host);
  if (problem !== undefined) errors.push(`additionalJvmOptions sets ${hostKey} to ${problem}`);
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  if (!isPort) {
    errors.push(
      `additionalJvmOptions sets ${portKey} to "${port.slice(0, 20)}": a port is a number from 1 to 65535`,
    );
  }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function problemOfHost(host: string): string | undefined {
  // The text before an @ may be a password.
  if (host.includes("@"))
    return "a host with credentials: a proxy that asks for credentials is not supported; name the host alone";
  if (host.includes("/"))
    return `"${host.slice(0, 100)}": name the host alone, without http:// and without a path`;
  return HOST.test(host) ? undefined : `"${host.slice(0, 100)}", which is neither a host name nor an address`;
}

/** The JVM adds loopback to a list that is missing or has hosts, and leaves an empty list empty. */
function readNonProxyHosts(properties: ReadonlyMap<string, string>): readonly string[] {
  const given = NON_PROXY_HOSTS.flatMap((name) => properties.get(name) ?? []);
  const hosts = given.flatMap((list) => list.split("|")).map((host) => host.trim());
  const named = hosts.filter((host) => host !== "");
  return given.length > 0 && named.length === 0 ? [] : [...new Set([...named, ...LOOPBACK_HOSTS])];
}
