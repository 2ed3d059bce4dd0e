/** Sequencers that are set while the participant runs: at once, for good, and never of another network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLog, Metrics, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { formatText } from "../../packages/node/src/observability/text-exposition.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { refusalOf } from "./call.ts";
import { createPreference, listActive } from "./preferences.ts";

async function start(count: number) {
  const { svs, sequencers } = await startSvNodes(count);
  const dataFolder = temporaryFolder();
  const participant = await newParticipant(sequencers, { dataFolder });
  await ready(participant);
  const alice = await newActor(participant, "alice");
  const submit = () => alice.client.submitAndWait({ body: createPreference(alice.party) });
  return { svs, sequencers, dataFolder, participant, alice, submit, admin: adminClient(participant.url) };
}

test("new sequencers are followed at once, and the old ones no more", async () => {
  const { svs, sequencers, participant, alice, submit, admin } = await start(4);
  expect(await admin.getSequencerConnections()).toEqual({
    urls: sequencers,
    threshold: null,
    migrationId: null,
    needed: 3,
  });
  const proxies = await Promise.all(
    svs.map(({ sequencerUrl, identity }) => beforeSequencer(sequencerUrl, onTestFinished, { identity })),
  );
  const urls = proxies.map(({ url }) => url);
  await submit();
  const giving = urls.map((url) => `${url}/`);
  expect(await admin.setSequencerConnections({ body: { urls: giving } })).toEqual({ urls, threshold: null });
  await ready(participant);
  expect(await admin.getSequencerConnections()).toEqual({
    urls,
    threshold: null,
    migrationId: null,
    needed: 3,
  });
  await submit();
  const followed = () => proxies.map((proxy) => proxy.followed());
  await until(() => followed().every((times) => times > 0), "all are followed");
  // One of four may lie.
  proxies[0]?.behave("forge");
  await submit();
  expect(await listActive(alice.client, alice.party)).toHaveLength(3);
  const { offset } = await alice.client.getLedgerEnd();
  // And back: the proxies are left alone.
  await admin.setSequencerConnections({ body: { urls: sequencers.slice(1) } });
  await ready(participant);
  const before = followed();
  expect((await submit()).completionOffset).toBe(offset + 1);
  await submit();
  expect(followed()).toEqual(before);
});

test("a submission in flight survives the replacement of its sequencers", async () => {
  const { sequencers, alice, admin } = await start(4);
  const working = Array.from({ length: 20 }, async (_, i) => {
    const body = createPreference(alice.party, { commandId: `w-${i}` });
    await alice.client.submitAndWait({ body });
  });
  for (const urls of [sequencers.slice(1), sequencers.slice(0, 3), sequencers]) {
    await admin.setSequencerConnections({ body: { urls: [...urls] } });
  }
  await Promise.all(working);
  expect(await listActive(alice.client, alice.party)).toHaveLength(20);
});

test("a submission that waits for the first answers of its sequencers goes on with those that replace them", async () => {
  const { sequencers, alice, submit, admin } = await start(4);
  const proxies = await Promise.all(sequencers.map((url) => beforeSequencer(url, onTestFinished)));
  for (const proxy of proxies) proxy.behave("hang");
  await admin.setSequencerConnections({ body: { urls: proxies.map(({ url }) => url) } });
  const submitted = submit();
  await until(() => proxies.every((proxy) => proxy.asked() > 0), "every sequencer was asked");
  await admin.setSequencerConnections({ body: { urls: [...sequencers] } });
  await submitted;
  expect(await listActive(alice.client, alice.party)).toHaveLength(1);
});

test("the sequencers that were set survive a restart", async () => {
  const { sequencers, dataFolder, participant, admin } = await start(3);
  const urls = sequencers.slice(1);
  await admin.setSequencerConnections({ body: { urls } });
  await participant.close();
  // The configured URLs count at the first start only.
  const again = await newParticipant(["http://127.0.0.1:9"], { dataFolder });
  await ready(again);
  expect(await adminClient(again.url).getSequencerConnections()).toEqual({
    urls,
    threshold: null,
    migrationId: null,
    needed: 2,
  });
});

test("sequencers of another network are never trusted", async () => {
  const { sequencers, participant, alice, submit, admin } = await start(1);
  const strangers = (await startSvNodes(4)).sequencers;
  await submit();
  await admin.setSequencerConnections({ body: { urls: [...strangers] } });
  expect(participant.isReady()).toBe(false);
  expect(await refusalOf(submit())).toMatchObject({ status: 400, code: "NOT_CONNECTED_TO_ANY_SYNCHRONIZER" });
  expect(participant.isReady()).toBe(false);
  await admin.setSequencerConnections({ body: { urls: [...sequencers] } });
  await ready(participant);
  await submit();
  expect(await listActive(alice.client, alice.party)).toHaveLength(2);
});

test("a sequencer with several addresses counts once", async () => {
  const { sequencers, participant, submit, admin } = await start(4);
  const [first = "", second = "", third = ""] = sequencers;
  const proxies = await Promise.all([1, 2, 3].map(() => beforeSequencer(first, onTestFinished)));
  const same = [first, ...proxies.map(({ url }) => url)];
  // Three SVs must agree, and here is only one.
  await admin.setSequencerConnections({ body: { urls: same } });
  await until(() => proxies.every((proxy) => proxy.asked() > 1), "every address was asked more than once");
  expect(participant.isReady()).toBe(false);
  expect(proxies.map((proxy) => proxy.followed()).filter((times) => times > 0).length).toBeLessThanOrEqual(1);
  await admin.setSequencerConnections({ body: { urls: [...same, second] } });
  await until(() => participant.missing()?.startsWith("2 of 5 sequencers") ?? false, "two are followed");
  await admin.setSequencerConnections({ body: { urls: [...same, second, third] } });
  await ready(participant);
  await submit();
});

test("a sequencer that later answers at further addresses counts once", async () => {
  const { sequencers, participant, submit, admin } = await start(4);
  const [first = "", ...others] = sequencers;
  const proxies = await Promise.all(others.map((url) => beforeSequencer(url, onTestFinished)));
  await admin.setSequencerConnections({ body: { urls: [first, ...proxies.map(({ url }) => url)] } });
  await ready(participant);
  await submit();
  for (const proxy of proxies) proxy.moveTo(first);
  await until(() => !participant.isReady(), "one sequencer is not enough");
  // Enough for a new session and an item: it is asked again and again, and does not count.
  const before = proxies.map((proxy) => proxy.asked());
  await until(() => proxies.every((proxy, i) => proxy.asked() > (before[i] ?? 0) + 6), "they were asked");
  expect(participant.isReady()).toBe(false);
  for (const [i, proxy] of proxies.entries()) proxy.moveTo(others[i] ?? "");
  await ready(participant);
  await submit();
});

test("too few sequencers for a quorum are told, and a threshold is honoured, said in the log and in a metric", async () => {
  const folder = temporaryFolder();
  const { sequencers } = await startSvNodes(4);
  const metrics = new Metrics();
  const file = join(folder, "participant.log");
  const options = { dataFolder: join(folder, "data"), metrics, log: createLog({ level: "warn", file }) };
  const first = await newParticipant(sequencers.slice(0, 1), options);
  await until(
    () => first.missing()?.includes("the network has 4 SVs, and 3 must deliver the same") ?? false,
    "it says what is needed",
  );
  const urls = sequencers.slice(0, 1);
  await adminClient(first.url).setSequencerConnections({ body: { urls, threshold: 1 } });
  await ready(first);
  await newActor(first, "alice");
  const warnings = () => readFileSync(file, "utf8").split("fewer SVs than a quorum must agree").length - 1;
  expect(warnings()).toBe(1);
  expect(formatText(await metrics.gather(systemHost.timers))).toMatch(
    /callsign_sequencer_threshold_shortfall\{.*\} 2\n/,
  );
  // Again at every start.
  await first.close();
  await ready(await newParticipant(sequencers, options));
  expect(warnings()).toBe(2);
});

test.each([0, -1, 2])("a threshold of %i for one sequencer is refused", async (threshold) => {
  const { sequencers, admin } = await start(1);
  const body = { urls: [...sequencers], threshold };
  const refused = await refusalOf(admin.setSequencerConnections({ body }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_FIELD" });
  expect(refused.cause).toContain(`${threshold} of 1 sequencers cannot agree: give 1 to 1, or null`);
});

test.each([
  [[], /0 URLs: give 1 to 32/],
  [Array.from({ length: 33 }, (_, i) => `http://host-${i}`), /33 URLs/],
  [["ftp://host"], /"ftp:\/\/host" is no http or https URL/],
  [["no url"], /"no url" is no/],
  [["http://user:secret@host"], /more than a host/],
  [["http://host/?x=1"], /more than a host/],
  [["http://host:80/", "http://HOST"], /given twice/],
])("%j is refused, and what was set stays", async (urls, why) => {
  const { sequencers, admin } = await start(1);
  const refused = await refusalOf(admin.setSequencerConnections({ body: { urls } }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_FIELD" });
  expect(refused.cause).toMatch(why);
  expect(await admin.getSequencerConnections()).toEqual({
    urls: sequencers,
    threshold: null,
    migrationId: null,
    needed: 1,
  });
});
