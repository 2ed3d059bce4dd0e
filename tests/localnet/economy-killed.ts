/**
 * An economy on a network whose process is killed by SIGKILL again and again, in the middle of payments and rounds.
 * What was acknowledged must have happened, what was not may have happened once; and the log that all kills left
 * stands before the auditor.
 */

import { SqliteLog } from "@callsign/synchronizer";
import { createClient } from "../../packages/api/src/client.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { logPath } from "../../packages/localnet/src/data-folder.ts";
import { Random } from "../support/random.ts";
import { auditLog } from "./audit-log.ts";
import {
  compareCoins,
  compareDeeds,
  compareOwners,
  compareRewards,
  listStuck,
  readCoins,
  readRewards,
} from "./economy-checks.ts";
import { Deeds, People, type Person, type ReachableNetwork } from "./economy-people.ts";
import { KillableNetwork } from "./killable-network.ts";

const TICK_SECONDS = 600;

/** After the last kill people go on for so many rounds, so that what they earned is minted and counted. */
const CALM_ROUNDS = 5;

export async function runKilledEconomy(options: {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}): Promise<{ readonly problems: readonly string[]; readonly deeds: Deeds }> {
  const { folder, kills } = options;
  const random = new Random(options.seed);
  const deeds = new Deeds();
  for (let kill = 0; kill < kills; kill++) {
    const network = await KillableNetwork.start(folder);
    const killed = new AbortController();
    const working = workUntilKilled(network, deeds, killed.signal);
    await new Promise((resolve) => setTimeout(resolve, 200 + random.below(4000)));
    killed.abort();
    await network.kill();
    await working;
  }
  const { wrongOwners, shown, said } = await goOnInPeace(folder, deeds);
  const log = new SqliteLog(logPath(folder));
  const audit = await auditLog(log).finally(() => log.close());
  const problems = [
    ...wrongOwners,
    ...compareDeeds(deeds, audit),
    ...compareCoins(shown, audit),
    ...compareRewards(said, audit),
    ...listStuck(audit),
  ];
  return { problems, deeds };
}

/** Nobody kills the network any more; what people and scans say then. */
async function goOnInPeace(folder: string, deeds: Deeds) {
  const network = await KillableNetwork.start(folder);
  try {
    const reachable = reach(network);
    const people = new People(reachable, deeds);
    await people.begin();
    for (let round = 0; round < CALM_ROUNDS; round++) {
      await people.act();
      await passTick(network);
    }
    await people.finish();
    return {
      wrongOwners: await compareOwners(reachable, people),
      shown: await readCoins(people),
      said: await readRewards(reachable),
    };
  } finally {
    await network.stop();
  }
}

async function workUntilKilled(network: KillableNetwork, deeds: Deeds, killed: AbortSignal): Promise<void> {
  try {
    const people = new People(reach(network), deeds);
    await people.begin();
    while (!killed.aborted) {
      await people.act();
      await passTick(network);
    }
  } catch (error) {
    if (!killed.aborted) throw error;
  }
}

async function passTick({ addresses }: KillableNetwork): Promise<void> {
  const client = createClient(localNetworkApi, { fetch, baseUrl: addresses.developmentUrl });
  await client.moveClock({ body: { forwardSeconds: TICK_SECONDS } });
}

function reach(network: KillableNetwork): ReachableNetwork {
  const { nodes } = network.addresses;
  const placeOf = (person: Person) => nodes.findIndex(({ name }) => name === person);
  return {
    validator: (person) => network.validator(placeOf(person)),
    ledger: (person) => {
      const { ledgerUrl, token } = nodes[placeOf(person)] ?? { ledgerUrl: "", token: "" };
      return createClient(ledgerApi, { fetch, baseUrl: ledgerUrl, token: () => token });
    },
    scan: (place) => network.scan(place),
    settle: () => network.settle(),
  };
}
