/**
 * How the process of a local network is started, so that it gives memory back after a load. Plain JavaScript, because
 * scripts/setup.js reads it as well, on any Node.
 */

/**
 * Options of Node. V8 would keep the 50 MB that the founding of a network lets its young generation grow by. The network asks V8 to
 * collect when it is quiet.
 */
export const NODE_OPTIONS = ["--max-semi-space-size=16", "--expose-gc"];

/**
 * Settings of the GNU C library (see mallopt(3)); other systems ignore them. Without them free memory of up to 80 MB stays between
 * blocks that are in use, in the process's heap and in a heap for each of its threads.
 */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
