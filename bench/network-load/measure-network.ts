/** Throughput of the whole local network: users submit transactions at all three participants at once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, ledgerApi } from "../../packages/api/src/index.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { RunningNetwork } from "./running-network.ts";
import { type Ledger, submitUntilStopped } from "./submit-until-stopped.ts";

const SECONDS = 10;
const WARM_UP_SECONDS = 4;
const AT_ONCE = 32;

/** Acknowledged transactions a second. */
export async function measureNetwork(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-network-"));
  const network = await RunningNetwork.start(folder);
  try {
    return await measureCapacity(network);
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureCapacity(network: RunningNetwork): Promise<number> {
  const progress = { stopped: false, done: 0 };
  const ledgers = openLedgers(network);
  const work = Array.from({ length: AT_ONCE }, (_, i) =>
    submitUntilStopped(ledgers[i % ledgers.length] as Ledger, progress),
  );
  await sleep(WARM_UP_SECONDS);
  const before = progress.done;
  const began = performance.now();
  await sleep(SECONDS);
  const rate = (progress.done - before) / ((performance.now() - began) / 1000);
  progress.stopped = true;
  await Promise.all(work);
  return rate;
}

/** A client of each participant. Users share the cores with the network: they should cost it little. */
export function openLedgers(
  { description }: RunningNetwork,
  openFetch = () => systemHost.http.openClient().fetch,
): readonly Ledger[] {
  return description.nodes.map(({ ledgerUrl: baseUrl }) =>
    createClient(ledgerApi, { fetch: openFetch(), baseUrl, token: () => description.serviceToken }),
  );
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
