/** Scan's lookups over names made in bulk. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberOption, type Section } from "../measure.ts";
import { compareWithBare, describeLoad } from "./compare-with-bare.ts";
import { listLookups } from "./lookups.ts";
import { MeasuredServer } from "./measured-server.ts";

const NAMES = numberOption("--names", 100_000);

export async function measureLookups(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
  const server = await MeasuredServer.start("serve-names.ts", [join(folder, "names.db"), NAMES]);
  try {
    const rows = await compareWithBare(listLookups(NAMES).map((lookup) => ({ ...lookup, server })));
    return { rows, note: `Lookups among ${NAMES.toLocaleString("en-US")} names. ${describeLoad()}` };
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
