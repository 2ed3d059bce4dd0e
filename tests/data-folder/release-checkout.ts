/** The program of an earlier release, taken from the repository's history, on the dependencies of the present one. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The release's command; null if this clone's history does not reach back to the commit. */
export function checkOut(commit: string, folder: string): string | null {
  const archive = spawnSync("git", ["archive", "--format=tar", commit, "packages"], {
    ...{ cwd: root, maxBuffer: 1e9 },
  });
  if (archive.status !== 0) return null;
  const unpacked = spawnSync("tar", ["-x"], { cwd: folder, input: archive.stdout });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  const [ours, theirs] = [join(root, "node_modules"), join(folder, "node_modules")];
  mkdirSync(join(theirs, "@callsign"), { recursive: true });
  for (const name of readdirSync(ours))
    if (!/^(@callsign|callsign|\..*)$/.test(name)) symlinkSync(join(ours, name), join(theirs, name));
  for (const name of readdirSync(join(folder, "packages")))
    symlinkSync(join(folder, "packages", name), join(theirs, "@callsign", name));
  return join(folder, "packages/cli/src/main.ts");
}
