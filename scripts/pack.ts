// `npm run -s pack [-- <package>…]`: packages as npm installs them, in dist/.
//
// Node does not erase types inside node_modules. Each package is therefore staged in .cache/packages as JavaScript with
// declarations, with a manifest that leads to them, and packed from there. The web application is packed as it is built.

import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { spawnNpm } from "./fetch-pinned-package.js";
import { listTypePackages, makeManifest, nameJavaScript, type SourceManifest } from "./staged-package.ts";
import { buildWebApplication } from "./web-build.ts";

const root = join(import.meta.dirname, "..");
const staged = join(root, ".cache/packages");

function readManifest(folder: string): SourceManifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The names of the tarballs are the output of this script. */
const SHOWN: SpawnSyncOptions = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };

/** A package of built files, without JavaScript for Node. */
const WEB = "web";

/** The package's folder in .cache/packages, ready to be packed. */
function stage(folder: string): string {
  const [source, target] = [join(root, "packages", folder), join(staged, folder)];
  const files = folder === WEB ? "dist" : "src";
  if (folder === WEB) cpSync(join(source, files), join(target, files), { recursive: true });
  const declarations = readdirSync(target, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => {
      const text = nameJavaScript(readFileSync(join(target, path), "utf8"));
      writeFileSync(join(target, path), text);
      return text;
    });
  const types = listTypePackages(declarations, readManifest(root).devDependencies ?? {});
  const manifest = makeManifest(readManifest(source), types, files);
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync(join(source, "README.md"), "utf8");
  // Links to other files of the repository lead nowhere in a package.
  writeFileSync(join(target, "README.md"), readme.replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, "$1"));
  copyFileSync(join(root, "LICENSE"), join(target, "LICENSE"));
  return target;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string", default: join(root, "dist") } },
});
const folders = new Map(
  readdirSync(join(root, "packages")).map((folder) => [
    readManifest(join(root, "packages", folder)).name,
    folder,
  ]),
);
const wanted = (positionals.length === 0 ? [...folders.keys()] : positionals).map(
  (name) =>
    folders.get(name) ?? fail(`There is no package ${name}. There are: ${[...folders.keys()].join(", ")}`),
);
rmSync(staged, { recursive: true, force: true });
const compiler = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.packages.json"];
if (spawnSync(process.execPath, compiler, SHOWN).status !== 0) fail("The packages could not be compiled.");
const { failure } = await buildWebApplication((line) => process.stderr.write(`${line}\n`));
if (failure !== null) fail(`The web application could not be built: ${failure}`);
mkdirSync(values.to, { recursive: true });
const packing = ["pack", "--silent", "--pack-destination", values.to, ...wanted.map(stage)];
if (spawnNpm(packing, SHOWN).status !== 0) fail("npm could not pack the packages.");
