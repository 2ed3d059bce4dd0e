// Entries that a sequencer refuses because they could only fill the log.

import { describe, expect, test } from "vitest";
import type { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { signedMessage } from "../../packages/ledger/src/transition/log-entry.ts";
import { timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import { type MemberIdentity, signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { statusOf } from "../support/call-outcome.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { clientOf, once, register, start, submit } from "./sequencer-node.ts";

describe("an entry is not taken", () => {
  test("unless a key of its member signed it", async () => {
    const started = await start();
    const [member, stranger] = [identityNamed("a"), identityNamed("b")];
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
    const member = identityNamed("a");
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
      const { signingKey } = identityNamed("a");
      const signatures = [{ publicKey: signingKey.publicKey, signature: signingKey.sign(content) }];
      expect(await statusOf(clientOf(started).submit({ body: { content, signatures } }))).toBe(403);
    },
  );

  test("if its content is too much for the transition, whoever signed it", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const { network } = await clientOf(started).getNetwork();
    const before = started.node.replica.state.head.sequence;
    for (const content of [
      JSON.stringify(["Submit", [network, member.id, "x".repeat(1_000_000)]]),
      JSON.stringify(["Tick", [network, member.id, "id", "2026-01-01T00:00:00Z"]]),
      `${"[".repeat(1000)}${"]".repeat(1000)}`,
    ]) {
      const signature = member.signingKey.sign(signedMessage(content));
      const body = { content, signatures: [{ publicKey: member.signingKey.publicKey, signature }] };
      expect(await statusOf(clientOf(started).submit({ body }))).toBe(403);
    }
    const signatures = Array.from({ length: 65 }, () => ({
      publicKey: "0".repeat(64),
      signature: "0".repeat(128),
    }));
    expect(await statusOf(clientOf(started).submit({ body: { content: "x", signatures } }))).toBe(400);
    expect(started.node.replica.state.head.sequence).toBe(before);
  });

  test("with the namespace key where a signing key is due", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const tick = { tag: "Tick" as const, value: await once(started, member) };
    expect(await statusOf(submit(started, tick, [member.namespaceKey]))).toBe(403);
    const [next] = [identityNamed("b").signingKey];
    const value = { ...(await once(started, member)), signingKeys: [next.publicKey], serial: 2n };
    const delegation = { tag: "DelegateKeys" as const, value };
    expect(await statusOf(submit(started, delegation, [member.namespaceKey, next]))).toBe(200);
    expect(await statusOf(submit(started, tick, [member.signingKey]))).toBe(403);
    expect(await statusOf(submit(started, tick, [next]))).toBe(200);
  });

  test("too late, too early, or with an id that is too long or was used", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const value = await once(started, member);
    const tick = (change: Partial<typeof value>) =>
      statusOf(submit(started, { tag: "Tick", value: { ...value, ...change } }, [member.signingKey]));
    const later = (seconds: bigint) => timeFromMicros(value.maxRecordTime + seconds * 1_000_000n);
    expect(await tick({ maxRecordTime: later(-120n) })).toBe(403);
    expect(await tick({ maxRecordTime: later(86_400n) })).toBe(403);
    expect(await tick({ submissionId: "x".repeat(256) })).toBe(403);
    expect(await tick({})).toBe(200);
    expect(await tick({})).toBe(403);
  });

  test("beyond what its member has paid for, counting what is under way", async () => {
    const started = await start({ freeTrafficBytes: 2000n });
    const member = identityNamed("a");
    await register(started, member);
    const value = await once(started, member);
    const before = started.node.replica.state.head.sequence;
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        statusOf(
          submit(started, { tag: "Tick", value: { ...value, submissionId: `id ${i}` } }, [member.signingKey]),
        ),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const taken = statuses.filter((status) => status === 200).length;
    const { content } = signEntry({ tag: "Tick", value }, []);
    expect(taken * Buffer.byteLength(content)).toBeLessThan(2200);
    expect(started.node.replica.state.head.sequence).toBe(before + taken);
  });

  test("twice, though both come before either is applied", async () => {
    const started = await start();
    const member = identityNamed("a");
    await register(started, member);
    const tick = { tag: "Tick" as const, value: await once(started, member) };
    const statuses = await Promise.all(
      [1, 2, 3].map(() => statusOf(submit(started, tick, [member.signingKey]))),
    );
    expect(statuses.toSorted()).toEqual([200, 403, 403]);
  });

  test("of more newcomers than a network expects", async () => {
    const started = await start();
    const newcomers = Array.from({ length: 15 }, (_, i) => identityNamed(`n${i}`));
    const statuses = await Promise.all(newcomers.map((member) => statusOf(register(started, member))));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
  });

  test("before the network is founded", async () => {
    const started = await start({ founded: false });
    expect(await statusOf(clientOf(started).getNetwork())).toBe(503);
    const body = { content: '["Tick",["a","b","c","0"]]', signatures: [] };
    expect(await statusOf(clientOf(started).submit({ body }))).toBe(403);
  });
});
