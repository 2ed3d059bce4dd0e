/**
 * Resident memory of the whole local network, in a process of its own: half a minute after its start, at its most under mixed load, and a minute after.
 * Names are registered, contracts are created and names are looked up, all at once. `--minutes=` says how long.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, scanApi, validatorApi } from "../packages/api/src/index.ts";
import { numberOption, report } from "./measure.ts";
import { openLedgers, sleep } from "./network-load/measure-network.ts";
import { residentMegabytes } from "./network-load/resident-memory.ts";
import { RunningNetwork } from "./network-load/running-network.ts";
import { submitUntilStopped } from "./network-load/submit-until-stopped.ts";

const MINUTES = numberOption("--minutes", 10);
const MOST_AT_REST = 200;
const MOST_AFTER = 300;
const [SUBMITTERS, BUYERS, READERS] = [4, 4, 4];

interface Work {
  stopped: boolean;
  done: number;
  names: number;
  lookups: number;
}

async function buyNames({ description }: RunningNetwork, buyer: number, work: Work): Promise<void> {
  const node = description.nodes[buyer % description.nodes.length];
  if (node === undefined) throw new Error("the network has no node");
  const options = { fetch, baseUrl: `${node.validatorUrl}/api/validator`, token: () => node.token };
  const validator = createClient(validatorApi, options);
  for (let i = 0; !work.stopped; i++) {
    if (i % 100 === 0) await validator.tap({ body: { amount: "1000" } });
    const body = { name: `name-${buyer}-${i}`, url: "", description: "" };
    const { subscriptionRequestCid } = await validator.createAnsEntry({ body });
    await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    work.names++;
  }
}

async function lookUp({ description }: RunningNetwork, reader: number, work: Work): Promise<void> {
  const sv = description.svs[reader % description.svs.length];
  if (sv === undefined) throw new Error("the network has no SV");
  const scan = createClient(scanApi, { fetch, baseUrl: `${sv.scanUrl}/api/scan` });
  while (!work.stopped) {
    await scan.listAnsEntries({ query: { name_prefix: `name-${reader}`, page_size: 20 } });
    work.lookups++;
  }
}

const folder = mkdtempSync(join(tmpdir(), "callsign-memory-"));
const network = await RunningNetwork.start(folder);
try {
  await sleep(30);
  const atRest = residentMegabytes(network.pid);
  const work: Work = { stopped: false, done: 0, names: 0, lookups: 0 };
  const each = <T>(count: number, run: (place: number) => T) =>
    Array.from({ length: count }, (_, i) => run(i));
  const ledgers = openLedgers(network);
  const running = [
    ...each(SUBMITTERS, (i) =>
      submitUntilStopped(ledgers[i % ledgers.length] as (typeof ledgers)[number], work),
    ),
    ...each(BUYERS, (i) => buyNames(network, i, work)),
    ...each(READERS, (i) => lookUp(network, i, work)),
  ];
  let most = 0;
  for (let i = 0; i < MINUTES * 60; i++) {
    await sleep(1);
    most = Math.max(most, residentMegabytes(network.pid));
  }
  work.stopped = true;
  await Promise.all(running);
  await sleep(60);
  const after = residentMegabytes(network.pid);
  report(
    "memory",
    [
      {
        what: "resident at rest",
        ...{ value: atRest, unit: "MB", target: `≤ ${MOST_AT_REST}`, met: atRest <= MOST_AT_REST },
      },
      { what: `at its most in ${MINUTES} minutes of mixed load`, value: most, unit: "MB" },
      {
        what: "a minute after",
        ...{ value: after, unit: "MB", target: `≤ ${MOST_AFTER}`, met: after <= MOST_AFTER },
      },
    ],
    [
      `Meanwhile ${work.names} names were bought, ${work.done} contracts created and ${work.lookups} pages of names read.`,
    ],
  );
} finally {
  await network.stop();
  rmSync(folder, { recursive: true, force: true });
}
