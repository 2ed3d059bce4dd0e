// `npm run lock`, after `npm install <package>`.
//
// `npm ci` refuses a lock file that does not list every optional dependency, also those of other platforms.
// npm leaves out the ones it could not look up while it wrote the file; this adds them, by name, exact version
// and the integrity that the registry has. Their platform stands in their name: `binding-linux-arm64-musl`.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { spawnNpm } from "./fetch-pinned-package.js";

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, peer?: boolean, cpu?: string[],
 *   os?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} LockedPackage
 */

const path = fileURLToPath(new URL("../package-lock.json", import.meta.url));
/** @type {{ packages: Record<string, LockedPackage> }} */
const lock = JSON.parse(readFileSync(path, "utf8"));

/** @param {string} name @returns {Pick<LockedPackage, "cpu" | "os" | "libc">} */
function platformOf(name) {
  if (name.includes("wasm32")) return { cpu: ["wasm32"] };
  const parts =
    /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(\w+)(-musl)?/.exec(name);
  if (parts === null) return {};
  const [, os = "", cpu = "", musl] = parts;
  return {
    cpu: [cpu],
    os: [os],
    ...(os === "linux" ? { libc: [musl === undefined ? "glibc" : "musl"] } : {}),
  };
}

/** @param {[string, unknown]} a @param {[string, unknown]} b */
function byKey([a], [b]) {
  return a < b ? -1 : 1;
}

/** @param {string} spec @returns {string} */
function integrityOf(spec) {
  const { status, stdout } = spawnNpm(["view", spec, "dist.integrity"], { encoding: "utf8" });
  const integrity = String(stdout).trim();
  if (status === 0 && integrity.startsWith("sha512-")) return integrity;
  process.stderr.write(
    `The registry has no integrity of ${spec}. Take a version of the package that needs it which exists for every platform.\n`,
  );
  process.exit(1);
}

/** @type {string[]} */
const added = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    // A range names no version to write down; npm has looked it up, or there is nothing to add.
    if (lock.packages[`node_modules/${name}`] !== undefined || !/^\d/.test(version)) continue;
    const integrity = integrityOf(`${name}@${version}`);
    const entry = { integrity, dev: parent.dev, optional: true, peer: parent.peer, ...platformOf(name) };
    const known = Object.entries(entry).filter(([, value]) => value !== undefined);
    // In npm's own order, so that npm has nothing to rewrite.
    lock.packages[`node_modules/${name}`] = { version, ...Object.fromEntries(known.sort(byKey)) };
    added.push(name);
  }
}

if (added.length > 0) {
  const sorted = Object.entries(lock.packages).sort(byKey);
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
console.log(added.length === 0 ? "package-lock.json is complete." : `Added ${added.join(", ")}`);
