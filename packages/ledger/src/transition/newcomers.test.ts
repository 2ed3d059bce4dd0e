/** New members in protocol version 4: the network takes in so many, and each may send a little before it is licensed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinSv } from "../../testing/change-svs.ts";
import { continuationOf, signContinuation, signingKeys, unsigned } from "../../testing/continued-log.ts";
import { DsoActor } from "../../testing/dso-actor.ts";
import { EconomyDso } from "../../testing/economy-dso.ts";
import { memberKey } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { lending } from "../../testing/small-allowance.ts";
import { anyCommand, causeOf, resultOf, sign, TestReplica } from "../../testing/transition-fixture.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { createCommand } from "../engine/command.ts";
import { decimal } from "../values/decimal.ts";
import { DAY, MINUTE, SECOND } from "../values/duration.ts";
import { expectParsed } from "../values/parsed.ts";
import { formatPartyId } from "../values/party-id.ts";
import { addDuration, type Time } from "../values/time.ts";
import { fingerprintOf, memberIdOf } from "./key.ts";
import type { Network } from "./ledger-view.ts";
import { accountOf, remaining, takeNewcomer } from "./traffic.ts";

function found(protocolVersion = 4n, svs = 1): SimulatedNetwork {
  return new SimulatedNetwork({
    ...{ svs, terms: { protocolVersion, movableClock: false } },
  });
}

/** The registration of a stranger, and nothing else. */
function register(network: SimulatedNetwork, name: string) {
  const [namespaceKey, signingKey] = [memberKey(`${name} namespace`), memberKey(`${name} signing`)];
  const id = expectParsed(memberIdOf(sha256, name, namespaceKey.publicKey));
  const namespace = fingerprintOf(sha256, namespaceKey.publicKey);
  const party = expectParsed(formatPartyId({ hint: name, namespace }));
  const value = {
    ...{ ...network.once(id), nodeIdentifier: name },
    namespaceKey: namespaceKey.publicKey,
    signingKeys: [signingKey.publicKey],
  };
  const outcome = network.append({ tag: "RegisterMember", value }, [namespaceKey, signingKey]);
  return { outcome, member: { id, party, namespaceKey, signingKey } satisfies SimulatedMember };
}

const leftOf = (network: SimulatedNetwork, { id }: SimulatedMember) =>
  remaining(accountOf(network.state, network.network, id, network.now));

describe("the rate of new members", () => {
  test("is ten at once for the whole network, and one in ten seconds then", () => {
    const network = found();
    const results = Array.from({ length: 12 }, (_, i) => resultOf(register(network, `m${i}`).outcome));
    expect(results).toEqual([
      ...Array.from({ length: 10 }, () => "accepted"),
      "SEQUENCER_BACKPRESSURE",
      "SEQUENCER_BACKPRESSURE",
    ]);
    network.advance(10n * SECOND);
    const [one, two] = [register(network, "later"), register(network, "too early")];
    expect(resultOf(one.outcome)).toBe("accepted");
    expect(resultOf(two.outcome)).toBe("SEQUENCER_BACKPRESSURE");
    expect(causeOf(two.outcome)).toContain("10 new members at once, and one in 10 seconds: try again");
    expect(network.state.findMember(two.member.id)).toBeUndefined();
    network.advance(DAY);
    const again = Array.from({ length: 11 }, (_, i) => resultOf(register(network, `n${i}`).outcome));
    expect(again.filter((result) => result === "accepted")).toHaveLength(10);
  });

  test.each([
    ["in earlier versions", { protocolVersion: 3n, movableClock: false }],
    ["where the clock can be moved", { movableClock: true }],
  ])("is without limit %s, and so is the allowance", (_, terms) => {
    const network = new SimulatedNetwork({ svs: 1, terms });
    const come = Array.from({ length: 15 }, (_, i) => register(network, `m${i}`));
    expect(new Set(come.map(({ outcome }) => resultOf(outcome)))).toEqual(new Set(["accepted"]));
    expect(network.network.newcomers).toBeUndefined();
    for (const { member } of come) expect(leftOf(network, member)).toBe(network.network.burstAmount);
  });

  test("is counted by registrations that are accepted alone", () => {
    const network = found();
    const { member } = register(network, "alice");
    const before = network.network.newcomers;
    network.append({ tag: "Tick", value: network.once("nobody") }, [member.signingKey]);
    network.hostParty(member, "alice");
    expect(network.network.newcomers).toEqual(before);
  });

  test("never lets in more than ten and one for every ten seconds that have passed, whenever they come", () => {
    const pauses = fc.array(fc.bigInt({ min: 0n, max: MINUTE }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(pauses, (given) => {
        let network = {} as Network;
        let [now, taken] = [addDuration(0n as Time, DAY), 0n];
        const began = now;
        for (const pause of given) {
          now = addDuration(now, pause);
          const next = takeNewcomer(network, now);
          if (next === null) continue;
          network = next;
          taken++;
        }
        expect(taken).toBeLessThanOrEqual(10n + (now - began) / (10n * SECOND) + 1n);
      }),
    );
  });
});

describe("the allowance of a new member", () => {
  test("is 4,000 bytes, and does not refill", () => {
    const network = found();
    const { member } = register(network, "alice");
    expect(leftOf(network, member)).toBe(4_000n);
    network.hostParty(member, "alice");
    const left = leftOf(network, member);
    expect(left).toBeLessThan(4_000n);
    network.advance(365n * DAY);
    expect(leftOf(network, member)).toBe(left);
  });

  test("lets a member host its party and submit a little, and is then used up", () => {
    const network = found();
    const { member } = register(network, "alice");
    network.hostParty(member, "alice");
    let sent = 0;
    for (;;) {
      const outcome = network.submit(member, { actAs: [member.party], commands: [anyCommand(member.party)] });
      if (resultOf(outcome) !== "accepted") {
        expect(resultOf(outcome)).toBe("SEQUENCER_BACKPRESSURE");
        expect(causeOf(outcome)).toContain("4000 bytes before it has a licence: get one from an SV, or buy");
        break;
      }
      sent++;
    }
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(sent).toBeLessThan(8);
  });

  test("is the full one with the licence of a party that it hosts", () => {
    const network = found(4n, 4);
    const alice = network.registerMember("alice");
    const bob = network.registerMember("bob");
    const before = leftOf(network, bob);
    new EconomyDso(new DsoActor(network)).onboard(alice.party);
    expect(leftOf(network, alice)).toBe(network.network.burstAmount);
    expect(leftOf(network, bob)).toBe(before);
    // It refills from now on.
    network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
    expect(leftOf(network, alice)).toBeLessThan(network.network.burstAmount);
    network.advance(DAY);
    expect(leftOf(network, alice)).toBe(network.network.burstAmount);
  });

  test("is the full one with the confirmation as an SV of a party that it hosts", () => {
    const network = found(4n, 4);
    const alice = network.registerMember("alice");
    const spent = 4_000n - leftOf(network, alice);
    const command = anyCommand(alice.party);
    expect(spent).toBeLessThan(1_000n);
    // It joins by a submission that shows the rules, with more bytes than it had left.
    while (resultOf(network.submit(alice, { actAs: [alice.party], commands: [command] })) === "accepted");
    expect(resultOf(joinSv(new DsoActor(network), alice))).toBe("accepted");
    expect(network.network.svs).toContain(alice.id);
  });

  test("is the full one with bought traffic, before its registration too", () => {
    const network = found();
    const alice = network.registerMember("alice");
    const engine = lending(network.dso);
    const replica = new TestReplica({ engine }, network.state);
    const { synchronizerId, migrationId, burstAmount } = network.network;
    const buyFor = (member: string) => {
      const command = createCommand(MemberTraffic, {
        ...{ dso: network.dso, memberId: `PAR::${member}`, synchronizerId, migrationId },
        ...{ totalPurchased: 5_000n, numPurchases: 1n },
        ...{ amuletSpent: decimal("1.0"), usdSpent: decimal("1.0") },
      });
      const content = network.submitContent(alice, { actAs: [alice.party], commands: [command] });
      expect(resultOf(replica.append(sign(content, [alice.signingKey])))).toBe("accepted");
    };
    buyFor(alice.id);
    expect(leftOf(network, alice)).toBe(burstAmount + 5_000n);
    const { member: bob } = register(found(), "bob");
    buyFor(bob.id);
    register(network, "bob");
    expect(leftOf(network, bob)).toBe(burstAmount + 5_000n);
  });

  test("is carried over into the log in which the network goes on, with the clock tolerance", () => {
    const network = new SimulatedNetwork({
      terms: { movableClock: false, clockToleranceMicroseconds: 7n * SECOND },
    });
    const alice = network.registerMember("alice");
    const { entry, parts } = continuationOf(network);
    const replica = new TestReplica();
    const first = replica.append(signContinuation(entry, signingKeys(network.svs)), network.clock);
    for (const part of parts) expect(resultOf(replica.append(unsigned(part)))).toBe("accepted");
    expect(replica.state.network?.clockTolerance).toBe(7n * SECOND);
    expect(network.svs.map(({ id }) => replica.state.findStamp(id))).toEqual(
      network.svs.map(() => first.head.recordTime),
    );
    expect(replica.state.findTraffic(alice.id)).toEqual(network.state.findTraffic(alice.id));
    expect(replica.state.findTraffic(alice.id)?.isNewcomer).toBe(true);
  });

  test("of members from before the activation stays what it was", () => {
    const network = found(3n);
    const alice = network.registerMember("alice");
    const [sv] = network.svs as readonly [SimulatedMember];
    const value = { ...network.once(sv.id), version: 4n };
    expect(resultOf(network.append({ tag: "ActivateVersion", value }, [sv.signingKey]))).toBe("accepted");
    network.advance(DAY);
    expect(leftOf(network, alice)).toBe(network.network.burstAmount);
  });
});
