import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./at-end.ts";

/** A folder that is deleted at the end of the test, with the log that a local network may have written beside it. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "callsign-"));
  atEnd(() => {
    for (const path of [folder, `${folder}.log`]) rmSync(path, { recursive: true, force: true });
  });
  return folder;
}
