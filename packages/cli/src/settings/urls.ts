/** URLs as roles take them. */

/** The base URL with the API's path, which operators write or leave out. */
export function withPath(url: string, path: string): string {
  const base = url.trim().replace(/\/+$/, "");
  return base.endsWith(path) ? base : `${base}${path}`;
}
