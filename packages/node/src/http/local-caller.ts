/**
 * Calls to a server on this machine must be meant for it. A browser lets any page send requests to loopback addresses,
 * and a foreign name can be made to point there: such calls carry a foreign origin or host.
 */

/** `localhost`, a name below it, or a loopback address; with or without a port. */
export function isLoopback(host: string): boolean {
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** The header that gives a foreign caller away; null for a local one. */
export function findForeignCaller(
  host: string | undefined,
  origin: string | undefined,
): "host" | "origin" | null {
  if (host !== undefined && !isLoopback(host)) return "host";
  if (origin === undefined) return null;
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  return match?.[1] !== undefined && isLoopback(match[1]) ? null : "origin";
}
