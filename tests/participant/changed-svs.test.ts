// A participant follows the network's SVs: a fifth joins, an old one leaves, and the quorum is that of the SVs that are left.
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient, svApi } from "../../packages/api/src/index.ts";
import { BACKED_TIME_VERSION } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { newCandidateKeys } from "../support/candidate-keys.ts";
import { type Behaviour, beforeSequencer, type FaultySequencer } from "../support/faulty-sequencer.ts";
import {
  type Actor,
  caughtUp,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { voteOutSv } from "../support/vote-out-sv.ts";
import { adminClient } from "./admin-client.ts";
import { createPreference, listActive } from "./preferences.ts";

const atEnd = atEndOfFile();
const keys = newCandidateKeys();
const approvedSvs = [{ name: "sv-5", publicKey: keys.publicKey, rewardWeightBps: 10_000n }];
const dataFolder = temporaryFolder(atEnd);
let network: SvNodes;
let nodes: readonly SvNode[];
/** One before each SV's sequencer. */
const sequencers: FaultySequencer[] = [];
let participant: TestParticipant;
let alice: Actor;

const first = () => nodes[0] as SvNode;
const front = async ({ sequencerUrl, identity }: SvNode) =>
  void sequencers.push(await beforeSequencer(sequencerUrl, atEnd, { identity }));
const connect = () =>
  adminClient(participant.url).setSequencerConnections({
    body: { urls: sequencers.map(({ url }) => url), threshold: null },
  });
const needed = async () => (await adminClient(participant.url).getSequencerConnections({})).needed;

/** By the number of each SV; the others are honest. */
function behave(behaviours: Readonly<Record<number, Behaviour>>): void {
  for (const [i, sequencer] of sequencers.entries()) sequencer.behave(behaviours[i + 1] ?? "honest");
}

async function expectToGoOn(): Promise<void> {
  const before = (await listActive(alice.client, alice.party)).length;
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
  expect(await listActive(alice.client, alice.party)).toHaveLength(before + 1);
}

async function attested(serial: bigint): Promise<void> {
  await until(() => {
    const set = first().replica.state.findSvSet(serial);
    return set !== undefined && set.attestations.length > set.before.length / 2;
  }, `change ${serial} of the SVs is attested`);
}

/** The allowance of a member without a license would not do for the submissions of this file. */
async function license({ party }: Actor): Promise<void> {
  const app = createClient(svApi, { fetch, baseUrl: `${first().appUrl}/api/sv` });
  const secret = await app.devNetOnboardValidatorPrepare();
  await app.onboardValidator({ body: { party_id: party, secret } });
}

beforeAll(async () => {
  network = await startSvNodes(
    4,
    atEnd,
    { protocolVersion: BACKED_TIME_VERSION },
    { approvedSvs, app: { auth: { kind: "none" } } },
  );
  nodes = network.svs;
  for (const node of nodes) await front(node);
  participant = await newParticipant(
    sequencers.map(({ url }) => url),
    { dataFolder },
    atEnd,
  );
  await ready(participant);
  alice = await newActor(participant, "alice");
  await license(alice);
});

test("a fifth SV counts once a quorum of the four attested it", async () => {
  expect(await needed()).toBe(3);
  const fifth = await network.reopen(4, { joining: { ...keys, sponsorUrl: `${first().appUrl}/api/sv` } });
  await until(() => fifth.missing() === null, "the fifth SV is ready");
  nodes = [...nodes, fifth];
  await front(fifth);
  await attested(1n);
  await connect();
  await until(async () => (await needed()) === 4, "the participant needs four of five SVs");
  behave({ 3: "hang" });
  await expectToGoOn();
});

test("an SV that left counts for nothing, and the others go on with one of them faulty", async () => {
  behave({});
  const [, second] = nodes as [SvNode, SvNode];
  const voters = nodes.filter((node) => node !== second);
  await voteOutSv(
    svPartyOf(second),
    voters.map(({ identity, appUrl }) => ({ party: svPartyOf({ identity }), appUrl })),
  );
  await attested(2n);
  await until(async () => (await needed()) === 3, "the participant needs three of four SVs");
  behave({ 2: "forge", 4: "forge" });
  await expectToGoOn();
  behave({ 2: "usurp", 4: "usurp" });
  const usurper = sequencers[3] as FaultySequencer;
  const asked = usurper.askedForChanges();
  await expectToGoOn();
  await until(() => usurper.askedForChanges() > asked, "the usurper has handed out its own set");
  await expectToGoOn();
  expect(await needed()).toBe(3);
});

test("two SVs and one that left are no quorum of the four", async () => {
  behave({ 3: "forge", 4: "forge" });
  const [honest, left, , , fifth] = sequencers as FaultySequencer[];
  const asked = left?.asked() ?? 0;
  const end = async () => Number((await participant.admin.getLedgerEnd({})).offset);
  const before = await end();
  const submitted = alice.client.submitAndWait({ body: createPreference(alice.party) });
  await until(
    () => [honest, fifth].every((sequencer) => (sequencer?.followedAfter() ?? 0) > before),
    "two SVs have delivered the submission",
  );
  await until(() => (left?.asked() ?? 0) > asked + 5, "the SV that left was asked again");
  expect(await end()).toBe(before);
  behave({ 4: "forge" });
  await submitted;
  await caughtUp(participant, nodes);
});

test("a participant that starts again knows the SVs, also if the sequencers hide the changes", async () => {
  await participant.close();
  behave({ 1: "earlier", 2: "hang", 3: "hang", 4: "hide-changes", 5: "hide-changes" });
  participant = await newParticipant([], { dataFolder }, atEnd);
  alice = { ...alice, client: participant.as(alice.user) };
  await ready(participant);
  await expectToGoOn();
  expect(await needed()).toBe(3);
});

test("a new participant learns the SVs from the first entry and the changes behind it", async () => {
  behave({ 2: "hide-changes", 3: "usurp" });
  const urls = sequencers.map(({ url }) => url);
  const other = await newParticipant(urls, { nodeIdentifier: "other" }, onTestFinished);
  await ready(other);
  const bob = await newActor(other, "bob");
  await bob.client.submitAndWait({ body: createPreference(bob.party) });
  const { needed: count } = await adminClient(other.url).getSequencerConnections({});
  expect(count).toBe(3);
});
