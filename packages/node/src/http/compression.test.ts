import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { chooseEncoding, compress } from "./compression.ts";
import { MAX_COMPRESSED_BYTES, MAX_COMPRESSIONS_AT_ONCE } from "./limits.ts";

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["gzip, deflate, br", "br"],
  ["GZIP;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["*;q=0.1, br;q=0", "gzip"],
  ["gzip;q=0", null],
  ["gzip;q=x", null],
  ["deflate, zstd", null],
])("of %j the encoding %j is chosen", (accept, encoding) => {
  expect(chooseEncoding(accept)).toBe(encoding);
});

test("what is compressed can be read again", async () => {
  const text = "Grüße 🦋 ".repeat(1000);
  const bytes = Buffer.byteLength(text);
  expect(gunzipSync((await compress(text, bytes, "gzip")) ?? "").toString()).toBe(text);
  expect(brotliDecompressSync((await compress(text, bytes, "br")) ?? "").toString()).toBe(text);
});

test("beyond the bounds nothing is compressed, until there is room again", async () => {
  expect(compress("a", MAX_COMPRESSED_BYTES + 1, "gzip")).toBeNull();
  const all = Array.from({ length: MAX_COMPRESSIONS_AT_ONCE }, () => compress("a", 1, "gzip"));
  expect(all).not.toContain(null);
  expect(compress("a", 1, "gzip")).toBeNull();
  await Promise.all(all);
  const next = compress("a", 1, "gzip");
  expect(next).not.toBeNull();
  await next;
});
