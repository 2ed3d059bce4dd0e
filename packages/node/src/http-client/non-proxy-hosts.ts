/** The hosts that the JVM calls directly unless the list of hosts is set and empty. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.*", "[::1]", "0.0.0.0", "[::0]"];

/**
 * True if the host is on the list, as the JVM decides it: a `*` at the beginning or end of a pattern stands for any
 * text, capitals do not matter, and no address is looked up.
 */
export function isNonProxyHost(hostname: string, patterns: readonly string[]): boolean {
  const host = hostname.toLowerCase();
  return patterns.some((given) => {
    const pattern = given.toLowerCase();
    const isOpenAtStart = pattern.startsWith("*");
    const isOpenAtEnd = pattern.length > 1 && pattern.endsWith("*");
    const text = pattern.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd ? -1 : undefined);
    if (isOpenAtStart && isOpenAtEnd) return host.includes(text);
    if (isOpenAtStart) return host.endsWith(text);
    return isOpenAtEnd ? host.startsWith(text) : host === text;
  });
}
