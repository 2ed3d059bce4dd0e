/** URLs as roles take them. */
import { trimBaseUrl } from "@callsign/api";

/** The base URL with the API's path, which operators write or leave out. */
export function withPath(url: string, path: string): string {
  const base = trimBaseUrl(url.trim());
  return base.endsWith(path) ? base : `${base}${path}`;
}
