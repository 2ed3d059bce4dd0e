// `npm run lock`, after `npm install <package>`.
//
// `npm ci` refuses a lock file that does not list every optional dependency, also those of other platforms.
// npm leaves out the ones it could not look up while it wrote the file; this adds them, by name and exact
// version. Their platform stands in their name: `binding-linux-arm64-musl`.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, peer?: boolean, cpu?: string[],
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

/** @type {string[]} */
const added = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    // A range names no version to write down; npm has looked it up, or there is nothing to add.
    if (lock.packages[`node_modules/${name}`] !== undefined || !/^\d/.test(version)) continue;
    const entry = { dev: parent.dev, optional: true, peer: parent.peer, ...platformOf(name) };
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
