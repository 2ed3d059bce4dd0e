/**
 * How long `npm start` takes on an installed checkout until every endpoint of the local network answers, and how much
 * memory its process then has: on an empty folder, and again on the data of the first run. The floor is a process
 * that loads the same packages and does nothing.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Row, report } from "./measure.ts";
import { residentMegabytes } from "./network-load/resident-memory.ts";
import { RunningNetwork } from "./network-load/running-network.ts";

const SAMPLES = 5;
const INDEX = join(import.meta.dirname, "../packages/localnet/src/index.ts");

interface Start {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Runs a network until it says that it is up; then ends it. */
async function start(folder: string): Promise<Start> {
  const began = performance.now();
  const network = await RunningNetwork.start(folder);
  const seconds = (performance.now() - began) / 1000;
  const megabytes = residentMegabytes(network.pid);
  await network.stop();
  return { seconds, megabytes };
}

async function load(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, INDEX], { stdio: "ignore" });
  await new Promise<void>((resolve) => child.once("close", () => resolve()));
  return (performance.now() - began) / 1000;
}

const first: Start[] = [];
const again: Start[] = [];
const floor: number[] = [];
for (let i = 0; i < SAMPLES; i++) {
  const folder = mkdtempSync(join(tmpdir(), "callsign-start-"));
  first.push(await start(folder));
  again.push(await start(folder));
  floor.push(await load());
  rmSync(folder, { recursive: true, force: true });
}

const rowsOf = (what: string, starts: readonly Start[]): readonly Row[] => {
  const seconds = median(starts.map((each) => each.seconds));
  const megabytes = median(starts.map((each) => each.megabytes));
  return [
    {
      what: `${what}: until every endpoint answers`,
      value: seconds,
      unit: "s",
      floor: median(floor),
      target: "≤ 3",
      met: seconds <= 3,
    },
    {
      what: `${what}: resident memory`,
      value: megabytes,
      unit: "MB",
      target: "≤ 300",
      met: megabytes <= 300,
    },
  ];
};

report(
  "start",
  [...rowsOf("empty folder", first), ...rowsOf("second start", again)],
  [`Medians of ${SAMPLES}. Resident memory as the system counts it for the whole process (Linux).`],
);
