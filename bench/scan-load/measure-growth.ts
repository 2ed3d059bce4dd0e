/** Scan's lookups with few names and with many: the processor time of a request. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, numberOption, type Row, type Section } from "../measure.ts";
import { CONNECTIONS, describeRounds, REQUESTS, timeOfRequest } from "./compare-with-bare.ts";
import { type Lookup, listLookups } from "./lookups.ts";
import { MeasuredServer } from "./measured-server.ts";

const FEW = 10_000;
const MANY = numberOption("--names", 1_000_000);
/** More than elsewhere: the two sides are closer to each other than to a bare server. */
const SAMPLES = 11;
/** Many names may cost so much more than few. */
const MOST = 1.3;

interface Side {
  readonly server: MeasuredServer;
  readonly lookups: readonly Lookup[];
}

export async function measureGrowth(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
  const servers: MeasuredServer[] = [];
  const start = async (names: number): Promise<Side> => {
    const server = await MeasuredServer.start("serve-names.ts", [join(folder, `${names}.db`), names]);
    servers.push(server);
    return { server, lookups: listLookups(names) };
  };
  try {
    const [few, many] = [await start(FEW), await start(MANY)];
    const rows: Row[] = [];
    for (const place of few.lookups.keys()) rows.push(await compare(few, many, place));
    return { rows, note: describe() };
  } finally {
    for (const server of servers) server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The servers take turns; the first round is longer, fills caches and is not counted. */
async function compare(few: Side, many: Side, place: number): Promise<Row> {
  const [floors, values]: [number[], number[]] = [[], []];
  for (let i = 0; i <= SAMPLES; i++) {
    const requests = i === 0 ? SAMPLES * REQUESTS : REQUESTS;
    const [floor, value] = [await measure(few, place, requests), await measure(many, place, requests)];
    if (i === 0) continue;
    floors.push(floor);
    values.push(value);
  }
  const [value, floor] = [median(values), median(floors)];
  const what = `${few.lookups[place]?.what}, ${shown(FEW)} → ${shown(MANY)} names`;
  return { what, value, unit: "µs", floor, target: "within 30 %", met: value / floor <= MOST };
}

function measure({ server, lookups }: Side, place: number, requests: number): Promise<number> {
  const { status, next } = lookups[place] as Lookup;
  const paths = Array.from({ length: requests }, next);
  const path = (i: number) => paths[i] ?? "";
  return timeOfRequest(server, { port: server.port, connections: CONNECTIONS, requests, path, status });
}

function describe(): string {
  return (
    `Processor time of a lookup among ${shown(MANY)} names: ${describeRounds(SAMPLES)}, the same lookup among ${shown(FEW)} names. ` +
    "With --names=10000000\nit takes some minutes and 8 GB of disk while it runs."
  );
}

function shown(names: number): string {
  return names.toLocaleString("en-US");
}
