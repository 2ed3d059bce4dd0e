import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository: its path from the root, with slashes, and its text. */
export interface TrackedFile {
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dirname, "..", "..");

/** Every text file that is in git, or would be after `git add`. */
export function listTrackedFiles(): TrackedFile[] {
  const arguments_ = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = execFileSync("git", arguments_, { cwd: root, encoding: "utf8" });
  return [...new Set(output.split("\0"))]
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter((file) => !file.text.includes("\0"));
}
