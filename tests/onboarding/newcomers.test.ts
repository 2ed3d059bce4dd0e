// Real SVs, sequencers and participants: strangers are held to a rate, and validators come in by the
// allowance of a new member.

import { startValidator } from "@callsign/validator";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, sequencerApi } from "../../packages/api/src/index.ts";
import { NEWCOMER_ALLOWANCE_BYTES } from "../../packages/ledger/src/transition/limits.ts";
import { SECOND } from "../../packages/ledger/src/values/duration.ts";
import { time, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import { type MemberIdentity, signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { statusOf } from "../support/call-outcome.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN, AUDIENCE, newParticipant, ready, SECRET, tokenFor } from "../support/participants.ts";
import { identityNamed, startSvNodes } from "../support/sv-nodes.ts";
import { Sponsor } from "./sponsor.ts";

/** Where the clock can be moved, any number may come. */
const WITH_LIMITS = { movableClock: false } as const;

describe("strangers", () => {
  test("39 that come to four sequencers within 1.5 seconds are held to ten at once, and each to its allowance", async () => {
    const { svs, sequencers } = await startSvNodes(4, onTestFinished, WITH_LIMITS);
    const [sv] = svs as [SvNode];
    const members = Array.from({ length: 39 }, (_, i) => identityNamed(`stranger-${i}`));
    const clients = sequencers.map((baseUrl) => createClient(sequencerApi, { fetch, baseUrl }));
    const { network, now } = await (clients[0] as (typeof clients)[0]).getNetwork();
    const maxRecordTime = timeFromMicros(time(now) + 60_000_000n);
    const onceOf = ({ id }: MemberIdentity) => ({
      ...{ network, member: id, submissionId: fresh("entry"), maxRecordTime },
    });
    const began = sv.now();
    const statuses = await Promise.all(
      members.map((member, i) => {
        const { nodeIdentifier, namespaceKey, signingKey } = member;
        const keys = { namespaceKey: namespaceKey.publicKey, signingKeys: [signingKey.publicKey] };
        const value = { ...onceOf(member), nodeIdentifier, ...keys };
        const { content, signatures } = signEntry({ tag: "RegisterMember", value }, [
          namespaceKey,
          signingKey,
        ]);
        const client = clients[i % clients.length] as (typeof clients)[0];
        return statusOf(client.submit({ body: { content, signatures: [...signatures] } }));
      }),
    );
    await until(() => sv.replica.state.network?.newcomers?.free === 0n, "ten have come", 30_000);
    const { state } = sv.replica;
    const come = members.filter(({ id }) => state.findMember(id) !== undefined);
    // One more may come with every ten seconds of the epoch that begin meanwhile; a slow machine takes longer than the strangers do.
    const later = (sv.now() - began) / (10n * SECOND) + 1n;
    expect(BigInt(come.length)).toBeGreaterThanOrEqual(10n);
    expect(BigInt(come.length)).toBeLessThanOrEqual(10n + later);
    // The network itself refuses those that came at once; a sequencer that has seen ten refuses later ones.
    for (const status of statuses) expect([200, 429]).toContain(status);
    for (const { id } of come) {
      const { free, isNewcomer } = state.findTraffic(id) ?? {};
      expect([free, isNewcomer]).toEqual([NEWCOMER_ALLOWANCE_BYTES, true]);
    }
    const [stranger] = come as [MemberIdentity];
    const before = state.head.sequence;
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => {
        const tick = { tag: "Tick", value: onceOf(stranger) } as const;
        const { content, signatures } = signEntry(tick, [stranger.signingKey]);
        const [client] = clients as [(typeof clients)[0]];
        return statusOf(client.submit({ body: { content, signatures: [...signatures] } })).then(
          (status) => [status, Buffer.byteLength(content)] as const,
        );
      }),
    );
    const taken = sent.filter(([status]) => status === 200);
    expect(taken.length).toBeGreaterThan(0);
    expect(sent.at(-1)?.[0]).toBe(429);
    const bytes = taken.reduce((sum, [, each]) => sum + each, 0);
    expect(BigInt(bytes)).toBeLessThanOrEqual(NEWCOMER_ALLOWANCE_BYTES);
    await until(() => state.head.sequence >= before + taken.length, "they are applied");
    expect(state.findTraffic(stranger.id)?.free).toBe(NEWCOMER_ALLOWANCE_BYTES - BigInt(bytes));
  });
});

describe("an honest validator with its operator's party, users and licence", () => {
  /** The bytes that its participant sends before it is licensed. */
  async function onboard(names: { node: string; hint: string; users: readonly string[] }): Promise<bigint> {
    const secret = fresh("secret");
    const sponsor = await Sponsor.start({ ...WITH_LIMITS, app: { expectedSecrets: [secret] } });
    const { replica, scanUrl, appUrl, sequencerUrl } = sponsor.node;
    const participant = await newParticipant([sequencerUrl], { nodeIdentifier: names.node });
    await ready(participant);
    let least = NEWCOMER_ALLOWANCE_BYTES;
    replica.onApplied(() => {
      const account = replica.state.findTraffic(participant.participantId);
      if (account?.isNewcomer === true) least = account.free;
    });
    const token = await tokenFor(ADMIN);
    const validator = await startValidator({
      ...{ dataFolder: temporaryFolder(), host: "127.0.0.1", port: 0, log: silentLog },
      ...{ participantUrl: participant.url, scans: [`${scanUrl}/api/scan`] },
      auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE },
      serviceUser: { userId: ADMIN, token: () => token },
      ...{ walletUsers: names.users, operatorPartyHint: names.hint, contactPoint: "ops@acme.example" },
      onboarding: { svUrl: `${appUrl}/api/sv`, secret },
    });
    onTestFinished(() => validator.close());
    await until(() => validator.isReady(), "the validator is ready", 60_000);
    expect(await sponsor.validators()).toEqual([validator.operatorParty()]);
    const account = replica.state.findTraffic(participant.participantId);
    expect(account?.isNewcomer).toBeUndefined();
    return NEWCOMER_ALLOWANCE_BYTES - least;
  }

  test("is onboarded, with names as they are", async () => {
    const users = Array.from({ length: 8 }, (_, i) => `user-${i}`);
    const sent = await onboard({ node: "acme-validator-1", hint: "acme-validator-1", users });
    expect(sent).toBeGreaterThan(300n);
    expect(sent).toBeLessThan(500n);
  });

  test("is onboarded, with the longest names", async () => {
    const hint = `${"o".repeat(171)}-validator-1`;
    const sent = await onboard({ node: "n".repeat(185), hint, users: ["u".repeat(128)] });
    expect(sent).toBeGreaterThan(500n);
    expect(sent).toBeLessThan(1_000n);
  });
});
