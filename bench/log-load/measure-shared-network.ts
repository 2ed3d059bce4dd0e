/**
 * A network of three SVs on a shared log: its throughput, and the processor time of an SV at rest. On NATS and PostgreSQL each SV is a
 * process; on SQLite all three are one. A participant and a validator have processes of their own. All of them, the log's servers
 * and the submitters share the cores.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SharedLogNetwork } from "../../tests/operator/shared-log-network.ts";
import { machineAt } from "../../tests/support/machines.ts";
import type { Row } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { submitUntilStopped } from "../network-load/submit-until-stopped.ts";

const SETTLE_SECONDS = 5;
const REST_SECONDS = 20;
const WARM_UP_SECONDS = 5;
const SECONDS = 20;
const SUBMITTERS = 32;

export async function measureSharedNetwork(name: string, log: object): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-bench-network-"));
  const net = randomInt(16, 200);
  const network = new SharedLogNetwork({
    folder,
    logOf: () => log,
    machineOf: (number) => machineAt(`127.0.${net}.${number}`),
  });
  process.once("exit", () => void network.kill());
  try {
    const svs = await start(network, log);
    await sleep(SETTLE_SECONDS);
    const rest = await measureRest(svs.flatMap(({ processId }) => processId ?? []));
    const rate = await measureThroughput(network);
    return [
      { what: `${name}, submissions through three SVs, ${SUBMITTERS} in flight`, value: rate, unit: "/s" },
      { what: `${name}, processor of a process of SVs at rest`, value: rest, unit: "%" },
    ];
  } finally {
    await network.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the processes of SVs when all are ready. */
async function start(network: SharedLogNetwork, log: object) {
  const isOwn = "kind" in log && log.kind === "sqlite";
  const svs = isOwn ? network.svs.slice(0, 1) : network.svs;
  const [first] = svs;
  if (first === undefined) throw new Error("there is no SV");
  if (isOwn) first.change({ svs: SharedLogNetwork.ALL_SVS });
  else await network.succeed(first, ...(await network.sign()));
  const all = [...svs, network.participant, network.validator];
  for (const each of all) each.start();
  for (const each of all) await each.ready(fetch);
  return svs;
}

/** Percent of a core that each process takes, on average. */
async function measureRest(pids: readonly number[]): Promise<number> {
  const used = () => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  const [before, began] = [used(), performance.now()];
  await sleep(REST_SECONDS);
  return ((used() - before) / ((performance.now() - began) * 1000) / pids.length) * 100;
}

async function measureThroughput(network: SharedLogNetwork): Promise<number> {
  const progress = { stopped: false, done: 0 };
  const work = Array.from({ length: SUBMITTERS }, () => submitUntilStopped(network.ledger(), progress));
  await sleep(WARM_UP_SECONDS);
  const [before, began] = [progress.done, performance.now()];
  await sleep(SECONDS);
  const rate = (progress.done - before) / ((performance.now() - began) / 1000);
  progress.stopped = true;
  await Promise.all(work);
  return rate;
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
