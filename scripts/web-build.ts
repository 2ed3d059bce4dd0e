/**
 * The build of the web application, in packages/web/dist. It is made again when one of its sources has changed: their hash
 * stands in .cache. Vite runs in a process of its own, and the new files take the place of the old ones at once.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const root = join(import.meta.dirname, "..");
const web = join(root, "packages/web");
const built = join(web, "dist");
const stamp = join(root, ".cache/web-hash");

/** Pages import types and the rules of names from the packages below. */
const SOURCES = [
  ...["package-lock.json", "scripts/web-build.ts", "tsconfig.json"],
  ...["packages/web/index.html", "packages/web/package.json", "packages/web/vite.config.ts"],
  ...["packages/web/public", "packages/web/src", "packages/api/src", "packages/ledger/src"],
];

export interface WebBuild {
  /** Null if the application is built; otherwise the reason, and the output of the build. */
  readonly failure: string | null;
}

/** Builds the application if it is not there, or not of these sources. */
export async function buildWebApplication(tell: (line: string) => void): Promise<WebBuild> {
  const hash = hashSources();
  if (existsSync(join(built, "index.html")) && read(stamp) === hash) return { failure: null };
  const began = performance.now();
  tell("Building the web application, once for these sources ...");
  const fresh = join(root, ".cache", `web-${process.pid}`);
  try {
    await runVite(fresh);
    await compress(fresh);
    rmSync(stamp, { force: true });
    rmSync(built, { recursive: true, force: true });
    renameSync(fresh, built);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
    tell(`The web application is built, after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    return { failure: null };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(listFiles))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

function listFiles(source: string): readonly string[] {
  const place = join(root, source);
  if (!existsSync(place)) return [];
  const names = source.includes(".") ? null : readdirSync(place, { recursive: true, withFileTypes: true });
  if (names === null) return [source];
  return names
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

async function runVite(target: string): Promise<void> {
  const args = [join(root, "node_modules/vite/bin/vite.js"), "build", "--outDir", target, "--emptyOutDir"];
  // A test or a shell that is set up for development builds the application of production as well.
  const env = { ...process.env, NODE_ENV: "production" };
  const child = spawn(process.execPath, args, { cwd: web, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code !== 0) throw new Error(`vite build ended with ${code}:\n${output.trimEnd()}`);
}

/** The compressed files stand beside the others, for servers to choose. */
async function compress(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const entry of entries.filter(
    (each) => each.isFile() && /\.(html|js|css|svg|json|txt)$/.test(each.name),
  )) {
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path), { params }));
  }
}

function read(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
