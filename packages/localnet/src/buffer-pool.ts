/**
 * Node cuts small buffers from the blocks of a pool. A block lasts as long as any of its buffers, and those of compressors last until
 * a large garbage collection, so that up to 64 MB of blocks wait for one. malloc maps long blocks by themselves, and returns them to
 * the system when they are freed. Node's own blocks are so short that they fit between others in malloc's heap, which never shrinks
 * again.
 */
import { BUFFER_POOL_BYTES } from "./limits.ts";

/** For the whole process. */
export function useLongPoolBlocks(): void {
  Buffer.poolSize = BUFFER_POOL_BYTES;
}
