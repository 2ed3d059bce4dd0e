// The sequencer over HTTP: members prove their key, submit signed entries, follow their own stream.

import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { HttpError } from "../../packages/api/src/client-errors.ts";
import { sequencerApi, sessionMessage } from "../../packages/api/src/sequencer/api.ts";
import type { StreamItem } from "../../packages/api/src/sequencer/stream-item.ts";
import type { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { parseTime, type Time, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import { type HttpServer, startHttpServer } from "../../packages/server/src/http/http-server.ts";
import { generatePrivateKey, sha256 } from "../../packages/server/src/identity/keys.ts";
import {
  identityOf,
  type MemberIdentity,
  signEntry,
} from "../../packages/server/src/identity/member-identity.ts";
import { SignatureChecks } from "../../packages/server/src/identity/signature-checks.ts";
import { silentLog } from "../../packages/server/src/observability/log.ts";
import { foundNetwork } from "../../packages/server/src/sv/found-network.ts";
import { mountSequencer } from "../../packages/server/src/synchronizer/mount-sequencer.ts";
import { Sequencer } from "../../packages/server/src/synchronizer/sequencer.ts";
import { SqliteLog } from "../../packages/server/src/synchronizer/sqlite-log.ts";
import { TestNode } from "./test-node.ts";

const clock = (): Time => timeFromMicros(BigInt(Date.now()) * 1000n);
const newIdentity = (nodeIdentifier: string): MemberIdentity =>
  identityOf({ nodeIdentifier, namespaceKey: generatePrivateKey(), signingKey: generatePrivateKey() });

interface Running {
  readonly node: TestNode;
  readonly server: HttpServer;
  readonly sv: MemberIdentity;
  readonly close: () => Promise<void>;
}

const running: Running[] = [];
afterEach(async () => {
  for (const { close } of running.splice(0)) await close();
});

async function start({ founded = true } = {}): Promise<Running> {
  const log = new SqliteLog(":memory:");
  const node = new TestNode({ log });
  const sequencer = new Sequencer({ log, hash: sha256, clock });
  const sv = newIdentity("sv-1");
  const stop = new AbortController();
  const following = node.replica.run(stop.signal);
  if (founded) {
    const founding = foundNetwork({ svs: [{ identity: sv }], movableClock: true, isDevNet: true });
    await node.replica.reach(await sequencer.submit(founding), stop.signal);
  }
  const { replica, streams } = node;
  const parts = { replica, streams, sequencer, hash: sha256, checks: new SignatureChecks(), clock };
  const health = { id: "test", missing: () => null, port: () => 0 };
  const { mount, close } = mountSequencer({ ...parts, health });
  const server = await startHttpServer({ host: "127.0.0.1", port: 0, mounts: [mount], log: silentLog });
  const started = {
    node,
    server,
    sv,
    close: async () => {
      close();
      await server.close();
      await sequencer.close();
      stop.abort();
      await following;
      await log.close();
      node.close();
    },
  };
  running.push(started);
  return started;
}

function clientOf({ server }: Running, token?: string) {
  const options = { fetch, baseUrl: server.url };
  return createClient(sequencerApi, token === undefined ? options : { ...options, token: () => token });
}

async function once(started: Running, { id }: MemberIdentity, submissionId = `id ${Math.random()}`) {
  const { network, now } = await clientOf(started).getNetwork();
  const time = parseTime(now);
  if (!time.ok) throw new Error(time.error);
  return { network, member: id, submissionId, maxRecordTime: timeFromMicros(time.value + 60_000_000n) };
}

async function register(started: Running, member: MemberIdentity): Promise<void> {
  const value = {
    ...(await once(started, member)),
    nodeIdentifier: member.nodeIdentifier,
    namespaceKey: member.namespaceKey.publicKey,
    signingKeys: [member.signingKey.publicKey],
  };
  await submit(started, { tag: "RegisterMember", value }, [member.namespaceKey, member.signingKey]);
}

async function submit(
  started: Running,
  content: EntryContent,
  keys: readonly MemberIdentity["signingKey"][],
) {
  const { content: text, signatures } = signEntry(content, keys);
  const { sequence } = await clientOf(started).submit({
    body: { content: text, signatures: [...signatures] },
  });
  await started.node.replica.reach(sequence, AbortSignal.timeout(5000));
  return sequence;
}

async function hostParty(started: Running, member: MemberIdentity, hint: string): Promise<string> {
  const party = `${hint}::${member.namespace}` as MemberIdentity["id"];
  const value = { ...(await once(started, member)), party, hosts: [member.id], serial: 1n };
  await submit(started, { tag: "HostParty", value }, [member.signingKey]);
  return party;
}

async function openSession(
  started: Running,
  member: MemberIdentity,
  key = member.signingKey,
): Promise<string> {
  const client = clientOf(started);
  const { challenge } = await client.askChallenge({ body: { member: member.id } });
  const signature = key.sign(sessionMessage(challenge));
  const proof = { member: member.id, challenge, publicKey: key.publicKey, signature };
  return (await client.openSession({ body: proof })).token;
}

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.status : -1),
  );

describe("a member", () => {
  test("registers, proves its key, and follows what concerns it, as it happens", async () => {
    const started = await start();
    const member = newIdentity("alice-node");
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
    const member = newIdentity("a");
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
    const [member, other] = [newIdentity("a"), newIdentity("b")];
    await register(started, member);
    await register(started, other);
    expect(await openSession(started, member, member.namespaceKey)).toMatch(/^[0-9a-f]{64}$/);
    expect(await statusOf(openSession(started, member, other.signingKey))).toBe(401);
    expect(await statusOf(openSession(started, newIdentity("c")))).toBe(401);
  });

  test("cannot use a challenge twice, nor one that was made for another", async () => {
    const started = await start();
    const [member, other] = [newIdentity("a"), newIdentity("b")];
    await register(started, member);
    await register(started, other);
    const client = clientOf(started);
    const { challenge } = await client.askChallenge({ body: { member: member.id } });
    const proofOf = (identity: MemberIdentity) => ({
      member: identity.id,
      challenge,
      publicKey: identity.signingKey.publicKey,
      signature: identity.signingKey.sign(sessionMessage(challenge)),
    });
    expect(await statusOf(client.openSession({ body: proofOf(other) }))).toBe(401);
    expect(await statusOf(client.openSession({ body: proofOf(member) }))).toBe(401);
    const again = await client.askChallenge({ body: { member: member.id } });
    const signature = member.signingKey.sign(sessionMessage(again.challenge));
    const proof = { ...proofOf(member), challenge: again.challenge, signature };
    expect(await statusOf(client.openSession({ body: proof }))).toBe(200);
    expect(await statusOf(client.openSession({ body: proof }))).toBe(401);
  });

  test("sees its own stream alone", async () => {
    const started = await start();
    const [member, other] = [newIdentity("a"), newIdentity("b")];
    await register(started, member);
    await register(started, other);
    await hostParty(started, member, "alice");
    const session = await openSession(started, other);
    expect((await clientOf(started, session).follow({ query: { after: 0n } })).items).toEqual([]);
    for (const token of [undefined, "", "f".repeat(64)])
      expect(await statusOf(clientOf(started, token).follow({ query: { after: 0n } }))).toBe(401);
  });
});

describe("an entry is not taken", () => {
  test("unless a key of its member signed it", async () => {
    const started = await start();
    const [member, stranger] = [newIdentity("a"), newIdentity("b")];
    await register(started, member);
    const tick = async (of: MemberIdentity): Promise<EntryContent> => ({
      tag: "Tick",
      value: await once(started, of),
    });
    expect(await statusOf(submit(started, await tick(member), [member.signingKey]))).toBe(200);
    expect(await statusOf(submit(started, await tick(member), [stranger.signingKey]))).toBe(403);
    expect(await statusOf(submit(started, await tick(stranger), [stranger.signingKey]))).toBe(403);
    expect(await statusOf(submit(started, await tick(member), []))).toBe(403);
  });

  test("if a signature does not hold, or it is for another network", async () => {
    const started = await start();
    const member = newIdentity("a");
    await register(started, member);
    const before = started.node.replica.state.head.sequence;
    const value = await once(started, member);
    const elsewhere = { tag: "Tick" as const, value: { ...value, network: "f".repeat(64) } };
    expect(await statusOf(submit(started, elsewhere, [member.signingKey]))).toBe(403);
    const { content } = signEntry({ tag: "Tick", value }, [member.signingKey]);
    const { signatures } = signEntry({ tag: "Tick", value: { ...value, submissionId: "x" } }, [
      member.signingKey,
    ]);
    const body = { content, signatures: [...signatures] };
    expect(await statusOf(clientOf(started).submit({ body }))).toBe(403);
    expect(started.node.replica.state.head.sequence).toBe(before);
  });

  test.each(["", "{", "[]", '["Tick"]', '["FoundNetwork",["a","b"]]', '["Tick",[1,2]]'])(
    "that is none: %s",
    async (content) => {
      const started = await start();
      const { signingKey } = newIdentity("a");
      const signatures = [{ publicKey: signingKey.publicKey, signature: signingKey.sign(content) }];
      expect(await statusOf(clientOf(started).submit({ body: { content, signatures } }))).toBe(403);
    },
  );

  test("before the network is founded", async () => {
    const started = await start({ founded: false });
    expect(await statusOf(clientOf(started).getNetwork())).toBe(503);
    const body = { content: '["Tick",["a","b","c","0"]]', signatures: [] };
    expect(await statusOf(clientOf(started).submit({ body }))).toBe(403);
  });
});

test("the network says what it is and where it stands", async () => {
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
