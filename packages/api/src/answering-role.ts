/** Finds out who answers at an address, for messages about addresses that were mixed up. */
import { type CallTimers, exchange, type Fetch, platformTimers } from "./exchange.ts";

/** Every role tells its version, without a token, under a path of its own. */
const VERSION_PATHS = [
  ["an SV app", "/api/sv/version"],
  ["a scan", "/api/scan/version"],
  ["a sequencer", "/api/sequencer/version"],
  ["a validator", "/api/validator/version"],
  ["a participant", "/v2/version"],
] as const;

const TIMEOUT_MILLISECONDS = 3000;
const MAX_BYTES = 65_536;

/** The role with an indefinite article, such as `a scan`; null if none is recognised. */
export async function findAnsweringRole(
  url: string,
  given: { readonly fetch: Fetch; readonly timers?: CallTimers; readonly signal?: AbortSignal },
): Promise<string | null> {
  const { fetch, timers = platformTimers, signal } = given;
  const base = URL.parse(url);
  if (base === null) return null;
  for (const [role, path] of VERSION_PATHS) {
    const site = { operation: "getVersion", url: `${base.origin}${path}` };
    const limits = { timers, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxResponseBytes: MAX_BYTES, signal };
    try {
      const { status, text } = await exchange(fetch, site, {}, limits);
      if (status === 200 && text.includes('"version"')) return role;
    } catch {
      // Whoever does not answer one path in time does not answer the others.
      return null;
    }
  }
  return null;
}
