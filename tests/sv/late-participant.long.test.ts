/** A participant that comes after items of its stream were pruned says so, and goes on from the present state of its parties. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { runWith } from "../cli/run-here.ts";
import { createPreference, listActive, setPreference } from "../participant/preferences.ts";
import { DaysNetwork } from "../support/days-network.ts";
import {
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { buyTraffic } from "./days-wallet.ts";

const CONTRACTS = 3;

interface Late {
  readonly network: DaysNetwork;
  readonly urls: readonly string[];
  readonly party: string;
  /** The contracts that are active in the end. */
  readonly active: readonly string[];
  /** A folder with the store as it was after the first contract. */
  readonly folder: string;
}

async function idsOf(client: LedgerClient, party: string): Promise<readonly string[]> {
  const active = await listActive(client, party);
  return active
    .flatMap(({ contractEntry }) =>
      "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent.contractId] : [],
    )
    .sort();
}

/** A participant made contracts, archived one, and stopped; days passed, and its stream was pruned. */
async function makeLate(): Promise<Late> {
  const network = await DaysNetwork.found(4, { config: { retentionMicroseconds: DAY } });
  const urls = network.svs.map(({ sequencerUrl }) => sequencerUrl);
  const [dataFolder, folder] = [temporaryFolder(), temporaryFolder()];
  const first = await newParticipant(urls, { dataFolder });
  await ready(first);
  await buyTraffic(network, first.participantId);
  const { party, client } = await newActor(first, "alice");
  await client.submitAndWait({ body: createPreference(party) });
  await first.close();
  cpSync(dataFolder, folder, { recursive: true });
  const again = await newParticipant(urls, { dataFolder });
  await ready(again);
  const alice = again.as("alice");
  for (let i = 1; i < CONTRACTS; i++) await alice.submitAndWait({ body: createPreference(party) });
  const [changed = ""] = await idsOf(alice, party);
  await alice.submitAndWait({ body: setPreference(party, changed) });
  const active = await idsOf(alice, party);
  expect(active).toHaveLength(CONTRACTS);
  expect(active).not.toContain(changed);
  await again.close();
  for (let day = 0; day < 3; day++) await network.passDay();
  await network.prune();
  return { network, urls, party, active, folder };
}

async function expectGoesOn(participant: TestParticipant, { party, active }: Late): Promise<void> {
  await ready(participant);
  const alice = participant.as("alice");
  expect(await idsOf(alice, party)).toEqual(active);
  // Loaded contracts can be used, and new ones come in the stream.
  await alice.submitAndWait({ body: setPreference(party, active[0] ?? "") });
  await alice.submitAndWait({ body: createPreference(party) });
  const after = await idsOf(alice, party);
  expect(after).toHaveLength(active.length + 1);
  expect(after).not.toContain(active[0]);
  const { offset: end } = await alice.getLedgerEnd();
  const { participantPrunedUpToInclusive: pruned } = await alice.getLatestPrunedOffsets();
  expect([pruned > 0, pruned < end]).toEqual([true, true]);
}

test("a participant whose store lacks pruned items says what to do, gives its history up, and goes on with its users", async () => {
  const late = await makeLate();
  const { urls, folder: dataFolder } = late;
  const stuck = await newParticipant(urls, { dataFolder });
  await until(() => stuck.failure() !== null, "the participant knows that it cannot go on");
  expect(stuck.missing()).toContain("the sequencers have pruned items behind it");
  expect(stuck.missing()).toContain("callsign store resync");
  await stuck.close();
  const callsign = { dataFolder, sequencers: urls, adminUser: "ledger-api-user", log: { level: "ERROR" } };
  const config = { files: [{ disableAuth: true, callsign }] };
  const asked = await runWith(["store", "resync", "participant"], config);
  expect([asked.exitCode, asked.complained]).toEqual([0, ""]);
  expect(asked.said).toContain("Nothing is changed");
  const done = await runWith(["store", "resync", "participant", "--yes"], config);
  expect([done.exitCode, done.complained]).toEqual([0, ""]);
  const again = await newParticipant(urls, { dataFolder });
  await expectGoesOn(again, late);
});

test("a participant that lost its machine loads the state of its parties with its identity alone", async () => {
  const late = await makeLate();
  const dataFolder = temporaryFolder();
  cpSync(join(late.folder, "identity.json"), join(dataFolder, "identity.json"));
  const again = await newParticipant(late.urls, { dataFolder });
  await ready(again);
  const rights = [{ kind: { CanActAs: { value: { party: late.party } } } }];
  await again.admin.createUser({ body: { user: { id: "alice" }, rights } });
  await expectGoesOn(again, late);
});
