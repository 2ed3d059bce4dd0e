/** An SV keeps the URLs of its scan and sequencer on the ledger, and writes them only where they differ. */
import { join } from "node:path";
import { createClient, scanApi } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { DsoRules, exerciseCommand, type Outcome, SvNodeState } from "../../packages/ledger/src/index.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SvAutomationsParts } from "../../packages/sv/src/runner/sv-automations.ts";
import type { SvNodeConfig } from "../../packages/sv/src/sv-node-config.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { openSvNode, startSvNodes } from "../support/sv-nodes.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";

function configOf(network: SvNetwork, { party }: UnservedSv) {
  const state = network.active(SvNodeState).find(({ payload }) => payload.sv === party);
  const nodes = state?.payload.state.synchronizerNodes ?? [];
  return nodes.find(([id]) => id === network.network.synchronizerId)?.[1];
}

async function restartAt(sv: UnservedSv, place: string, more: Partial<SvAutomationsParts> = {}) {
  await sv.automation.stop();
  const addresses = {
    sequencerId: sv.identity.id,
    sequencer: `https://sequencer.${place}`,
    scan: `https://scan.${place}`,
  };
  sv.automation = sv.newAutomation(undefined, { addresses: () => addresses, ...more });
  sv.automation.start();
}

const published = (sv: UnservedSv, place: string, availableAfter: unknown) => ({
  sequencer: {
    migrationId: 0n,
    sequencerId: sv.identity.id,
    url: `https://sequencer.${place}`,
    availableAfter,
  },
  scan: { publicUrl: `https://scan.${place}` },
});

test("URLs are published once, again when they change, and other fields stay as they are", async () => {
  const network = await SvNetwork.found({ svs: 2 });
  const [first, second] = network.svs as [UnservedSv, UnservedSv];
  await network.settle();
  const before = await network.log.head();
  await restartAt(first, "one");
  await network.settle();
  expect((await network.log.head()).sequence).toBe(before.sequence + 1);
  const since = configOf(network, first)?.sequencer?.availableAfter;
  expect(since).toBeLessThan(network.now);
  expect(configOf(network, first)).toMatchObject(published(first, "one", since));
  expect(configOf(network, second)).toBeUndefined();

  const mediator = { mediatorId: "MED::one" };
  accept(await setByHand(network, first, { mediator }));
  await network.settle();
  await restartAt(first, "one");
  await network.settle();
  expect((await network.log.head()).sequence).toBe(before.sequence + 2);

  await network.moveAndSettle(DAY);
  await restartAt(first, "two");
  await network.settle();
  expect(configOf(network, first)).toMatchObject({ ...published(first, "two", since), mediator });
  // Somebody's mistake is put right.
  accept(await setByHand(network, first, { scan: { publicUrl: "https://wrong" } }));
  await network.settle();
  expect(configOf(network, first)).toMatchObject({ ...published(first, "two", since), mediator });
});

function setByHand(
  network: SvNetwork,
  sv: UnservedSv,
  change: Partial<NonNullable<ReturnType<typeof configOf>>>,
): Promise<Outcome> {
  const state = network.active(SvNodeState).find(({ payload }) => payload.sv === sv.party);
  const before = configOf(network, sv);
  if (state === undefined || before === undefined) throw new Error("nothing is published yet");
  const argument = {
    sv: sv.party,
    synchronizerId: network.network.synchronizerId,
    newNodeConfig: { ...before, ...change },
    nodeStateCid: state.contractId,
  };
  const { contractId } = network.only(DsoRules);
  const command = exerciseCommand(DsoRules, contractId, "DsoRules_SetSynchronizerNodeConfig", argument);
  return network.byHand(sv, command);
}

test("an SV that pauses publish-urls publishes nothing", async () => {
  const network = await SvNetwork.found({ svs: 1 });
  await restartAt(network.first, "one", { paused: ["publish-urls"] });
  await network.moveAndSettle(DAY);
  expect(configOf(network, network.first)).toBeUndefined();
  await restartAt(network.first, "one");
  await network.settle();
  expect(configOf(network, network.first)).toMatchObject({ scan: { publicUrl: "https://scan.one" } });
});

test("a node publishes the URLs it listens on, and scan lists them", async () => {
  const { svs } = await startSvNodes(2);
  const scan = createClient(scanApi, { fetch, baseUrl: `${svs[1]?.scanUrl}/api/scan` });
  const list = async () => (await scan.listDsoScans()).scans[0]?.scans.map(({ publicUrl }) => publicUrl);
  await until(async () => (await list())?.length === 2, "both scans are listed");
  expect((await list())?.toSorted()).toEqual(svs.map(({ scanUrl }) => scanUrl).toSorted());
  const { domainSequencers } = await scan.listDsoSequencers();
  const listed = domainSequencers[0]?.sequencers.map(({ id, url, migrationId }) => [id, url, migrationId]);
  expect(listed?.toSorted()).toEqual(
    svs.map(({ identity, sequencerUrl }) => [identity.id, sequencerUrl, 0]).toSorted(),
  );
});

test.each<[SvNodeConfig["publicUrls"], RegExp]>([
  [{ scan: "scan.example.com", sequencer: "https://s" }, /publicUrls\.scan: "scan\.example\.com" is no http/],
  [{ scan: "https://s", sequencer: "https://a:b@c" }, /publicUrls\.sequencer: .* has more than a host/],
])("public URLs that nobody could use are refused at the start: %j", async (publicUrls, message) => {
  const folder = temporaryFolder();
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"), systemHost);
  onTestFinished(() => orderedLog.close());
  const started = openSvNode({ dataFolder: folder, orderedLog, ...(publicUrls && { publicUrls }) });
  await expect(started).rejects.toThrow(message);
});
