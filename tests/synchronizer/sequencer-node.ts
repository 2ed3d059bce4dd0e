/** A sequencer over HTTP with its replica, and members who use it. */
import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { sequencerApi } from "../../packages/api/src/sequencer/api.ts";
import { sessionMessage } from "../../packages/api/src/sequencer/session-texts.ts";
import type { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { time, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import type { HttpServer } from "../../packages/node/src/http/http-server.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import { type MemberIdentity, signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { OwnPeer } from "../../packages/synchronizer/src/peers/own-peer.ts";
import { svSignatures } from "../../packages/synchronizer/src/peers/sv-signatures.ts";
import { AppliedHeads } from "../../packages/synchronizer/src/replica/applied-heads.ts";
import { mountSequencer } from "../../packages/synchronizer/src/sequencer/mount-sequencer.ts";
import { Sequencer } from "../../packages/synchronizer/src/sequencer/sequencer.ts";
import { serveMount } from "../support/serve-mount.ts";
import { freshOpening } from "../support/session-opening.ts";
import { identityNamed, machineTime } from "../support/sv-nodes.ts";
import { openStreamReplica, type StreamReplica } from "./stream-replica.ts";

export interface Running {
  readonly node: StreamReplica;
  readonly server: HttpServer;
  readonly sv: MemberIdentity;
}

/** Runs until the test is over. */
export async function start({
  founded = true,
  ...more
}: {
  readonly founded?: boolean;
  readonly freeTrafficBytes?: bigint;
} = {}): Promise<Running> {
  const log = new SqliteLog(":memory:", systemHost);
  const node = openStreamReplica({ log });
  const { replica, streams } = node;
  const sequencer = new Sequencer({ log, hash: sha256, clock: machineTime });
  const sv = identityNamed("sv-1");
  const stop = new AbortController();
  const following = replica.run(stop.signal);
  onTestFinished(async () => {
    await sequencer.close();
    stop.abort();
    await following;
    await log.close();
    node.close();
  });
  if (founded) {
    const founding = signFounding({ svs: [{ identity: sv }], movableClock: true, isDevNet: true, ...more });
    await replica.reach(await sequencer.submit(founding), stop.signal);
  }
  const heads = new AppliedHeads(replica);
  const networkId = () => replica.state.network?.id ?? null;
  const peer = new OwnPeer({
    ...{ id: sv.id, heads, signingKey: () => sv.signingKey, network: () => networkId() ?? "" },
    copy: log,
    enterTerm: async () => undefined,
    tick: () => Promise.reject(new Error("no ticks here")),
  });
  const checks = new SignatureChecks();
  const holds = svSignatures(replica.state, checks);
  const { mount, close } = mountSequencer({
    ...{ identity: sv, log, replica, streams, sequencer, hash: sha256, checks },
    peers: { peer, heads, network: networkId, holds, timers: systemHost.timers, snapshot: () => null },
    ...{ clock: machineTime, host: systemHost },
    health: { id: "test", missing: () => null, port: () => 0, clock: systemHost.clock },
  });
  const server = await serveMount(mount);
  onTestFinished(close);
  return { node, server, sv };
}

export function clientOf({ server }: Running, token?: string) {
  const options = { fetch, baseUrl: server.url };
  return createClient(sequencerApi, token === undefined ? options : { ...options, token: () => token });
}

let ids = 0;

export async function once(started: Running, { id }: MemberIdentity, submissionId = `entry ${++ids}`) {
  const { network, now } = await clientOf(started).getNetwork();
  return { network, member: id, submissionId, maxRecordTime: timeFromMicros(time(now) + 60_000_000n) };
}

export async function register(started: Running, member: MemberIdentity): Promise<void> {
  const value = {
    ...(await once(started, member)),
    nodeIdentifier: member.nodeIdentifier,
    namespaceKey: member.namespaceKey.publicKey,
    signingKeys: [member.signingKey.publicKey],
  };
  await submit(started, { tag: "RegisterMember", value }, [member.namespaceKey, member.signingKey]);
}

export async function submit(
  started: Running,
  content: EntryContent,
  keys: readonly MemberIdentity["signingKey"][],
) {
  const { content: text, signatures } = signEntry(content, keys);
  const { sequence } = await clientOf(started).submit({
    body: { content: text, signatures: [...signatures] },
  });
  await started.node.replica.reach(sequence, AbortSignal.timeout(60_000));
  return sequence;
}

export async function hostParty(started: Running, member: MemberIdentity, hint: string): Promise<string> {
  const party = `${hint}::${member.namespace}` as MemberIdentity["id"];
  const value = { ...(await once(started, member)), party, hosts: [member.id], serial: 1n };
  await submit(started, { tag: "HostParty", value }, [member.signingKey]);
  return party;
}

export async function openSession(
  started: Running,
  member: MemberIdentity,
  key = member.signingKey,
): Promise<string> {
  const client = clientOf(started);
  const { network, sequencer } = await client.getNetwork();
  const { challenge } = await client.askChallenge({ body: { member: member.id, ...freshOpening() } });
  const signature = key.sign(sessionMessage({ network, sequencer, challenge }));
  const proof = { member: member.id, challenge, publicKey: key.publicKey, signature };
  return (await client.openSession({ body: proof })).token;
}
