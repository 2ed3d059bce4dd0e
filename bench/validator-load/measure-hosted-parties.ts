/**
 * A validator with many wallets that rest, in a local network of its own process: its start until every endpoint answers,
 * its memory, and its processor time while nobody does anything. The floor is the same network with three wallets.
 * `--parties=1000` takes fewer.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberOption, type Row, type Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { onboardUsers } from "./onboard-users.ts";

const PARTIES = 10_000;
const AT_ONCE = 16;
const SETTLE_SECONDS = 30;
const REST_SECONDS = 30;
const MAX_MEGABYTES = 150;
const MAX_PERCENT = 1;
const MAX_START_SECONDS = 10;

interface Rest {
  readonly startSeconds: number;
  readonly megabytes: number;
  /** Of one core. */
  readonly percent: number;
}

export async function measureHostedParties(): Promise<Section> {
  const count = numberOption("--parties", PARTIES);
  const folder = mkdtempSync(join(tmpdir(), "callsign-hosted-"));
  try {
    const first = await RunningNetwork.start(folder);
    await first.stop();
    const floor = await rest(folder);
    const onboarding = await onboard(folder, count);
    const full = await rest(folder);
    return { rows: rowsOf(count, full, floor, onboarding), note: NOTE };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts on the folder's data, and waits until the work that a start leaves is done. */
async function rest(folder: string): Promise<Rest> {
  const began = performance.now();
  const network = await RunningNetwork.start(folder);
  const startSeconds = (performance.now() - began) / 1000;
  await sleep(SETTLE_SECONDS);
  const before = { processor: processorTimeOf(network.pid), at: performance.now() };
  await sleep(REST_SECONDS);
  const processor = processorTimeOf(network.pid) - before.processor;
  const percent = processor / 10 / (performance.now() - before.at);
  const megabytes = residentMegabytes(network.pid);
  await network.stop();
  return { startSeconds, megabytes, percent };
}

/** Milliseconds of processor time for each user. */
async function onboard(folder: string, count: number): Promise<number> {
  const network = await RunningNetwork.start(folder);
  const [node] = network.description.nodes;
  if (node === undefined) throw new Error("the network has no node");
  const before = processorTimeOf(network.pid);
  await onboardUsers({ validatorUrl: node.validatorUrl, from: 0, count, atOnce: AT_ONCE });
  const milliseconds = (processorTimeOf(network.pid) - before) / count / 1000;
  // The wallets' rights are granted behind the answers.
  await sleep(SETTLE_SECONDS);
  await network.stop();
  return milliseconds;
}

function residentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

function rowsOf(count: number, full: Rest, floor: Rest, onboarding: number): readonly Row[] {
  const of = `${count.toLocaleString("en-US")} hosted parties`;
  const more = full.megabytes - floor.megabytes;
  return [
    {
      ...{ what: `${of}: start`, value: full.startSeconds, unit: "s", floor: floor.startSeconds },
      ...{ target: `≤ ${MAX_START_SECONDS}`, met: full.startSeconds <= MAX_START_SECONDS },
    },
    {
      ...{ what: `${of}: resident memory`, value: full.megabytes, unit: "MB", floor: floor.megabytes },
      ...{ target: `≤ ${MAX_MEGABYTES} more`, met: more <= MAX_MEGABYTES },
    },
    {
      ...{ what: `${of}: processor at rest`, value: full.percent, unit: "%", floor: floor.percent },
      // The other roles of the network are never wholly at rest.
      ...{ target: `≤ ${MAX_PERCENT} more`, met: full.percent - floor.percent <= MAX_PERCENT },
    },
    { what: `${of}: processor time of each onboarding`, value: onboarding, unit: "ms" },
  ];
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const NOTE =
  "Hosted parties: wallets of one validator, onboarded over HTTP; the process has the whole network, with four SVs and three\n" +
  `validators. Memory and processor after ${SETTLE_SECONDS} s, the processor over ${REST_SECONDS} s and as a share of one core.`;
