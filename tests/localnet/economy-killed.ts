/**
 * An economy on a network whose process is killed by SIGKILL again and again, in the middle of payments and rounds.
 * Acknowledged calls must have happened, others may have happened once; and the log that all kills left
 * stands before the auditor.
 */

import { systemHost } from "@callsign/node";
import { SqliteLog } from "@callsign/synchronizer";
import { logPath } from "../../packages/localnet/src/data-folder.ts";
import { LocalNetworkProcess } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";
import { auditLog } from "./audit-log.ts";
import {
  compareCoins,
  compareDeeds,
  compareHistories,
  compareOwners,
  compareRewards,
  listStuck,
  readCoins,
  readRewards,
} from "./economy-checks.ts";
import { Deeds, People } from "./economy-people.ts";

const TICK_SECONDS = 600;

/** People go on for so many rounds after the last kill, until their rewards are minted and counted. */
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
    const network = await LocalNetworkProcess.start(folder);
    const killed = new AbortController();
    const working = workUntilKilled(network, deeds, killed.signal);
    await network.calls(1 + random.below(200));
    killed.abort();
    await network.kill();
    await working;
  }
  const { wrongOwners, wrongHistories, shown, said } = await goOnInPeace(folder, deeds);
  const log = new SqliteLog(logPath(folder), systemHost);
  const audit = await auditLog(log).finally(() => log.close());
  const problems = [
    ...wrongOwners,
    ...wrongHistories,
    ...compareDeeds(deeds, audit),
    ...compareCoins(shown, audit),
    ...compareRewards(said, audit),
    ...listStuck(audit),
  ];
  return { problems, deeds };
}

/** The answers of people and scans after the last kill. */
async function goOnInPeace(folder: string, deeds: Deeds) {
  const network = await LocalNetworkProcess.start(folder);
  try {
    const people = new People(network, deeds);
    await people.begin();
    for (let round = 0; round < CALM_ROUNDS; round++) {
      await people.act();
      await network.moveClock(TICK_SECONDS);
    }
    await people.finish();
    return {
      wrongOwners: await compareOwners(network, people),
      shown: await readCoins(people),
      said: await readRewards(network),
      wrongHistories: await compareHistories(network),
    };
  } finally {
    await network.stop();
  }
}

async function workUntilKilled(
  network: LocalNetworkProcess,
  deeds: Deeds,
  killed: AbortSignal,
): Promise<void> {
  try {
    const people = new People(network, deeds);
    await people.begin();
    while (!killed.aborted) {
      await people.act();
      await network.moveClock(TICK_SECONDS);
    }
  } catch (error) {
    if (!killed.aborted) throw error;
  }
}
