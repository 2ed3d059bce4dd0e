import { describe, expect, test } from "vitest";
import type { SimulatedNetwork } from "../../testing/simulated-network.ts";
import { lending, smallAllowance } from "../../testing/small-allowance.ts";
import { anyCommand, resultOf, sign, TestReplica } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { type Command, createCommand } from "../engine/command.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { SECOND } from "../values/duration.ts";
import type { PartyId } from "../values/party-id.ts";

describe("bought traffic", () => {
  function setUpMarket() {
    const given = smallAllowance(10_000n);
    const { network, alice } = given;
    const replica = new TestReplica({ engine: lending(network.dso) }, network.state);
    const traffic = {
      dso: network.dso,
      memberId: `PAR::${alice.id}`,
      synchronizerId: network.network.synchronizerId,
      migrationId: network.network.migrationId,
      totalPurchased: 5_000n,
      numPurchases: 1n,
      amuletSpent: decimal("1.0"),
      usdSpent: decimal("1.0"),
    };
    const run = (...commands: readonly Command[]) => {
      const outcome = replica.append(sign(given.content(commands), [alice.signingKey]));
      expect(resultOf(outcome)).toBe("accepted");
      return outcome;
    };
    const purchased = () => network.state.findTraffic(alice.id)?.purchased;
    return { ...given, replica, traffic, run, purchased };
  }
  const archive = (contractId: ContractId): Command => ({
    tag: "Exercise",
    value: { templateId: MemberTraffic.id, contractId, choice: "Archive", argument: [] },
  });

  test("counts with the transaction that makes it active, and goes with the one that archives it", () => {
    const { alice, traffic, content, replica, purchased, left } = setUpMarket();
    const before = left();
    const buy = sign(content([createCommand(MemberTraffic, traffic)]), [alice.signingKey]);
    const [bought] = replica.append(buy).created;
    expect(purchased()).toBe(5_000n);
    expect(left()).toBe(before - BigInt(buy.content.length) + 5_000n);
    const drop = sign(content([archive(bought?.contract.contractId as ContractId)]), [alice.signingKey]);
    expect(resultOf(replica.append(drop))).toBe("accepted");
    expect(purchased()).toBe(0n);
    expect(left()).toBe(before - BigInt(buy.content.length + drop.content.length));
  });

  test("adds up over contracts, and is the same after they are merged into one", () => {
    const { traffic, run, purchased } = setUpMarket();
    const [one, two] = run(
      createCommand(MemberTraffic, traffic),
      createCommand(MemberTraffic, traffic),
    ).created;
    expect(purchased()).toBe(10_000n);
    run(
      archive(one?.contract.contractId as ContractId),
      archive(two?.contract.contractId as ContractId),
      createCommand(MemberTraffic, { ...traffic, totalPurchased: 10_000n, numPurchases: 2n }),
    );
    expect(purchased()).toBe(10_000n);
  });

  test("pays for the very submission that buys it only if the allowance did", () => {
    const { network, alice, traffic, left, content, replica } = setUpMarket();
    const command = createCommand(MemberTraffic, traffic);
    const enough = () => left() >= BigInt(sign(content([command]), []).content.length);
    for (let i = 0; i < 50 && enough(); i++) {
      network.submit(alice, { actAs: [alice.party], commands: [] });
    }
    const outcome = replica.append(sign(content([command]), [alice.signingKey]));
    expect(resultOf(outcome)).toBe("SEQUENCER_BACKPRESSURE");
  });

  test("is used up after the free allowance", () => {
    const { network, alice, traffic, run, left } = setUpMarket();
    run(createCommand(MemberTraffic, traffic));
    const account = () => network.state.findTraffic(alice.id);
    for (let i = 0; i < 50 && account()?.free !== 0n; i++) {
      expect(account()?.consumed).toBe(0n);
      network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
    }
    expect(account()?.free).toBe(0n);
    expect(account()?.consumed).toBe(5_000n - left());
  });

  test("may be bought for another member, and counts on that member's account", () => {
    const { network, traffic, run } = setUpMarket();
    const bob = network.registerMember("bob");
    const before = network.state.findTraffic(bob.id);
    run(createCommand(MemberTraffic, { ...traffic, memberId: `PAR::${bob.id}` }));
    expect(network.state.findTraffic(bob.id)).toMatchObject({
      purchased: 5_000n,
      consumed: before?.consumed,
    });
  });

  test.each<[string, (member: string) => Partial<MemberTraffic>]>([
    ["another synchronizer", () => ({ synchronizerId: "other::1220" })],
    ["another migration", () => ({ migrationId: 1n })],
    ["a mediator", (member) => ({ memberId: `MED::${member}` })],
  ])("for %s does not count here", (_case, change) => {
    const { alice, traffic, run, purchased } = setUpMarket();
    run(createCommand(MemberTraffic, { ...traffic, ...change(alice.id) }));
    expect(purchased()).toBe(0n);
  });

  test("a MemberTraffic that a member signs as its own DSO counts nothing, neither created nor archived", () => {
    const { network, alice, traffic, purchased } = setUpMarket();
    const command = createCommand(MemberTraffic, { ...traffic, dso: alice.party });
    const outcome = network.submit(alice, { actAs: [alice.party], commands: [command] });
    expect(resultOf(outcome)).toBe("accepted");
    expect(purchased()).toBe(0n);
    const commands = [archive(outcome.created[0]?.contract.contractId as ContractId)];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands }))).toBe("accepted");
    expect(purchased()).toBe(0n);
  });

  test("cannot be created by a member for the network's DSO", () => {
    const { network, alice, traffic } = setUpMarket();
    const commands = [createCommand(MemberTraffic, traffic)];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands }))).toBe(
      "DAML_AUTHORIZATION_ERROR",
    );
  });
});

describe("new limits", () => {
  const rulesWith = (network: SimulatedNetwork, dso: PartyId) => {
    const rules = network.only(AmuletRules).payload;
    const config = rules.configSchedule.initialValue;
    const { decentralizedSynchronizer } = config;
    const baseRateTrafficLimits = { burstAmount: 123n, burstWindow: relTime(SECOND) };
    const fees = { ...decentralizedSynchronizer.fees, baseRateTrafficLimits };
    const initialValue = { ...config, decentralizedSynchronizer: { ...decentralizedSynchronizer, fees } };
    return createCommand(AmuletRules, { ...rules, dso, configSchedule: { initialValue, futureValues: [] } });
  };

  test("count with the AmuletRules that bring them", () => {
    const { network, alice, content } = smallAllowance(20_000n);
    const replica = new TestReplica({ engine: lending(network.dso) }, network.state);
    const outcome = replica.append(sign(content([rulesWith(network, network.dso)]), [alice.signingKey]));
    expect(resultOf(outcome)).toBe("accepted");
    expect(network.network).toMatchObject({ burstAmount: 123n, burstWindow: SECOND });
  });

  test("of another party's AmuletRules do not", () => {
    const { network, alice } = smallAllowance(20_000n);
    const commands = [rulesWith(network, alice.party)];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands }))).toBe("accepted");
    expect(network.network.burstAmount).toBe(20_000n);
  });
});
