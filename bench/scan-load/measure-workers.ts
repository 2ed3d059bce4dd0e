/** Scan's lookups in one process, and in two workers beside one that writes: the processor time of a request. */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { median, numberOption, type Row, type Section } from "../measure.ts";
import { type GetLoad, runGets } from "./http-get-load.ts";
import { type Lookup, listLookups } from "./lookups.ts";
import { MeasuredServer } from "./measured-server.ts";

const NAMES = numberOption("--names", 100_000);
const REQUESTS = numberOption("--requests", 5000);
const SAMPLES = 5;
const CONNECTIONS = 16;
/** Two workers and the load, which has the second core, need one each before their rate says anything. */
const HAS_CORES = availableParallelism() >= 3;

interface Measured {
  readonly microseconds: number;
  readonly rate: number;
}

export async function measureWorkers(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
  const start = (count: number, cores: string) =>
    MeasuredServer.start("serve-workers.ts", [join(folder, `names-${count}.db`), NAMES, count], cores);
  const [one, two] = [await start(1, "0"), await start(2, HAS_CORES ? "0,2" : "0")];
  try {
    const rows: Row[] = [];
    for (const lookup of listLookups(NAMES)) rows.push(...(await compare(lookup, one, two)));
    return { rows, note: describe() };
  } finally {
    one.stop();
    two.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The servers take turns; the first round is longer, fills caches and is not counted. */
async function compare(lookup: Lookup, one: MeasuredServer, two: MeasuredServer): Promise<readonly Row[]> {
  const measured: { one: Measured; two: Measured }[] = [];
  for (let i = 0; i <= SAMPLES; i++) {
    const requests = i === 0 ? SAMPLES * REQUESTS : REQUESTS;
    const both = {
      one: await measure(one, lookup, { requests, connections: CONNECTIONS }),
      two: await measure(two, lookup, { requests: 2 * requests, connections: 2 * CONNECTIONS }),
    };
    if (i > 0) measured.push(both);
  }
  const of = (which: "one" | "two", figure: keyof Measured) =>
    median(measured.map((both) => both[which][figure]));
  const [value, floor] = [of("two", "microseconds"), of("one", "microseconds")];
  const time: Row = {
    ...{ what: `${lookup.what}, two workers`, value, unit: "µs", floor },
    ...{ target: "≤ 1.15 ×", met: value / floor <= 1.15 },
  };
  if (!HAS_CORES) return [time];
  const [rate, alone] = [of("two", "rate"), of("one", "rate")];
  return [
    time,
    {
      ...{ what: `${lookup.what}, two workers`, value: rate, unit: "/s", floor: alone },
      ...{ target: "≥ 1.7 ×", met: rate / alone >= 1.7 },
    },
  ];
}

async function measure(
  server: MeasuredServer,
  { status, next }: Lookup,
  load: Pick<GetLoad, "requests" | "connections">,
): Promise<Measured> {
  const { requests } = load;
  const paths = Array.from({ length: requests }, next);
  const before = await server.processorTime();
  const path = (i: number) => paths[i] ?? "";
  const rate = await runGets({ ...load, port: server.port, path, status });
  return { microseconds: ((await server.processorTime()) - before) / requests, rate };
}

function describe(): string {
  const names = NAMES.toLocaleString("en-US");
  return (
    `Lookups among ${names} names: processor time of a request, in two workers and the process that writes together. The floor is ` +
    `one process\nthat does both. ${CONNECTIONS} connections to each process, medians of ${SAMPLES} rounds of ${REQUESTS.toLocaleString("en-US")} requests to each in turns. ` +
    "Rates are measured with three cores or more."
  );
}
