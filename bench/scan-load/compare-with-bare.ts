/** The server's processor time of a request, against a bare server whose answers are as long. */
import { median, numberOption, type Row } from "../measure.ts";
import { type GetLoad, runGets } from "./http-get-load.ts";
import { MeasuredServer } from "./measured-server.ts";

const SAMPLES = 5;
export const REQUESTS = numberOption("--requests", 5000);
export const CONNECTIONS = 16;

export function describeRounds(samples = SAMPLES): string {
  return (
    `${CONNECTIONS} connections, medians of ${samples} rounds of ` +
    `${REQUESTS.toLocaleString("en-US")} requests in turns\nwith the floor`
  );
}

/** A server under load, and its processor time so far in microseconds. */
export interface Loaded extends Pick<GetLoad, "port" | "token"> {
  readonly processorTime: () => number | Promise<number>;
}

export interface Request {
  readonly what: string;
  readonly status: number;
  readonly next: () => string;
}

export interface Compared extends Request {
  readonly server: Loaded;
  /** The call's own work without HTTP; none if omitted. It takes turns with the servers. */
  readonly ownWork?: () => unknown;
}

/** Microseconds of processor time of a request: medians. */
export interface Times {
  readonly measured: number;
  readonly floor: number;
  /** Of the call's own work. */
  readonly own: number;
}

/** At most ten, because a path at the bare server begins with one digit. */
export async function compareWithBare<T extends Compared>(
  all: readonly T[],
  rowOf: (compared: T, times: Times) => Row,
): Promise<readonly Row[]> {
  const lengths = await Promise.all(all.map(lengthOf));
  const answers = all.map(({ status }, i) => `${status}:${lengths[i]}`);
  const bare = await MeasuredServer.start("serve-fixed.ts", answers);
  try {
    const rows: Row[] = [];
    for (const [i, each] of all.entries()) rows.push(rowOf(each, await compare(each, bare, i)));
    return rows;
  } finally {
    bare.stop();
  }
}

async function compare(compared: Compared, bare: MeasuredServer, place: number): Promise<Times> {
  const { server, status, next, ownWork } = compared;
  const all: Times[] = [];
  // The first round is longer, fills caches and is not counted; the two servers take turns.
  for (let i = 0; i <= SAMPLES; i++) {
    const requests = i === 0 ? SAMPLES * REQUESTS : REQUESTS;
    const paths = Array.from({ length: requests }, next);
    const load = { connections: CONNECTIONS, requests, status };
    const floor = await timeOfRequest(bare, {
      ...{ ...load, port: bare.port, path: (n: number) => `/${place}${paths[n]}` },
    });
    const { port, token } = server;
    const measured = await timeOfRequest(server, {
      ...{ ...load, port, path: (n: number) => paths[n] ?? "" },
      ...(token === undefined ? {} : { token }),
    });
    const own = ownWork === undefined ? 0 : await timeOfWork(ownWork, requests);
    if (i > 0) all.push({ measured, floor, own });
  }
  const middle = (of: keyof Times) => median(all.map((times) => times[of]));
  return { measured: middle("measured"), floor: middle("floor"), own: middle("own") };
}

/** Microseconds of the server's processor time that a request of the load takes. */
export async function timeOfRequest(server: Pick<Loaded, "processorTime">, load: GetLoad): Promise<number> {
  const before = await server.processorTime();
  await runGets(load);
  return ((await server.processorTime()) - before) / load.requests;
}

/** Microseconds of this process's processor time that the work takes once. */
async function timeOfWork(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function lengthOf({ server, next }: Compared): Promise<number> {
  return Buffer.byteLength(await readOnce(server, next()));
}

/** The body of one answer, not compressed. */
export async function readOnce({ port, token }: Loaded, path: string): Promise<string> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...headers, "accept-encoding": "identity" },
  });
  return await answer.text();
}
