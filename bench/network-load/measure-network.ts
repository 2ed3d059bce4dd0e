/** Throughput of the whole local network: users submit transactions at all three participants at once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, ledgerApi } from "../../packages/api/src/index.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { RunningNetwork } from "./running-network.ts";

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

async function submitAll(
  baseUrl: string,
  { description }: RunningNetwork,
  progress: { stopped: boolean; done: number },
): Promise<void> {
  // The submitters share the cores with the network: they should cost it little.
  const { fetch } = systemHost.http.openClient();
  const ledger = createClient(ledgerApi, { fetch, baseUrl, token: () => description.serviceToken });
  const { partyDetails } = await ledger.allocateParty({
    body: { partyIdHint: "", userId: "ledger-api-user" },
  });
  const party = partyDetails.party;
  const templateId = "#splice-wallet:Splice.Wallet.Install:WalletAppInstall";
  const createArguments = {
    dsoParty: party,
    validatorParty: party,
    endUserName: "load",
    endUserParty: party,
  };
  const commands = [{ CreateCommand: { templateId, createArguments } }];
  for (let i = 0; !progress.stopped; i++) {
    await ledger.submitAndWait({ body: { commands, commandId: `load ${i}`, actAs: [party] } });
    progress.done++;
  }
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
