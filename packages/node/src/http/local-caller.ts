/**
 * Calls to a server on this machine must be meant for it. A browser lets any page send requests to loopback addresses,
 * and a foreign name can be made to point there: such calls carry a foreign origin or host.
 */

/** Callers beyond this machine's own, where only those are let in. */
export interface AllowedCallers {
  /** Host names without a port, such as `host.docker.internal`. */
  readonly hosts?: readonly string[];
  /** Origins of pages, such as `chrome-extension://abc`. */
  readonly origins?: readonly string[];
}

/** The header that gives a foreign caller away; null for one that may call. */
export type FindForeignCaller = (
  host: string | undefined,
  origin: string | undefined,
) => "host" | "origin" | null;

const WEB_ORIGIN = /^https?:\/\/([^/]+)$/i;
const ORIGIN = /^null$|:\/\//i;

/** Browsers send nothing else: a scheme and a host, or `null` for a page without an origin. */
export function isOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

/** `localhost`, a name below it, or a loopback address; with or without a port. */
export function isLoopback(host: string): boolean {
  const name = hostNameOf(host);
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

export const everyCaller: FindForeignCaller = () => null;

export function localCallers({ hosts = [], origins = [] }: AllowedCallers = {}): FindForeignCaller {
  const allowedHosts = new Set(hosts.map((each) => each.toLowerCase()));
  const allowedOrigins = new Set(origins.map((each) => each.toLowerCase()));
  // Nearly all calls of a port name the same host.
  let last: string | undefined;
  const isKnownHost = (host: string) => {
    if (host === last) return true;
    if (!isLoopback(host) && !allowedHosts.has(hostNameOf(host))) return false;
    last = host;
    return true;
  };
  return (host, origin) => {
    if (host !== undefined && !isKnownHost(host)) return "host";
    // No browser sends a malformed one.
    if (origin === undefined || !isOrigin(origin) || allowedOrigins.has(origin.toLowerCase())) return null;
    const match = WEB_ORIGIN.exec(origin);
    return match?.[1] !== undefined && isLoopback(match[1]) ? null : "origin";
  };
}

/** Without the port. An address of IPv6 has colons of its own: a port stands behind its brackets. */
export function hostNameOf(host: string): string {
  return host
    .replace(/^(\[.*\]|[^:]*):\d+$/, "$1")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}
