/**
 * SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. It is handed in: this package imports no
 * Node module, and the runtime's own hash is several times faster than one written here.
 */
export type Hash = (text: string) => string;

/** A hash in multihash form, as update ids and fingerprints carry it: `1220` + SHA-256. */
export function multihash(digest: string): string {
  return `1220${digest}`;
}
