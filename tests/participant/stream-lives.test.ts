/** Begin and end of streams of the ledger API: tokens, rights, limits, slow readers, pruning, a killed participant. */
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";
import { startIdentityProvider } from "../conformance/identity-providers.ts";
import {
  ADMIN,
  AUDIENCE,
  type LedgerClient,
  ledgerClient,
  newActor,
  newParticipant,
  ready,
  SECRET,
  type TestParticipant,
} from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { errorOf } from "./call.ts";
import { spawnParticipant } from "./participant-process.ts";
import { createPreference, everythingOf } from "./preferences.ts";
import { checkpointOf, openStream, readUpTo, transactionOf, updatesOf } from "./stream-reader.ts";

const atEnd = atEndOfFile();
const CHANNELS = [
  "/v2/updates",
  "/v2/updates/flats",
  "/v2/updates/trees",
  "/v2/commands/completions",
  "/v2/commands/command-completions",
  "/v2/state/active-contracts",
];
let network: SvNodes;
let participant: TestParticipant;
let alice: { readonly party: string; readonly client: LedgerClient };

beforeAll(async () => {
  network = await startSvNodes(1, atEnd);
  participant = await newParticipant(
    network.sequencers,
    { streams: { websockets: { recheckMilliseconds: 50, maxSocketsPerUser: 3 } } },
    atEnd,
  );
  await ready(participant);
  alice = await newActor(participant, "alice");
});

const follow = (user: string, party: string, claims: Record<string, unknown> = {}) =>
  openStream(`${participant.url}/v2/updates`, user, updatesOf(party, { beginExclusive: 0 }), { claims });

test("a stream of an identity provider's user ends when the provider is deactivated", async () => {
  const provider = await startIdentityProvider(participant, "stream-provider", onTestFinished);
  await provider.addUser("dora", [{ kind: { CanReadAs: { value: { party: alice.party } } } }]);
  const request = updatesOf(alice.party, { beginExclusive: 0 });
  const reader = new WebsocketReader(`${participant.url}/v2/updates`, {
    token: await provider.token("dora"),
    request,
  });
  await reader.next(checkpointOf);
  await participant.admin.updateIdentityProviderConfig({
    params: { "idp-id": provider.id },
    body: {
      identityProviderConfig: { identityProviderId: provider.id, isDeactivated: true },
      updateMask: { paths: ["is_deactivated"] },
    },
  });
  expect(await reader.next((frame) => (frame as { code?: string }).code)).toBe("STALE_STREAM_AUTHORIZATION");
});

describe.each(CHANNELS)("at %s", (path) => {
  test("a stream is refused without a valid token of an existing user", async () => {
    const url = participant.url + path;
    const past = Math.floor(Date.now() / 1000) - 60;
    const openings: readonly [number, WebsocketReader][] = [
      [401, new WebsocketReader(url)],
      [401, new WebsocketReader(url, { token: "no.token.atall" })],
      [401, await openStream(url, "alice", {}, { claims: { exp: past } })],
      [401, await openStream(url, "alice", {}, { claims: { aud: "somebody-else" } })],
      [403, await openStream(url, "unknown", {})],
    ];
    for (const [status, reader] of openings) {
      const refused = await reader.refused();
      expect(errorOf(refused)).toMatchObject({ status, code: "NA", errorCategory: -1 });
    }
    expect((await fetch(url)).status).toBe(400);
  });
});

test("every caller may open a stream if authentication is disabled", async () => {
  const open = await newParticipant(network.sequencers, { nodeIdentifier: "open", auth: { kind: "none" } });
  await ready(open);
  const { partyDetails } = await open.admin.allocateParty({ body: { partyIdHint: "grace" } });
  const request = updatesOf(partyDetails.party, { beginExclusive: 0 });
  const reader = new WebsocketReader(`${open.url}/v2/updates`, { protocols: [], request });
  expect(await reader.next(checkpointOf)).toBeGreaterThan(0);
  reader.socket.close();
});

test("a stream ends when its token expires", async () => {
  const exp = Math.floor(Date.now() / 1000) + 5;
  const reader = await follow("alice", alice.party, { exp });
  const frames = await reader.rest();
  expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp);
  expect(frames.at(-1)).toMatchObject({ code: "ACCESS_TOKEN_EXPIRED", errorCategory: 2 });
  expect(await reader.closed).toBe(1000);
});

test("a stream outlives its token by the leeway, and a privileged token needs no user", async () => {
  const lenient = await newParticipant(network.sequencers, {
    nodeIdentifier: "lenient",
    auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE, privilege: "wildcard" },
    tokenTimes: { leeway: { expiresAtSeconds: 3 } },
    streams: { websockets: { recheckMilliseconds: 20 } },
  });
  await ready(lenient);
  const exp = Math.floor(Date.now() / 1000) + 3;
  const request = updatesOf(alice.party, { beginExclusive: 0 });
  const reader = await openStream(`${lenient.url}/v2/updates`, "nobody-here", request, { claims: { exp } });
  const frames = await reader.rest();
  expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp + 3);
  expect(frames.map((frame) => (frame as { code?: string }).code)).toEqual([
    undefined,
    "ACCESS_TOKEN_EXPIRED",
  ]);
});

describe("a stream ends when its user's rights change", () => {
  const admin = () => participant.admin;
  const right = (party: string) => ({ kind: { CanReadAs: { value: { party } } } });

  test.each([
    [
      "one is taken away",
      (userId: string) =>
        admin().revokeUserRights({
          params: { "user-id": userId },
          body: { userId, rights: [right(alice.party)] },
        }),
    ],
    [
      "one is given",
      (userId: string) =>
        admin().grantUserRights({
          params: { "user-id": userId },
          body: { userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] },
        }),
    ],
    [
      "the user is deactivated",
      (userId: string) =>
        admin().updateUser({
          params: { "user-id": userId },
          body: {
            user: { id: userId, isDeactivated: true },
            updateMask: { paths: ["is_deactivated"] },
          },
        }),
    ],
    ["the user is deleted", (userId: string) => admin().deleteUser({ params: { "user-id": userId } })],
  ])("when %s", async (what, change) => {
    const user = `reader-${what.replaceAll(" ", "-")}`;
    await admin().createUser({ body: { user: { id: user }, rights: [right(alice.party)] } });
    const reader = await follow(user, alice.party);
    await reader.next(checkpointOf);
    await change(user);
    expect((await reader.rest()).at(-1)).toMatchObject({
      code: "STALE_STREAM_AUTHORIZATION",
      errorCategory: 2,
      grpcCodeValue: 10,
      retryInfo: "1 second",
    });
    expect(await reader.closed).toBe(1000);
  });

  test("a stream goes on when another user's rights change", async () => {
    const reader = await follow("alice", alice.party);
    await reader.next(checkpointOf);
    const bob = await newActor(participant, "bob");
    const { completionOffset } = await alice.client.submitAndWait({
      body: createPreference(alice.party, { provider: bob.party }),
    });
    await readUpTo(reader, completionOffset);
    reader.socket.close();
  });
});

test("a user's streams are limited, and other users have their own limit", async () => {
  await newActor(participant, "carol");
  const open = (user: string) => openStream(`${participant.url}/v2/updates`, user, undefined);
  const readers = await Promise.all([1, 2, 3].map(async () => (await open("carol")).opened()));
  const refused = await (await open("carol")).refused();
  expect(errorOf(refused)).toMatchObject({ status: 409, code: "MAXIMUM_NUMBER_OF_STREAMS" });
  (await (await open("alice")).opened()).socket.close();
  for (const { socket } of readers) socket.close();
});

test("a reader that pauses misses nothing", async () => {
  const { offset: begin } = await alice.client.getLedgerEnd();
  const request = updatesOf(alice.party, { beginExclusive: begin });
  const reader = await openStream(`${participant.url}/v2/updates`, "alice", request);
  await reader.next(checkpointOf);
  reader.socket.pause();
  const made = await Promise.all(
    Array.from({ length: 40 }, () => alice.client.submitAndWait({ body: createPreference(alice.party) })),
  );
  const offsets = made.map(({ completionOffset }) => completionOffset).sort((a, b) => a - b);
  expect(reader.frames.map(transactionOf)).toEqual([]);
  reader.socket.resume();
  const seen = await readUpTo(reader, offsets.at(-1) ?? 0);
  expect(seen.map(({ offset }) => offset)).toEqual(offsets);
  reader.socket.close();
});

test("a participant that stops tells the readers of its streams", async () => {
  const other = await newParticipant(network.sequencers, { nodeIdentifier: "other" });
  await ready(other);
  const dora = await newActor(other, "dora");
  const request = updatesOf(dora.party, { beginExclusive: 0 });
  const reader = await openStream(`${other.url}/v2/updates`, "dora", request);
  await reader.next(checkpointOf);
  await other.close();
  expect(await reader.closed).toBe(1001);
});

test("a stream from pruned history is refused, and one from the pruned offset works", async () => {
  const pruned = await newParticipant(network.sequencers, { nodeIdentifier: "pruned" });
  await ready(pruned);
  const erin = await newActor(pruned, "erin");
  for (let i = 0; i < 3; i++) await erin.client.submitAndWait({ body: createPreference(erin.party) });
  const { offset: end } = await erin.client.getLedgerEnd();
  await adminClient(pruned.url).prune({ body: { offset: end - 1 } });
  const open = (beginExclusive: number) =>
    openStream(
      `${pruned.url}/v2/updates`,
      "erin",
      updatesOf(erin.party, { beginExclusive, endInclusive: end }),
    );
  expect(await (await open(0)).rest()).toMatchObject([
    { code: "PARTICIPANT_PRUNED_DATA_ACCESSED", context: { earliest_offset: String(end - 1) } },
  ]);
  expect((await (await open(end - 1)).rest()).map((frame) => transactionOf(frame)?.offset)).toEqual([end]);
  const active = { activeAtOffset: 1, eventFormat: everythingOf(erin.party) };
  const refused = await openStream(`${pruned.url}/v2/state/active-contracts`, "erin", active);
  expect(await refused.rest()).toMatchObject([{ code: "PARTICIPANT_PRUNED_DATA_ACCESSED" }]);
});

test("a stream resumed after a kill has no gap and no repetition", async () => {
  const config = {
    dataFolder: temporaryFolder(),
    sequencers: network.sequencers,
    auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const,
    adminUsers: [ADMIN],
  };
  let running = await spawnParticipant(config);
  onTestFinished(() => running.kill());
  const admin = ledgerClient(running.url, ADMIN);
  await admin.createUser({ body: { user: { id: "frank" }, rights: [] } });
  const { party } = (await admin.allocateParty({ body: { partyIdHint: "frank", userId: "frank" } }))
    .partyDetails;
  const seen: number[] = [];
  for (let round = 0; round < 3; round++) {
    const client = ledgerClient(running.url, "frank");
    let isOver = false;
    const working = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await client.submitAndWait({ body: createPreference(party) }).catch(() => undefined);
      }),
    );
    const request = updatesOf(party, { beginExclusive: seen.at(-1) ?? 0 });
    const reader = await openStream(`${running.url}/v2/updates`, "frank", request);
    for (let i = 0; i < 20; i++) seen.push((await reader.next(transactionOf)).offset);
    await running.kill();
    isOver = true;
    // Updates that arrived before the end count as well.
    for (const frame of await reader.rest()) {
      const offset = transactionOf(frame)?.offset;
      if (offset !== undefined) seen.push(offset);
    }
    await working;
    running = await spawnParticipant(config);
  }
  const { offset: endInclusive } = await ledgerClient(running.url, "frank").getLedgerEnd();
  const rest = updatesOf(party, { beginExclusive: seen.at(-1) ?? 0, endInclusive });
  const last = await (await openStream(`${running.url}/v2/updates`, "frank", rest)).rest();
  seen.push(...last.flatMap((frame) => transactionOf(frame)?.offset ?? []));
  // The first is the party's own allocation; every other one is a creation of Frank's.
  expect(seen).toEqual(Array.from({ length: endInclusive - 1 }, (_, i) => i + 2));
});
