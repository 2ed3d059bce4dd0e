/** A folder in one file: brotli over a line of JSON with the files' paths and lengths, and the files' bytes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

export function packFolder(folder: string): Buffer {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
  const files = paths.map((path) => ({ path, content: readFileSync(join(folder, path)) }));
  const header = JSON.stringify(files.map(({ path, content }) => ({ path, bytes: content.length })));
  return compress(Buffer.concat([Buffer.from(`${header}\n`), ...files.map(({ content }) => content)]));
}

export function unpackFolder(packed: Buffer, folder: string): void {
  const bytes = decompress(packed);
  const headerEnd = bytes.indexOf("\n");
  const files: readonly { path: string; bytes: number }[] = JSON.parse(bytes.toString("utf8", 0, headerEnd));
  let at = headerEnd + 1;
  for (const file of files) {
    mkdirSync(dirname(join(folder, file.path)), { recursive: true });
    writeFileSync(join(folder, file.path), bytes.subarray(at, at + file.bytes), { mode: 0o600 });
    at += file.bytes;
  }
}

export function compress(bytes: Buffer | string): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

export function decompress(packed: Buffer): Buffer {
  return brotliDecompressSync(packed);
}
