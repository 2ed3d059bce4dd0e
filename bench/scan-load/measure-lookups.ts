/** Scan's lookups over names made in bulk: requests for each second of processor time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberOption, type Row, type Section } from "../measure.ts";
import { compareWithBare, describeRounds, type Times } from "./compare-with-bare.ts";
import { type Lookup, listLookups } from "./lookups.ts";
import { MeasuredServer } from "./measured-server.ts";

const NAMES = numberOption("--names", 100_000);

export async function measureLookups(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
  const server = await MeasuredServer.start("serve-names.ts", [join(folder, "names.db"), NAMES]);
  try {
    const compared = listLookups(NAMES).map((lookup) => ({ ...lookup, server }));
    return { rows: await compareWithBare(compared, rowOf), note: describe() };
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf({ what, target }: Lookup, times: Times): Row {
  const [value, floor] = [1e6 / times.measured, 1e6 / times.floor];
  return { what, value, unit: "/s", floor, target: `≥ ${target} ×`, met: value / floor >= target };
}

function describe(): string {
  return (
    `Lookups among ${NAMES.toLocaleString("en-US")} names. Requests for each second of processor time: ` +
    `${describeRounds()}, a bare node:http server whose fixed bodies are as long.`
  );
}
