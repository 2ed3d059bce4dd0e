/** Keys that say the same in two ways: the one of the later source wins, and two of one source contradict each other. */
import type { ValueOrigin } from "../values/origin.ts";
import type { KeyReader } from "./key-reader.ts";

/** Files and `--set`, then variables, then additional configuration. */
function layerOf(origin: ValueOrigin | undefined): number {
  if (origin === undefined) return -1;
  if (origin.kind !== "variable") return 0;
  return origin.line === undefined ? 1 : 2;
}

export function layerOfKeys(reader: KeyReader, paths: readonly string[]): number {
  return Math.max(-1, ...paths.map((path) => layerOf(reader.origin(path))));
}
