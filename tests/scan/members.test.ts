import { createClient, scanApi } from "@callsign/api";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../packages/ledger/src/transition/key.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import { formatPartyId } from "../../packages/ledger/src/values/party-id.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { ServedWorld } from "./served-world.ts";

/** With all of the wallet's coin. */
function buyTraffic(wallet: WalletActor, memberId: string, trafficAmount: bigint): void {
  const { network, member, party } = wallet;
  const inputs = wallet.inputs();
  accept(new EconomyWallet(network, member, party).buyTraffic(memberId, trafficAmount, inputs));
}

function client(world: ServedWorld) {
  return createClient(scanApi, { fetch, baseUrl: world.url });
}

describe("the traffic of a member", () => {
  const status = (consumed: number, purchased: number) => ({
    traffic_status: {
      actual: { total_consumed: consumed, total_limit: purchased },
      target: { total_purchased: purchased },
    },
  });

  test("is what active contracts bought for it, over the same member's purchases, from the next entry on", async () => {
    const world = await ServedWorld.start();
    const wallet = world.wallet("alice");
    const { synchronizerId } = world.network.network;
    const ask = async (member: SimulatedMember) => {
      await world.scan();
      const params = { domain_id: synchronizerId, member_id: `PAR::${member.id}` };
      return client(world).getMemberTrafficStatus({ params });
    };
    const other = world.network.registerMember("other");
    expect(await ask(world.validator)).toEqual(status(0, 0));
    expect(await ask(other)).toEqual(status(0, 0));
    wallet.tap(decimal("10000.0"));
    buyTraffic(wallet, `PAR::${world.validator.id}`, 200_000n);
    expect(await ask(world.validator)).toEqual(status(0, 200_000));
    buyTraffic(wallet, `PAR::${world.validator.id}`, 300_001n);
    buyTraffic(wallet, `PAR::${other.id}`, 250_000n);
    expect(await ask(world.validator)).toEqual(status(0, 500_001));
    expect(await ask(other)).toEqual(status(0, 250_000));
    // SVs pay nothing, and are members all the same.
    expect(await ask(world.network.svs[0] as SimulatedMember)).toEqual(status(0, 0));
  });

  test("that is more than JSON's numbers can tell is shown as the most that they can, whoever bought it", async () => {
    const world = await ServedWorld.start();
    const { synchronizerId } = world.network.network;
    const stranger = world.wallet("stranger");
    stranger.tap(decimal("100000000000000000.0"));
    const memberId = `PAR::${world.validator.id}`;
    const params = { domain_id: synchronizerId, member_id: memberId };
    for (const bytes of [2n ** 53n - 1n, 200_000n, 2n ** 63n - 1n]) {
      buyTraffic(stranger, memberId, bytes);
      await world.scan();
      // Numbers beyond this are neither exact nor accepted by the client.
      expect(await client(world).getMemberTrafficStatus({ params })).toEqual(status(0, 2 ** 53 - 1));
    }
  });

  test("that nobody knows is 404, and what is no id is 400", async () => {
    const world = await ServedWorld.start();
    const here = encodeURIComponent(world.network.network.synchronizerId);
    const known = world.validator.id;
    const path = (domain: string, member: string) =>
      `/api/scan/v0/domains/${domain}/members/${encodeURIComponent(member)}/traffic-status`;
    const elsewhere = `global-domain::1220${"ab".repeat(32)}`;
    for (const [domain, member] of [
      [here, "PAR::nobody::1220ab"],
      [here, `MED::${known}`],
      [encodeURIComponent(elsewhere), `PAR::${known}`],
    ] as const) {
      const { status: code, body } = await world.getJson(path(domain, member));
      const error = `No traffic state found for member ${member} on ${decodeURIComponent(domain)}`;
      expect({ code, body }).toEqual({ code: 404, body: { error } });
    }
    for (const member of [known, "PAR::", "PAR", "PAR::alice", "XYZ::alice::1220ab", " "]) {
      const { status: code, body } = await world.getJson(path(here, member));
      expect([member, code]).toEqual([member, 400]);
      expect((body as { error: string }).error).toMatch(/^Could not decode member ID: /);
    }
    const { status: code, body } = await world.getJson(path("nowhere", `PAR::${known}`));
    expect(code).toBe(400);
    expect((body as { error: string }).error).toMatch(/^Could not decode domain ID: .*nowhere/);
  });

  test("stands still at a lagging scan, and is another one at a liar", async () => {
    const world = await ServedWorld.start();
    const wallet = world.wallet("alice");
    wallet.tap(decimal("10000.0"));
    buyTraffic(wallet, `PAR::${world.validator.id}`, 200_000n);
    await world.scan();
    const params = {
      domain_id: world.network.network.synchronizerId,
      member_id: `PAR::${world.validator.id}`,
    };
    const ask = () => client(world).getMemberTrafficStatus({ params });
    world.misbehaviour.behave("lag");
    buyTraffic(wallet, `PAR::${world.validator.id}`, 200_000n);
    await world.scan();
    expect(await ask()).toEqual(status(0, 200_000));
    world.misbehaviour.behave("lie");
    expect(await ask()).toEqual(status(10, 1_400_000));
    world.misbehaviour.behave("honest");
    expect(await ask()).toEqual(status(0, 400_000));
  });
});

describe("the participant of a party", () => {
  test("is the member that hosts it", async () => {
    const world = await ServedWorld.start();
    const alice = world.wallet("alice");
    await world.scan();
    const { synchronizerId } = world.network.network;
    for (const party_id of [alice.party, world.validator.party]) {
      const answer = await client(world).getPartyToParticipant({
        params: { domain_id: synchronizerId, party_id },
      });
      expect(answer).toEqual({ participant_id: `PAR::${world.validator.id}` });
    }
  });

  test("that nobody hosts is 404, that several host is 500, and what is no id is 400", async () => {
    const world = await ServedWorld.start();
    const { network, validator } = world;
    const other = network.registerMember("other");
    const namespace = fingerprintOf(sha256, validator.namespaceKey.publicKey);
    const shared = expectParsed(formatPartyId({ hint: "shared", namespace }));
    const hosts = [validator.id, other.id];
    network.append(
      { tag: "HostParty", value: { ...network.once(validator.id), party: shared, hosts, serial: 1n } },
      [validator.signingKey, other.signingKey],
    );
    await world.scan();
    const here = encodeURIComponent(network.network.synchronizerId);
    const ask = (domain: string, party: string) =>
      world.getJson(`/v0/domains/${domain}/parties/${encodeURIComponent(party)}/participant-id`);
    const nobody = { error: "No participant id found hosting party: nobody::1220ab" };
    expect(await ask(here, "nobody::1220ab")).toEqual({ status: 404, body: nobody });
    expect((await ask("elsewhere%3A%3A1220ab", validator.party)).status).toBe(404);
    const { status, body } = await ask(here, shared);
    expect(status).toBe(500);
    expect((body as { error: string }).error).toContain(`${shared} is hosted on multiple participants`);
    expect(await ask(here, "nobody")).toEqual({
      status: 400,
      body: { error: 'Could not decode party ID: "nobody" does not read <identifier>::<fingerprint>' },
    });
    expect((await ask("nowhere", validator.party)).status).toBe(400);
  });
});
