/**
 * Kept entries, compressed: an entry names the same parties and contracts many times, and takes a sixth of the bytes. The
 * checksum of the text finds bytes that have changed on disk.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { StreamEntry } from "./stream-entry.ts";

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** Room for the whole of most packed entries. */
const CHUNK_BYTES = 4096;

export function packEntry(entry: StreamEntry): Uint8Array {
  const text = Buffer.from(JSON.stringify(entry));
  // A context for a length that is known takes less memory, which is allocated for every entry.
  return zstdCompressSync(text, { params: PARAMS, chunkSize: CHUNK_BYTES, pledgedSrcSize: text.length });
}

/** Throws if the bytes are not those that were packed. */
export function unpackEntry(packed: Uint8Array): StreamEntry {
  return JSON.parse(zstdDecompressSync(packed).toString()) as StreamEntry;
}
