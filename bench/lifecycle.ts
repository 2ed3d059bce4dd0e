/**
 * How long a name takes on a quiet local network with four SVs: from the request over HTTP, through acceptance, until
 * a scan answers it; and what it costs: processor time, bytes written, bytes kept. The network runs in a process of its own.
 * The floor is the same number of calls that change nothing, one after the other, to the same servers.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient, HttpError, scanApi, validatorApi } from "../packages/api/src/index.ts";
import { median, percentile, report } from "./measure.ts";
import { processorTimeOf } from "./network-load/process-time.ts";
import { RunningNetwork } from "./network-load/running-network.ts";
import { writtenBytesOf } from "./network-load/written-bytes.ts";

const NAMES = 200;
const WARM_UP = 30;

const folder = mkdtempSync(join(tmpdir(), "callsign-lifecycle-"));

async function connect() {
  const network = await RunningNetwork.start(folder);
  const { nodes, svs } = network.description;
  const [[node], [sv]] = [nodes, svs];
  if (node === undefined || sv === undefined) throw new Error("the network has no node");
  const baseUrl = `${node.validatorUrl}/api/validator`;
  const validator = createClient(validatorApi, { fetch, baseUrl, token: () => node.token });
  const scan = createClient(scanApi, { fetch, baseUrl: `${sv.scanUrl}/api/scan` });
  return { network, validator, scan };
}

type Connected = Awaited<ReturnType<typeof connect>>;

interface Times {
  readonly request: number;
  readonly accept: number;
  /** From the acknowledged payment until the name is found. */
  readonly live: number;
}

async function register({ validator, scan }: Connected, chosen: string): Promise<Times> {
  const began = performance.now();
  const body = { name: chosen, url: "", description: "" };
  const { name, subscriptionRequestCid } = await validator.createAnsEntry({ body });
  const requested = performance.now();
  await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  const accepted = performance.now();
  while (!(await isLive(scan, name)));
  return { request: requested - began, accept: accepted - requested, live: performance.now() - accepted };
}

async function isLive(scan: Connected["scan"], name: string): Promise<boolean> {
  try {
    await scan.lookupAnsEntryByName({ params: { name } });
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return false;
    throw error;
  }
}

async function floorOf({ validator, scan }: Connected): Promise<number> {
  const began = performance.now();
  await validator.userStatus();
  await validator.userStatus();
  await scan.getDsoPartyId();
  return performance.now() - began;
}

/** Names, one after the other, in a network that stops behind them. */
async function registerAll(names: number, prefix: string) {
  const connected = await connect();
  const { network, validator } = connected;
  const [times, floors]: [Times[], number[]] = [[], []];
  try {
    await validator.tap({ body: { amount: `${names + 10}` } });
    const [processor, written] = [processorTimeOf(network.pid), writtenBytesOf(network.pid)];
    for (let i = 0; i < names; i++) times.push(await register(connected, `${prefix}-${i}`));
    const cost = {
      processor: (processorTimeOf(network.pid) - processor) / names,
      written: (writtenBytesOf(network.pid) - written) / names,
    };
    for (let i = 0; i < names; i++) floors.push(await floorOf(connected));
    return { times, floors, ...cost };
  } finally {
    await network.stop();
  }
}

/** The pages that all databases of the network use. */
function keptBytes(): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".db"),
  );
  return files
    .map((name) => {
      const database = new DatabaseSync(join(folder, name), { readOnly: true });
      const read = (pragma: string) =>
        Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
      const bytes = (read("page_count") - read("freelist_count")) * read("page_size");
      database.close();
      return bytes;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
}

async function measure() {
  try {
    await registerAll(WARM_UP, "warm-up");
    const before = keptBytes();
    const measured = await registerAll(NAMES, "name");
    return { ...measured, kept: (keptBytes() - before) / NAMES };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { times, floors, processor, written, kept } = await measure();
const whole = times.map(({ request, accept, live }) => request + accept + live);
const p99 = percentile(whole, 0.99);
report(
  "lifecycle",
  [
    { what: "request → live, p50", value: median(whole), unit: "ms", floor: median(floors) },
    {
      what: "request → live, p99",
      value: p99,
      unit: "ms",
      floor: percentile(floors, 0.99),
      target: "≤ 300",
      met: p99 <= 300,
    },
    { what: "of that: the request, p50", value: median(times.map(({ request }) => request)), unit: "ms" },
    {
      what: "of that: accepting and paying, p50",
      value: median(times.map(({ accept }) => accept)),
      unit: "ms",
    },
    { what: "of that: until a scan finds it, p50", value: median(times.map(({ live }) => live)), unit: "ms" },
    { what: "processor of a registration", value: processor / 1000, unit: "ms" },
    { what: "written a registration", value: written / 1000, unit: "kB" },
    { what: "kept a registration", value: kept / 1000, unit: "kB" },
  ],
  [
    `${NAMES} names one after the other, after ${WARM_UP} to warm up; the network has four SVs and a process of its own.`,
  ],
);
