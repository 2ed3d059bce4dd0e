/**
 * How long `npm start` takes on an installed checkout until every endpoint of the local network answers, and how much
 * memory its process then has: on an empty folder, and again on the data of the first run. The floor is a process
 * that loads the same packages and does nothing. And how long that network takes to save a snapshot and to restore it; the
 * floor of a restore is the second start.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, localNetworkApi } from "../packages/api/src/index.ts";
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

interface Snapshot {
  readonly saveSeconds: number;
  readonly restoreSeconds: number;
}

/** Saves a snapshot of a running network, and restores it. The first restore warms up. */
async function snapshot(folder: string): Promise<Snapshot> {
  const network = await RunningNetwork.start(folder);
  const { developmentUrl: baseUrl } = network.description;
  const development = createClient(localNetworkApi, { fetch, baseUrl });
  const time = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return (performance.now() - began) / 1000;
  };
  const saveSeconds = await time(() => development.saveSnapshot({ body: { name: "measured" } }));
  const restore = () => development.restoreSnapshot({ params: { name: "measured" } });
  await restore();
  const restoreSeconds = await time(restore);
  await network.stop();
  return { saveSeconds, restoreSeconds };
}

async function load(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, INDEX], { stdio: "ignore" });
  await new Promise<void>((resolve) => child.once("close", () => resolve()));
  return (performance.now() - began) / 1000;
}

const first: Start[] = [];
const again: Start[] = [];
const snapshots: Snapshot[] = [];
const floor: number[] = [];
for (let i = 0; i < SAMPLES; i++) {
  const folder = mkdtempSync(join(tmpdir(), "callsign-start-"));
  first.push(await start(folder));
  again.push(await start(folder));
  snapshots.push(await snapshot(folder));
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
      target: "≤ 200",
      met: megabytes <= 200,
    },
  ];
};

const restoreSeconds = median(snapshots.map((each) => each.restoreSeconds));
const snapshotRows: readonly Row[] = [
  {
    what: "snapshot, restored: until every endpoint answers",
    value: restoreSeconds,
    unit: "s",
    floor: median(again.map(({ seconds }) => seconds)),
    target: "≤ 1",
    met: restoreSeconds <= 1,
  },
  {
    what: "snapshot, saved: until it is on disk",
    value: median(snapshots.map((each) => each.saveSeconds)),
    unit: "s",
  },
];

report(
  "start",
  [...rowsOf("empty folder", first), ...rowsOf("second start", again), ...snapshotRows],
  [`Medians of ${SAMPLES}. Resident memory as the system counts it for the whole process (Linux).`],
);
