/**
 * Compression of long answers, off the main thread. Only so many are compressed at a time: beyond that an answer is sent as it
 * is, which every caller takes.
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { readWeights } from "./accepted-weights.ts";
import { COMPRESSED_FROM_BYTES, MAX_COMPRESSED_BYTES, MAX_COMPRESSIONS_AT_ONCE } from "./limits.ts";

export type Encoding = "br" | "gzip";

/** Better first. */
const ENCODINGS: readonly Encoding[] = ["br", "gzip"];

/** Most answers fit into one such block, compressed. */
const CHUNK_BYTES = 4096;

/** Fast settings: an answer is compressed each time it is sent. */
const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      chunkSize: CHUNK_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { chunkSize: CHUNK_BYTES, level: 4 }),
};

export function isLong(bytes: number): boolean {
  return bytes >= COMPRESSED_FROM_BYTES;
}

/** The encoding that the caller prefers of those offered; null if it takes none of them. */
export function chooseEncoding(
  accept: string | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (accept === undefined) return null;
  const weights = readWeights(accept);
  let chosen: Encoding | null = null;
  let best = 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight <= best) continue;
    best = weight;
    chosen = encoding;
  }
  return chosen;
}

let compressing = 0;

/** Null if the answer is to be sent as it is. */
export function compress(body: string | Buffer, bytes: number, encoding: Encoding): Promise<Buffer> | null {
  if (bytes > MAX_COMPRESSED_BYTES || compressing >= MAX_COMPRESSIONS_AT_ONCE) return null;
  compressing++;
  return COMPRESS[encoding](typeof body === "string" ? Buffer.from(body) : body).finally(() => {
    compressing--;
  });
}
