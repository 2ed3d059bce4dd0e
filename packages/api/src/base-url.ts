/** The rule for the base URL of a server, in configuration, on the ledger and in requests. */

/** Far longer than any that is meant. */
export const MAX_BASE_URL = 2000;

/** Returns the fault of a base URL; null if it can be used. */
export function findBaseUrlFault(text: string): string | null {
  const shown = JSON.stringify(hideCredentials(text).slice(0, 200));
  const url = text.length > MAX_BASE_URL ? null : URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return `${shown} is no http or https URL, such as https://sequencer.example.com`;
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return `${shown} has more than a host, a port and a path`;
  }
  return null;
}

/** The text with no user and password of a URL in it: they are secrets. */
export function hideCredentials(text: string): string {
  return text.replace(/\/\/[^/?#\s]*@/g, "//…@");
}

/** The URL without slashes at its end. */
export function trimBaseUrl(url: string): string {
  return url.replace(/\/+$/, "");
}
