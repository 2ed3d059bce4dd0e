// Packages with programs that are no dependencies: Node itself; PostgreSQL and the oldest Node for tests. pinned-packages.json
// has the exact version and the hash of each, for every platform that it can be had for. The file is fetched, its hash
// compared, and only then is it unpacked.
// No script of a package runs. Plain JavaScript without dependencies, because setup.js needs it before any of them.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** @typedef {{ readonly spec: string, readonly integrity: string }} PinnedPackage */

const FETCH_MILLISECONDS = 300_000;

/** @type {Record<string, Record<string, PinnedPackage>>} */
const pins = JSON.parse(readFileSync(new URL("pinned-packages.json", import.meta.url), "utf8"));

/**
 * The package of a program for this platform; undefined if there is none.
 * @param {"node" | "oldest-node" | "postgresql"} program @returns {PinnedPackage | undefined}
 */
export function findPinnedPackage(program) {
  return pins[program]?.[`${process.platform}-${process.arch}`];
}

/**
 * The package's name, without its version.
 * @param {PinnedPackage} pinned
 */
export function nameOf({ spec }) {
  return spec.slice(0, spec.lastIndexOf("@"));
}

/**
 * Fetches the package and unpacks it into `<folder>/node_modules/<name>`. Other content of the folder is removed first.
 * Answers null when it is there, or a sentence about the failure; then the folder is gone.
 * @param {PinnedPackage} pinned @param {string} folder @returns {string | null}
 */
export function fetchPinnedPackage(pinned, folder) {
  rmSync(folder, { recursive: true, force: true });
  const download = join(folder, "download");
  mkdirSync(download, { recursive: true });
  const failure = fetchChecked(pinned, folder, download);
  rmSync(failure === null ? download : folder, { recursive: true, force: true });
  return failure;
}

/** @param {PinnedPackage} pinned @param {string} folder @param {string} download @returns {string | null} */
function fetchChecked({ spec, integrity }, folder, download) {
  const fetched = npm(["pack", "--pack-destination", download, spec], folder);
  const [file] = readdirSync(download);
  if (fetched !== null || file === undefined) {
    return `${spec} could not be fetched: ${fetched ?? "npm wrote no file"}. Check that this works: npm view ${spec}`;
  }
  const archive = join(download, file);
  const hash = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (hash !== integrity) {
    return (
      `${spec} was fetched and is not used, because its hash is ${hash}, and scripts/pinned-packages.json expects ` +
      `${integrity}. Somebody may have changed it on the way: try another network or registry, and do not change the pin.`
    );
  }
  // From the file that was checked, and from nowhere else.
  const unpack = ["install", "--prefix", folder, "--no-save", "--no-package-lock", "--offline", archive];
  const unpacked = npm(unpack, folder);
  return unpacked === null ? null : `${spec} could not be unpacked: ${unpacked}`;
}

/** @param {readonly string[]} args @param {string} cwd @returns {string | null} */
function npm(args, cwd) {
  const options = { cwd, encoding: /** @type {const} */ ("utf8"), timeout: FETCH_MILLISECONDS };
  const { status, stderr, error } = spawnNpm([...args, "--loglevel=error"], options);
  return status === 0 ? null : (error?.message ?? String(stderr).trim().split("\n").slice(0, 2).join(" "));
}

/**
 * Runs npm without any script of a package. npm tells its scripts where it is; a script started by hand finds it on the path.
 * @param {readonly string[]} args @param {import("node:child_process").SpawnSyncOptions} options @param {string} [node]
 */
export function spawnNpm(args, options, node = process.execPath) {
  const script = process.env["npm_execpath"];
  const all = [...args, "--ignore-scripts"];
  return script !== undefined && basename(script) === "npm-cli.js"
    ? spawnSync(node, [script, ...all], options)
    : spawnSync("npm", all, { ...options, shell: process.platform === "win32" });
}
