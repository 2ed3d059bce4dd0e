/** Throughput of the whole local network: users submit transactions at all three participants at once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, ledgerApi } from "../../packages/api/src/index.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { RunningNetwork } from "./running-network.ts";
import { type Progress, submitUntilStopped } from "./submit-until-stopped.ts";

const SECONDS = 10;
const WARM_UP_SECONDS = 4;
const SUBMITTERS_PER_NODE = 12;

/** Acknowledged transactions a second. */
export async function measureNetwork(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-network-"));
  const network = await RunningNetwork.start(folder);
  try {
    const progress = { stopped: false, done: 0 };
    const work = network.description.nodes.flatMap(({ ledgerUrl }) =>
      Array.from({ length: SUBMITTERS_PER_NODE }, () => submitAll(ledgerUrl, network, progress)),
    );
    await sleep(WARM_UP_SECONDS);
    const before = progress.done;
    const began = performance.now();
    await sleep(SECONDS);
    const rate = (progress.done - before) / ((performance.now() - began) / 1000);
    progress.stopped = true;
    await Promise.all(work);
    return rate;
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function submitAll(baseUrl: string, { description }: RunningNetwork, progress: Progress): Promise<void> {
  // The submitters share the cores with the network: they should cost it little.
  const { fetch } = systemHost.http.openClient();
  const ledger = createClient(ledgerApi, { fetch, baseUrl, token: () => description.serviceToken });
  return submitUntilStopped(ledger, progress);
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
