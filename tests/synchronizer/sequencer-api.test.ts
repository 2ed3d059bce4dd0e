// The sequencer over HTTP: members prove their key, submit signed entries, follow their own stream.

import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { ANSWER_SEAL_HEADER, sessionMessage } from "../../packages/api/src/sequencer/session-texts.ts";
import type { StreamItem } from "../../packages/api/src/sequencer/stream-item.ts";
import { readBeginning } from "../../packages/ledger/src/transition/read-beginning.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import type { MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { STREAM_BEGIN } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { StreamFollower } from "../../packages/synchronizer/src/streams/stream-follower.ts";
import { statusOf } from "../support/call-outcome.ts";
import { freshOpening } from "../support/session-opening.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { clientOf, hostParty, once, openSession, register, start, submit } from "./sequencer-node.ts";

describe("a member", () => {
  test("registers, proves its key, and follows what concerns it, as it happens", async () => {
    const started = await start();
    const member = identityNamed("alice-node");
    await register(started, member);
    const client = clientOf(started, await openSession(started, member));
    const empty = await client.follow({ query: { after: 0n } });
    expect([empty.items, empty.end]).toEqual([[], 0]);
    const waiting = client.follow({ query: { after: 0n, waitMs: 10_000 } });
    const party = await hostParty(started, member, "alice");
    const { items, end } = await waiting;
    expect(end).toBe(1);
    const [item] = items;
    expect((JSON.parse(item?.body ?? "") as StreamItem).hostings).toEqual([{ party, hosted: true }]);
    expect(item?.digest).toBe(sha256(`${"0".repeat(64)}\n1\n${item?.body}`));
  });

  test("hears at once that the clock was moved", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const client = clientOf(started, await openSession(started, member));
    const waiting = client.follow({ query: { after: 0n, waitMs: 10_000 } });
    const forward = { microseconds: 86_400_000_000n };
    const value = { ...(await once(started, started.sv)), forward };
    const { now: before } = await clientOf(started).getNetwork();
    await submit(started, { tag: "MoveClock", value }, [started.sv.signingKey]);
    const { items, now } = await waiting;
    expect(items).toEqual([]);
    expect(Date.parse(now) - Date.parse(before)).toBeGreaterThanOrEqual(86_400_000);
  });

  test("may use its namespace key for the proof, but nobody else's", async () => {
    const started = await start();
    const [member, other] = [identityNamed("a"), identityNamed("b")];
    await register(started, member);
    await register(started, other);
    expect(await openSession(started, member, member.namespaceKey)).toMatch(/^[0-9a-f]{64}$/);
    expect(await statusOf(openSession(started, member, other.signingKey))).toBe(403);
    expect(await statusOf(openSession(started, identityNamed("c")))).toBe(401);
  });

  test("cannot use a challenge twice, nor one that was made for another", async () => {
    const started = await start();
    const [member, other] = [identityNamed("a"), identityNamed("b")];
    await register(started, member);
    await register(started, other);
    const client = clientOf(started);
    const { network, sequencer } = await client.getNetwork();
    const { challenge } = await client.askChallenge({ body: { member: member.id, ...freshOpening() } });
    const proofOf = (identity: MemberIdentity) => ({
      member: identity.id,
      challenge,
      publicKey: identity.signingKey.publicKey,
      signature: identity.signingKey.sign(sessionMessage({ network, sequencer, challenge })),
    });
    expect(await statusOf(client.openSession({ body: proofOf(other) }))).toBe(401);
    expect(await statusOf(client.openSession({ body: proofOf(member) }))).toBe(401);
    const again = await client.askChallenge({ body: { member: member.id, ...freshOpening() } });
    const signature = member.signingKey.sign(sessionMessage({ network, sequencer, ...again }));
    const proof = { ...proofOf(member), challenge: again.challenge, signature };
    expect(await statusOf(client.openSession({ body: proof }))).toBe(200);
    expect(await statusOf(client.openSession({ body: proof }))).toBe(401);
  });

  test("of an earlier release has no session key: it gets a session, without proof and without seals", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const client = clientOf(started);
    const { network, sequencer } = await client.getNetwork();
    const { challenge, proof } = await client.askChallenge({ body: { member: member.id } });
    expect(proof).toBeNull();
    const { publicKey, sign } = member.signingKey;
    const signature = sign(sessionMessage({ network, sequencer, challenge }));
    const { token } = await client.openSession({
      body: { member: member.id, challenge, publicKey, signature },
    });
    const answer = await fetch(`${started.server.url}/v1/stream?after=0&limit=1&waitMs=0`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, answer.headers.get(ANSWER_SEAL_HEADER)]).toEqual([200, null]);
  });

  test("opens nothing with a proof that was made for another sequencer or another network", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const client = clientOf(started);
    const said = await client.getNetwork();
    expect(said.sequencer).toBe(started.sv.id);
    const prove = async (change: Partial<typeof said>) => {
      const { challenge } = await client.askChallenge({ body: { member: member.id, ...freshOpening() } });
      const message = sessionMessage({ ...said, ...change, challenge });
      const { publicKey, sign } = member.signingKey;
      const proof = { member: member.id, challenge, publicKey, signature: sign(message) };
      return statusOf(client.openSession({ body: proof }));
    };
    expect(await prove({ sequencer: identityNamed("sv-2").id })).toBe(401);
    expect(await prove({ network: "f".repeat(64) })).toBe(401);
    expect(await prove({})).toBe(200);
  });

  test("sees its own stream alone", async () => {
    const started = await start();
    const [member, other] = [identityNamed("a"), identityNamed("b")];
    await register(started, member);
    await register(started, other);
    await hostParty(started, member, "alice");
    const session = await openSession(started, other);
    expect((await clientOf(started, session).follow({ query: { after: 0n } })).items).toEqual([]);
    for (const token of [undefined, "", "f".repeat(64)])
      expect(await statusOf(clientOf(started, token).follow({ query: { after: 0n } }))).toBe(401);
  });
});

describe("the parties of the network", () => {
  test("are listed to members, ordered by their bytes, in pages", async () => {
    const started = await start();
    const [member, other] = [identityNamed("a"), identityNamed("b")];
    await register(started, member);
    await register(started, other);
    const ours = await hostParty(started, member, "page-b");
    const theirs = [await hostParty(started, other, "page-C"), await hostParty(started, other, "page-a")];
    const all = [...theirs, ours].sort();
    const client = clientOf(started, await openSession(started, member));
    const list = async (query: { after?: string; prefix?: string; limit?: number; known?: string }) =>
      (await client.listTopologyParties({ query })).parties;
    expect(await list({ prefix: "page-" })).toEqual(all);
    expect(await list({ prefix: "page-", limit: 2 })).toEqual(all.slice(0, 2));
    expect(await list({ prefix: "page-", after: all[1] ?? "", limit: 2 })).toEqual(all.slice(2));
    for (const limit of [0, -5]) expect(await list({ prefix: "page-", limit })).toEqual(all.slice(0, 1));
    const everything = await list({});
    expect(everything).toEqual([...(everything ?? [])].sort());
    expect(everything).toEqual(expect.arrayContaining([...all, (await client.getNetwork()).dso]));
    expect(await list({ prefix: "page-", known: sha256(all.join("\n")) })).toBeNull();
    expect(await list({ prefix: "page-", known: sha256(theirs.join("\n")) })).toEqual(all);
    const asked = ["nobody::1220ab", ...theirs];
    expect(await client.findTopologyParties({ body: { parties: asked } })).toEqual({ parties: theirs });
  });

  test("are told to nobody without a session, and not for a question that is too large", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    for (const token of [undefined, "f".repeat(64)]) {
      expect(await statusOf(clientOf(started, token).listTopologyParties({ query: {} }))).toBe(401);
      expect(await statusOf(clientOf(started, token).findTopologyParties({ body: { parties: [] } }))).toBe(
        401,
      );
    }
    const client = clientOf(started, await openSession(started, member));
    const parties = Array.from({ length: 1001 }, (_, i) => `p${i}::1220ab`);
    expect(await statusOf(client.findTopologyParties({ body: { parties } }))).toBe(400);
    expect(await statusOf(client.findTopologyParties({ body: { parties: parties.slice(1) } }))).toBe(200);
    for (const query of [{ prefix: "x".repeat(256) }, { after: "x".repeat(256) }, { known: "x" }])
      expect(await statusOf(client.listTopologyParties({ query }))).toBe(400);
  });
});

describe("a member that asks for too much", () => {
  test("waits at four places at most: the one that waited longest is answered with nothing", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const client = clientOf(started, await openSession(started, member));
    const answered: number[] = [];
    const all: Promise<unknown>[] = [];
    for (let i = 0; i < 6; i++) {
      all.push(
        client.follow({ query: { after: 0n, waitMs: 20_000 } }).then(({ items }) => {
          answered.push(i);
          return items.length;
        }),
      );
      await clientOf(started).getNetwork();
    }
    await expect.poll(() => answered).toHaveLength(2);
    await hostParty(started, member, "alice");
    expect((await Promise.all(all)).toSorted()).toEqual([0, 0, 1, 1, 1, 1]);
  });

  test("has sixteen sessions at most: the oldest ends, and others' stay", async () => {
    const started = await start();
    const [member, other] = [identityNamed("a"), identityNamed("b")];
    await register(started, member);
    await register(started, other);
    const others = await openSession(started, other);
    const tokens: string[] = [];
    for (let i = 0; i < 17; i++) tokens.push(await openSession(started, member));
    const statuses = await Promise.all(
      [...tokens, others].map((token) => statusOf(clientOf(started, token).follow({ query: { after: 0n } }))),
    );
    expect(statuses).toEqual([401, ...Array.from({ length: 17 }, () => 200)]);
  });
});

test("a member that asks for digests alone gets the same items without their bodies", async () => {
  const started = await start();
  const member = identityNamed("a");
  await register(started, member);
  for (const hint of ["alice", "bob", "carol"]) await hostParty(started, member, hint);
  const client = clientOf(started, await openSession(started, member));
  const follow = async (query: { after: bigint; limit?: number; bodies?: boolean }) =>
    (await client.follow({ query })).items;
  const whole = await follow({ after: 0n });
  expect(whole.map(({ offset, body }) => [offset, body?.includes("hostings")])).toEqual(
    whole.map((_, i) => [i + 1, true]),
  );
  const bare = whole.map((item) => ({ ...item, body: null }));
  expect(await follow({ after: 0n, bodies: false })).toEqual(bare);
  expect(await follow({ after: 1n, limit: 1, bodies: false })).toEqual(bare.slice(1, 2));
  const previous = async (after: number) =>
    (await client.follow({ query: { after: BigInt(after) } })).previousDigest;
  const digests = await Promise.all([0, ...whole.map(({ offset }) => offset)].map(previous));
  expect(digests).toEqual([STREAM_BEGIN.digest, ...whole.map(({ digest }) => digest)]);
  expect(await previous(whole.length + 1)).toBeNull();
});

test("a closing sequencer answers waiting followers", async () => {
  const started = await start();
  const member = identityNamed("a");
  await register(started, member);
  const follower = new StreamFollower(started.node.replica, started.node.streams, systemHost);
  const { signal } = new AbortController();
  const wanted = { member: member.id, after: 0, limit: 1, waitMilliseconds: 20_000, bodies: true, signal };
  const waiting = follower.follow(wanted);
  follower.close();
  expect(await waiting).toEqual([]);
  expect(await follower.follow(wanted)).toEqual([]);
});

test("waiting followers leave room on the port for other calls", async () => {
  const { node } = await start();
  const follower = new StreamFollower(node.replica, node.streams, systemHost);
  const { signal } = new AbortController();
  const follow = (i: number) =>
    follower.follow({
      ...{ member: `member ${i}`, after: 0, limit: 1, waitMilliseconds: 20_000 },
      ...{ bodies: true, signal },
    });
  const waiting = Array.from({ length: 800 }, (_, i) => follow(i));
  await expect(follow(800)).rejects.toThrow("too many members wait");
  follower.close();
  await Promise.all(waiting);
});

test("the sequencer hands out the first entry, whose hash is the network's id and which names the SVs", async () => {
  const started = await start();
  const { content, recordTime } = await clientOf(started).getBeginning();
  const { network, svs } = await clientOf(started).getNetwork();
  const begun = readBeginning(sha256, { content, time: time(recordTime) });
  expect([begun?.id, begun?.svs]).toEqual([network, svs]);
  expect(await statusOf(clientOf(await start({ founded: false })).getBeginning())).toBe(503);
});

test("the sequencer describes the network and its position", async () => {
  const started = await start();
  const { state } = started.node.replica;
  const said = await clientOf(started).getNetwork();
  expect(said).toMatchObject({
    network: state.network?.id,
    dso: state.network?.dso,
    acronym: "cns",
    movableClock: true,
    svs: [started.sv.id],
    sequence: 1,
    digest: state.head.digest,
  });
  expect(Date.parse(said.now)).toBeGreaterThanOrEqual(Date.parse(said.recordTime));
});
