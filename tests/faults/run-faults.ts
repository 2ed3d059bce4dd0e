/**
 * A network under load and faults from a seed: after the last fault everything heals, and the log, the replicas, the scans and
 * the participant are compared with the answers that clients got.
 */
import { sleep, systemHost } from "@callsign/node";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { Random } from "../support/random.ts";
import { readCheckedLog, readReplicaHeads } from "./check-log.ts";
import { FaultInjector, type Outage } from "./fault-injector.ts";
import { FaultNetwork, type StartEngine } from "./fault-network.ts";
import { type FaultSummary, summarize } from "./fault-summary.ts";
import { type Collected, listProblems, listUnnoticed } from "./findings.ts";
import { LedgerLoad, LOAD_USER } from "./ledger-load.ts";
import { NameBuyers } from "./name-buyers.ts";
import { FAULT_PATIENCE_MILLISECONDS } from "./patience.ts";
import { describeFault, type PlannedFault, planFaults } from "./planned-fault.ts";
import { readCoins, untilPaid } from "./shown-coins.ts";

/** The load runs for so long before the first fault. */
const CALM_MILLISECONDS = 3000;

export interface FaultRun {
  readonly startEngine: StartEngine;
  readonly faults: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface FaultFindings {
  readonly summary: FaultSummary;
  readonly problems: readonly string[];
}

export async function runFaults(
  { startEngine, faults, seed, say }: FaultRun,
  atEnd: AtEnd,
): Promise<FaultFindings> {
  const random = new Random(seed);
  const network = await FaultNetwork.start(startEngine, atEnd);
  const { engine } = network;
  const names = (victims: readonly { readonly name: string }[]) => victims.map(({ name }) => name);
  const field = {
    svs: names(network.svs),
    others: [...names(engine.others), "participant", "validator"],
    nodes: names(engine.nodes),
    canFailOver: engine.failOver !== null,
  };
  const plan = planFaults(faults, field, random);
  const load = await LedgerLoad.prepare(network.network, new Random(seed + 1));
  const buyers = new NameBuyers(network.network);
  await buyers.prepare();
  const began = performance.now();
  load.start();
  buyers.start();
  await sleep(CALM_MILLISECONDS, systemHost);
  const injected = await injectAll(network, plan, say);
  await network.heal();
  const healed = performance.now();
  const goesOn = () =>
    load.records.some(({ sentAt, acknowledgedAt }) => sentAt > healed && acknowledgedAt !== null);
  await until(goesOn, "submissions are acknowledged after the last fault", FAULT_PATIENCE_MILLISECONDS);
  await until(() => buyers.paid.size > 0, "a name is paid for", FAULT_PATIENCE_MILLISECONDS);
  await Promise.all([load.stop(), buyers.stop()]);
  const seconds = (performance.now() - began) / 1000;
  const collected = await collect({ network, load, buyers, outages: injected.outages });
  const entries = collected.log.head.sequence;
  network.keepOutput("faults.json", JSON.stringify(plan, null, 1));
  network.keepOutput("submissions.json", JSON.stringify(load.records));
  const ownEnds = network.processes.reduce((sum, each) => sum + each.ownEnds(), 0);
  return {
    summary: summarize({ engine: engine.kind, seed, plan, seconds, load, buyers, entries, ownEnds }),
    problems: [...injected.problems, ...listProblems(collected), ...listUnnoticed(collected)],
  };
}

interface Checked {
  readonly network: FaultNetwork;
  readonly load: LedgerLoad;
  readonly buyers: NameBuyers;
  readonly outages: readonly Outage[];
}

async function collect({ network, load, buyers, outages }: Checked): Promise<Collected> {
  await load.settle();
  const { network: clients } = network;
  const people = [...buyers.parties.values()];
  await untilPaid(clients.ledger(), people);
  const owners = await buyers.readOwners();
  // It collects rewards by itself, and would do so between this reading of coins and that of the log.
  await network.validator.kill();
  const coins = new Map([
    ...(await readCoins(clients.ledger(LOAD_USER), load.parties)),
    ...(await readCoins(clients.ledger(), people)),
  ]);
  // The replicas are compared where they stand.
  await Promise.all(network.processes.map((each) => each.kill()));
  const log = await readCheckedLog(network.engine, LOAD_USER);
  const replicas = readReplicaHeads(network.places);
  const { records: submissions } = load;
  return { submissions, outages, owners, askers: buyers.askers, coins, replicas, log };
}

/** Resolves when all faults are over. */
async function injectAll(
  network: FaultNetwork,
  plan: readonly PlannedFault[],
  say: (line: string) => void,
): Promise<FaultInjector> {
  const injector = new FaultInjector(network);
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (const fault of plan) {
    await sleep(Math.max(0, began + fault.atMilliseconds - performance.now()), systemHost);
    say(`${new Date().toISOString()} ${describeFault(fault)}`);
    running.push(injector.inject(fault));
  }
  await Promise.all(running);
  return injector;
}
