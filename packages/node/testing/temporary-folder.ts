import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./at-end.ts";

/** A folder that is deleted at the end of the test. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "callsign-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
