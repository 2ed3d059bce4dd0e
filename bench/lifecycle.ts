/**
 * How long a name takes on a quiet local network with four SVs: from the request over HTTP, through acceptance, until
 * a scan answers it. The network runs in a process of its own. The floor is the same number of calls that change
 * nothing, one after the other, to the same servers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, HttpError, scanApi, validatorApi } from "../packages/api/src/index.ts";
import { median, percentile, report } from "./measure.ts";
import { RunningNetwork } from "./network-load/running-network.ts";

const NAMES = 200;
const WARM_UP = 30;

const folder = mkdtempSync(join(tmpdir(), "callsign-lifecycle-"));
const network = await RunningNetwork.start(folder);
const { description } = network;
const [node] = description.nodes;
const [sv] = description.svs;
if (node === undefined || sv === undefined) throw new Error("the network has no node");
const validator = createClient(validatorApi, {
  fetch,
  baseUrl: `${node.validatorUrl}/api/validator`,
  token: () => node.token,
});
const scan = createClient(scanApi, { fetch, baseUrl: `${sv.scanUrl}/api/scan` });

interface Times {
  readonly request: number;
  readonly accept: number;
  /** From the acknowledged payment until the name is found. */
  readonly live: number;
}

async function register(chosen: string): Promise<Times> {
  const began = performance.now();
  const body = { name: chosen, url: "", description: "" };
  const { name, subscriptionRequestCid } = await validator.createAnsEntry({ body });
  const requested = performance.now();
  await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  const accepted = performance.now();
  while (!(await isLive(name)));
  return { request: requested - began, accept: accepted - requested, live: performance.now() - accepted };
}

async function isLive(name: string): Promise<boolean> {
  try {
    await scan.lookupAnsEntryByName({ params: { name } });
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return false;
    throw error;
  }
}

async function floorOf(): Promise<number> {
  const began = performance.now();
  await validator.userStatus();
  await validator.userStatus();
  await scan.getDsoPartyId();
  return performance.now() - began;
}

const times: Times[] = [];
const floors: number[] = [];
try {
  await validator.tap({ body: { amount: `${NAMES + WARM_UP + 10}` } });
  for (let i = 0; i < NAMES + WARM_UP; i++) {
    const taken = await register(`name-${i}`);
    const floor = await floorOf();
    if (i < WARM_UP) continue;
    times.push(taken);
    floors.push(floor);
  }
} finally {
  await network.stop();
  rmSync(folder, { recursive: true, force: true });
}

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
  ],
  [
    `${NAMES} names one after the other, after ${WARM_UP} to warm up; the network has four SVs and a process of its own.`,
  ],
);
