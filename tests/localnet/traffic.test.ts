// The local network's free traffic against what a load test sends: nobody who tries things out has to buy any. And
// that its four scans agree on members and rewards.

import { afterAll, beforeAll, expect, test } from "vitest";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { scanJson } from "../../packages/ledger/src/daml/json-dialect.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { NameWorld } from "../scan/name-world.ts";
import { LocalNetwork } from "../support/local-network.ts";

/** Transactions a second that the whole network, and one replica alone, are to take at least. */
const TARGETS = { network: 200n, replica: 2_000n };

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
});
afterAll(() => world?.close());

async function freeTraffic(): Promise<{ readonly burst: bigint; readonly perSecond: bigint }> {
  const { amulet_rules_update } = await world.scan().getAmuletRules({ body: {} });
  const rules = AmuletRules.record.fromJson(
    (amulet_rules_update.contract?.payload ?? null) as never,
    scanJson,
  );
  const { fees } = rules.configSchedule.initialValue.decentralizedSynchronizer;
  const { burstAmount, burstWindow } = fees.baseRateTrafficLimits;
  return { burst: burstAmount, perSecond: (burstAmount * 1_000_000n) / burstWindow.microseconds };
}

/** The longest entry of a wallet's: installing it, tapping, asking for a name, paying, renewing. */
function longestEntry(): number {
  const names = new NameWorld();
  const alice = names.wallet("alice");
  names.buy(alice, {
    name: `${"a".repeat(45)}.unverified.cns`,
    url: `https://example.com/${"u".repeat(230)}`,
    description: "d".repeat(140),
  });
  for (let i = 0; i < 10; i++) alice.tap(decimal("10.0"));
  alice.merge();
  const sent = names.network.log.filter(({ content }) => content.includes(names.validator.id));
  expect(sent.length).toBeGreaterThan(15);
  return Math.max(...sent.map(({ content }) => Buffer.byteLength(content)));
}

test("one member's free traffic is the network's whole rate, and its burst is ten minutes of a replica's work", async () => {
  const { burst, perSecond } = await freeTraffic();
  const longest = BigInt(longestEntry());
  // Some 3 kB, for a wallet that merges ten coins; bench/network-load installs wallets, which takes a quarter of it.
  expect(longest).toBeGreaterThan(1_000n);
  expect(perSecond).toBeGreaterThanOrEqual(longest * TARGETS.network);
  expect(burst / (longest * TARGETS.replica)).toBeGreaterThan(600n);
});

test("all scans agree on members, licenses and rewards", async () => {
  const { party_id: party } = await world.validator("app-user").userStatus();
  await world.net.settle();
  const { net: network } = world;
  const domain = (await world.scan().listDsoScans()).scans[0]?.domainId ?? "";
  const { participant_id: member } = await world
    .scan()
    .getPartyToParticipant({ params: { domain_id: domain, party_id: party } });
  expect(member).toMatch(/^PAR::\S+::1220[0-9a-f]{64}$/);
  const here = `/v0/domains/${encodeURIComponent(domain)}`;
  const paths = [
    `${here}/members/${encodeURIComponent(member)}/traffic-status`,
    `${here}/parties/${encodeURIComponent(party)}/participant-id`,
    "/v0/admin/validator/licenses",
    "/v0/rewards-collected",
    "/v0/rewards-collected?round=0",
    "/v0/amulet-config-for-round",
  ];
  for (const path of paths) {
    const answers = await Promise.all(
      network.svs.map(async ({ scanUrl }) => {
        const answer = await fetch(`${scanUrl}/api/scan${path}`);
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(path.endsWith("round=0") ? /^404 / : /^200 /);
  }
});
