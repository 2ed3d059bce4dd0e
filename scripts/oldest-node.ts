/** The oldest Node that runs this program, for tests on it: kept in .cache/oldest-node, and fetched once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fetchPinnedPackage, findPinnedPackage, nameOf } from "./fetch-pinned-package.js";

const FOLDER = join(import.meta.dirname, "..", ".cache", "oldest-node");

/** Its program, or the reason why it cannot be had. */
export function fetchOldestNode(): { readonly program: string } | { readonly reason: string } {
  const pinned = findPinnedPackage("oldest-node");
  if (pinned === undefined)
    return { reason: `no oldest Node is pinned for ${process.platform}-${process.arch}` };
  const program = join(FOLDER, pinned.spec, "node_modules", nameOf(pinned), "bin", "node");
  if (existsSync(program)) return { program };
  process.stderr.write(`Fetching the oldest Node (${pinned.spec}) for tests ...\n`);
  const reason = fetchPinnedPackage(pinned, join(FOLDER, pinned.spec));
  return reason === null ? { program } : { reason };
}
