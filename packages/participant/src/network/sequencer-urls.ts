/** The rules for the URLs of sequencers. */
import { MAX_SEQUENCERS } from "@callsign/api";
import { MAX_SEQUENCER_URL } from "../limits/limits.ts";

/** Returns the fault of the list; null if it can be used. */
export function findUrlFault(urls: readonly string[]): string | null {
  if (urls.length === 0 || urls.length > MAX_SEQUENCERS) {
    return `there are ${urls.length} URLs: give 1 to ${MAX_SEQUENCERS}`;
  }
  const seen = new Set<string>();
  for (const text of urls) {
    const shown = JSON.stringify(text.slice(0, 200));
    const url = text.length > MAX_SEQUENCER_URL ? null : URL.parse(text);
    if (url === null || !["http:", "https:"].includes(url.protocol)) {
      return `${shown} is no http or https URL, such as https://sequencer.example.com`;
    }
    if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
      return `${shown} has more than a host, a port and a path`;
    }
    const same = trimmed(url.href);
    if (seen.has(same)) return `${shown} is given twice`;
    seen.add(same);
  }
  return null;
}

/** The URL without slashes at its end. */
export function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
