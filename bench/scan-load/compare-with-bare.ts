/** Requests for each second of the server's processor time, against a bare server whose answers are as long. */
import { median, numberOption, type Row } from "../measure.ts";
import { type GetLoad, runGets } from "./http-get-load.ts";
import { MeasuredServer } from "./measured-server.ts";

const SAMPLES = 5;
const REQUESTS = numberOption("--requests", 5000);
const CONNECTIONS = 16;

export function describeLoad(): string {
  return (
    `Requests for each second of processor time: ${CONNECTIONS} connections, medians of ${SAMPLES} rounds of ` +
    `${REQUESTS.toLocaleString("en-US")} requests in turns\nwith the floor, a bare node:http server whose fixed bodies are as long.`
  );
}

/** A server under load, and its processor time so far in microseconds. */
export interface Loaded extends Pick<GetLoad, "port" | "token"> {
  readonly processorTime: () => number | Promise<number>;
}

export interface Compared {
  readonly what: string;
  readonly status: number;
  /** The least ratio. */
  readonly target?: number;
  readonly server: Loaded;
  readonly next: () => string;
}

/** At most ten, because a path at the bare server begins with one digit. */
export async function compareWithBare(all: readonly Compared[]): Promise<readonly Row[]> {
  const lengths = await Promise.all(all.map(lengthOf));
  const answers = all.map(({ status }, i) => `${status}:${lengths[i]}`);
  const bare = await MeasuredServer.start("serve-fixed.ts", answers);
  try {
    const rows: Row[] = [];
    for (const [i, each] of all.entries()) rows.push(await compare(each, bare, i));
    return rows;
  } finally {
    bare.stop();
  }
}

async function compare(compared: Compared, bare: MeasuredServer, place: number): Promise<Row> {
  const { what, server, status, next, target } = compared;
  const rates: { measured: number; floor: number }[] = [];
  // The first round is longer, fills caches and is not counted; the two servers take turns.
  for (let i = 0; i <= SAMPLES; i++) {
    const requests = i === 0 ? SAMPLES * REQUESTS : REQUESTS;
    const paths = Array.from({ length: requests }, next);
    const load = { connections: CONNECTIONS, requests, status };
    const floor = await rateOf(bare, { ...load, port: bare.port, path: (n) => `/${place}${paths[n]}` });
    const { port, token } = server;
    const measured = await rateOf(server, {
      ...{ ...load, port, path: (n: number) => paths[n] ?? "" },
      ...(token === undefined ? {} : { token }),
    });
    if (i > 0) rates.push({ measured, floor });
  }
  const value = median(rates.map(({ measured }) => measured));
  const floor = median(rates.map((both) => both.floor));
  const judged = target === undefined ? {} : { target: `≥ ${target} ×`, met: value / floor >= target };
  return { what, value, unit: "/s", floor, ...judged };
}

async function rateOf(server: Pick<Loaded, "processorTime">, load: GetLoad): Promise<number> {
  const before = await server.processorTime();
  await runGets(load);
  return load.requests / (((await server.processorTime()) - before) / 1e6);
}

async function lengthOf({ server: { port, token }, next }: Compared): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${next()}`, {
    headers: { ...headers, "accept-encoding": "identity" },
  });
  return (await answer.arrayBuffer()).byteLength;
}
