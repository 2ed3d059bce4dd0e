/** SVs publish the URLs of their scans: any length, any character. */
const MAX_SHOWN_URL = 200;

/** The URL as headers and texts show it: ASCII, and not too long. */
export function showUrl(url: string): string {
  const shown = URL.parse(url)?.href ?? "";
  return shown.length > MAX_SHOWN_URL ? `${shown.slice(0, MAX_SHOWN_URL)}...` : shown;
}
