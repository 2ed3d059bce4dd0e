import { afterEach, expect, test } from "vitest";
import { useLongPoolBlocks } from "./buffer-pool.ts";
import { BUFFER_POOL_BYTES } from "./limits.ts";

const { poolSize } = Buffer;
afterEach(() => {
  Buffer.poolSize = poolSize;
});

test("buffers are cut from blocks that are longer than any gap in malloc's heap", () => {
  useLongPoolBlocks();
  // The block in use may be one of Node's own.
  Buffer.allocUnsafe(BUFFER_POOL_BYTES / 2 - 1);
  const [one, two] = [Buffer.from("one"), Buffer.from("two")];
  expect(one.buffer).toBe(two.buffer);
  expect(one.buffer.byteLength).toBeGreaterThanOrEqual(BUFFER_POOL_BYTES);
});
