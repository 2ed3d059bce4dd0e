/** Parties of other participants, as the participant's lists and lookups show them. */
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { beforeSequencer, type FaultySequencer, INVENTED } from "../support/faulty-sequencer.ts";
import { fresh } from "../support/fresh.ts";
import { newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

const atEnd = atEndOfFile();
let faulty: readonly FaultySequencer[];
let ours: TestParticipant;
let theirs: TestParticipant;
let dso: string;
let svs: readonly SvNode[];

beforeAll(async () => {
  const started = await startSvNodes(4, atEnd);
  const { sequencers } = started;
  svs = started.svs;
  dso = svs[0]?.replica.state.network?.dso ?? "";
  faulty = await Promise.all(
    svs.map(({ sequencerUrl, identity }) => beforeSequencer(sequencerUrl, atEnd, { identity })),
  );
  const urls = faulty.map(({ url }) => url);
  ours = await newParticipant(urls, { nodeIdentifier: "ours" }, atEnd);
  theirs = await newParticipant(sequencers, { nodeIdentifier: "theirs" }, atEnd);
  await Promise.all([ready(ours), ready(theirs)]);
});

async function allocate(participant: TestParticipant, partyIdHint: string): Promise<string> {
  const { partyDetails } = await participant.admin.allocateParty({ body: { partyIdHint } });
  // A quorum of SVs is enough for the participant; the last one may come later.
  const end = Math.max(...svs.map(({ replica }) => replica.state.head.sequence));
  for (const { replica } of svs) await replica.reach(end, AbortSignal.timeout(60_000));
  return partyDetails.party;
}

async function list(query: { pageSize?: number; pageToken?: string; "filter-party"?: string } = {}) {
  return ours.admin.listParties({ query });
}

async function namesOf(prefix: string): Promise<readonly string[]> {
  return (await list({ "filter-party": prefix })).partyDetails.map(({ party }) => party);
}

function behave(numbers: readonly number[], behaviour: Parameters<FaultySequencer["behave"]>[0]): void {
  for (const number of numbers) faulty[number]?.behave(behaviour);
  onTestFinished(() => {
    for (const each of faulty) each.behave("honest");
  });
}

test("all parties of the network are listed, those of others as not local, page by page", async () => {
  const prefix = fresh("mixed");
  const local = [await allocate(ours, `${prefix}-b`), await allocate(ours, `${prefix}-D`)];
  const others = [await allocate(theirs, `${prefix}-a`), await allocate(theirs, `${prefix}-c`)];
  const all = [...local, ...others].sort();
  const { partyDetails } = await list();
  const names = partyDetails.map(({ party }) => party);
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining([...all, dso]));
  expect(partyDetails.find(({ party }) => party === others[0])).toEqual({
    party: others[0],
    isLocal: false,
    localMetadata: { resourceVersion: "", annotations: {} },
    identityProviderId: "",
  });
  const pages: (readonly (readonly [string, boolean])[])[] = [];
  let pageToken = "";
  do {
    const page = await list({ pageSize: 3, pageToken, "filter-party": prefix });
    pages.push(page.partyDetails.map(({ party, isLocal }) => [party, isLocal]));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(pages.map((page) => page.length)).toEqual([3, 1]);
  expect(pages.flat()).toEqual(all.map((party) => [party, local.includes(party)]));
});

test("a new party of another participant is in the next list", async () => {
  const prefix = fresh("new");
  expect(await namesOf(prefix)).toEqual([]);
  const first = await allocate(theirs, `${prefix}-b`);
  expect(await namesOf(prefix)).toEqual([first]);
  const second = await allocate(theirs, `${prefix}-a`);
  expect(await namesOf(prefix)).toEqual([second, first]);
});

test("one party of another participant is found without a list, and cannot be annotated", async () => {
  const party = await allocate(theirs, fresh("found"));
  const unknown = `${fresh("unknown")}::1220ab`;
  const { partyDetails } = await ours.admin.getParties({ params: { party }, query: { parties: [unknown] } });
  expect(partyDetails.map((each) => [each.party, each.isLocal])).toEqual([[party, false]]);
  const body = {
    partyDetails: { party, localMetadata: { annotations: { k: "v" } } },
    updateMask: { paths: ["local_metadata.annotations"] },
  };
  await expect(ours.admin.updatePartyDetails({ params: { party }, body })).rejects.toMatchObject({
    status: 404,
  });
  const { connectedSynchronizers } = await ours.admin.listConnectedSynchronizers({ query: { party } });
  expect(connectedSynchronizers).toEqual([]);
});

test.each([
  ["invent", 1],
  ["hide", 2],
  ["hang", 3],
] as const)(
  "with one sequencer of four that does this, the list is the same: %s",
  async (behaviour, number) => {
    const prefix = fresh("faulty");
    behave([number], behaviour);
    const party = await allocate(theirs, prefix);
    expect(await namesOf(prefix)).toEqual([party]);
    expect(await namesOf("0-")).toEqual([]);
    const lookup = { params: { party }, query: { parties: [INVENTED] } };
    expect((await ours.admin.getParties(lookup)).partyDetails.map((each) => each.party)).toEqual([party]);
  },
);

test("while no sequencer answers, the parties that are known are listed", async () => {
  const prefix = fresh("away");
  const known = [await allocate(ours, `${prefix}-b`), await allocate(theirs, `${prefix}-a`)].sort();
  expect(await namesOf(prefix)).toEqual(known);
  behave([0, 1, 2, 3], "fail");
  const late = await allocate(theirs, `${prefix}-c`);
  expect(await namesOf(prefix)).toEqual(known);
  expect((await ours.admin.getParties({ params: { party: late } })).partyDetails).toEqual([]);
  behave([0, 1, 2, 3], "honest");
  await expect.poll(() => namesOf(prefix)).toEqual([...known, late]);
});
