// A network in use is stopped, migrated and started again under the next id: the SVs' side.

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OpenMiningRound } from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { SV_NAMES } from "../../packages/localnet/src/data-folder.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { type MigratedNetwork, migrateNetwork } from "../../packages/sv/src/migrate-network.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import type { ScanClient } from "../support/network-clients.ts";
import { machineTime, testLog } from "../support/sv-nodes.ts";

const TIMEOUT = { timeout: 120_000 };
const [ALICE, BOB] = ["alice.unverified.cns", "bob.unverified.cns"];
const closing: (() => void | Promise<void>)[] = [];
const dataFolder = join(
  temporaryFolder((close) => closing.push(close)),
  "net",
);

interface Questions {
  readonly parties: readonly string[];
  readonly synchronizerId: string;
  /** The highest round. */
  readonly lastRound: bigint;
}

let questions: Questions;
let before: Awaited<ReturnType<typeof listAnswers>>;
let migrated: MigratedNetwork;
let balances: readonly bigint[];

beforeAll(async () => {
  // A renewal is paid, and the SVs leave it to the next id.
  const world = await LocalNetwork.start({ dataFolder, pausedAutomations: ["collect-renewals"] });
  try {
    for (const [node, name] of [
      ["app-user", "alice"],
      ["app-provider", "bob"],
    ] as const) {
      await world.tap(node, "100");
      await world.buy(node, name);
    }
    for (let i = 0; i < 12; i++) await world.net.moveClock(20n * MINUTE);
    // To the minute after the names can be renewed: the payments are of a round that is still open.
    await world.net.moveClock(60n * DAY - 4n * HOUR + MINUTE);
    await world.settle();
    const [sv] = world.net.svs;
    if (sv === undefined) throw new Error("no SV");
    const rounds = sv.replica.state.database
      .prepare("select max(round) as last from current_contract where template_id = ?")
      .get(OpenMiningRound.id);
    questions = {
      parties: [await world.party("app-user"), await world.party("app-provider")],
      synchronizerId: sv.replica.state.network?.synchronizerId ?? "",
      lastRound: rounds?.["last"] as bigint,
    };
    before = await listAnswers(world.scan(), questions);
    balances = await Promise.all([world.unlocked("app-user"), world.locked("app-user")]);
  } finally {
    await world.close();
  }
  const config = { dataFolder, migrationId: 0n, svs: SV_NAMES, clock: machineTime, log: testLog() };
  migrated = await migrateNetwork(config, systemHost);
}, 300_000);
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Everything that a scan can be asked about the network. */
async function listAnswers(scan: ScanClient, { parties, synchronizerId, lastRound }: Questions) {
  const domain_id = synchronizerId;
  const none = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
  const numbers = Array.from({ length: Number(lastRound) + 1 }, (_, i) => BigInt(i));
  const hosts = await all(parties, (party_id) =>
    scan.getPartyToParticipant({ params: { domain_id, party_id } }),
  );
  const { validator_licenses } = await scan.listValidatorLicenses({ query: { limit: 100 } });
  return {
    byName: await all([ALICE, BOB, "dso.cns", "sv-1.sv.cns", "no.unverified.cns"], (name) =>
      outcomeOf(scan.lookupAnsEntryByName({ params: { name } })),
    ),
    byParty: await all(parties, (party) => scan.lookupAnsEntryByParty({ params: { party } })),
    byPrefix: await all(["", "a", "bo", "zz"], (name_prefix) =>
      scan.listAnsEntries({ query: { name_prefix, page_size: 100 } }),
    ),
    dso: await scan.getDsoPartyId(),
    names: await scan.getAnsRules({ body: {} }),
    coin: await scan.getAmuletRules({ body: {} }),
    rounds: await scan.getOpenAndIssuingMiningRounds({ body: none }),
    validator_licenses,
    hosts,
    traffic: await all(hosts, ({ participant_id: member_id }) =>
      scan.getMemberTrafficStatus({ params: { domain_id, member_id } }),
    ),
    total: await scan.getRewardsCollected(),
    byRound: await all(numbers, (round) => outcomeOf(scan.getRewardsCollected({ query: { round } }))),
    fees: await all(numbers, (round) => outcomeOf(scan.getAmuletConfigForRound({ query: { round } }))),
  };
}

async function all<T, R>(given: readonly T[], ask: (each: T) => Promise<R>): Promise<readonly R[]> {
  const answers: R[] = [];
  for (const each of given) answers.push(await ask(each));
  return answers;
}

test("a migration says what it has carried over", () => {
  expect(migrated).toMatchObject({ migrationId: 1n, logPath: join(dataFolder, "log-1.db") });
  const { counts, signedBy, left } = migrated.carried ?? {};
  expect([signedBy, left?.size]).toEqual([SV_NAMES, 0]);
  expect(counts).toMatchObject({ names: 2, licenses: 3 });
  // Alice's renewal and Bob's are locked: a dollar each, at half a cent.
  expect(counts?.lockedCoin).toBe(decimal("400.0"));
  expect(balances[1]).toBe(decimal("200.0"));
});

test(
  "under the next id every scan answers as before: by name, party and prefix, and in sum",
  TIMEOUT,
  async () => {
    const svs = await startSvsIn({ dataFolder, migrationId: 1n, names: SV_NAMES, isQuiet: true });
    try {
      for (const number of [1, 2, 3, 4])
        expect(await listAnswers(svs.scan(number), questions)).toEqual(before);
      expect(svs.svs.map(({ replica }) => replica.state.network?.migrationId)).toEqual([1n, 1n, 1n, 1n]);
      // There was something to add up.
      expect(decimal(before.total.amount)).toBeGreaterThan(0n);
      expect(before.validator_licenses.length).toBe(3);
    } finally {
      await svs.close();
    }
  },
);

test(
  "under the next id the SVs go on: they collect a renewal, open rounds and publish the id",
  TIMEOUT,
  async () => {
    const svs = await startSvsIn({ dataFolder, migrationId: 1n, names: SV_NAMES });
    try {
      await svs.settle();
      const endOf = async (name: string) => {
        const { entry } = await svs.scan(1).lookupAnsEntryByName({ params: { name } });
        return Date.parse(entry.expires_at ?? "");
      };
      const ends = before.byPrefix[0]?.entries.map(({ expires_at }) => Date.parse(expires_at ?? "")) ?? [];
      const renewed = ends.slice(0, 2).map((end) => end + 90 * 86_400_000);
      for (const [i, name] of [ALICE, BOB].entries())
        await until(async () => (await endOf(name)) === renewed[i], `${name} is renewed`);
      const [sv] = svs.svs;
      for (let round = 0; round < 3; round++) {
        await sv?.moveClock(20n * MINUTE);
        await svs.settle();
      }
      const { open_mining_rounds } = await svs.scan(1).getOpenAndIssuingMiningRounds({
        body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
      });
      const opened = Object.keys(open_mining_rounds);
      expect(opened).toHaveLength(3);
      const known = Object.keys(before.rounds.open_mining_rounds);
      expect(opened.filter((contractId) => known.includes(contractId))).toEqual([]);
      const { domainSequencers } = await svs.scan(1).listDsoSequencers();
      const published = domainSequencers.flatMap(({ sequencers }) => sequencers);
      expect(published.map(({ migrationId }) => migrationId)).toEqual([1, 1, 1, 1]);
      expect(new Set(svs.svs.map(({ replica }) => replica.state.head.digest)).size).toBe(1);
    } finally {
      await svs.close();
    }
  },
);

test("the id before cannot be started any more, and a second run changes nothing", async () => {
  const old = startSvsIn({ dataFolder, migrationId: 0n, names: SV_NAMES });
  await expect(old).rejects.toThrow("was migrated from id 0 to id 1: set migration.id to 1");
  const config = { dataFolder, migrationId: 0n, svs: SV_NAMES, clock: machineTime, log: testLog() };
  expect(await migrateNetwork(config, systemHost)).toEqual({ ...migrated, carried: null });
});
