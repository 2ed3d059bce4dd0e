// The care of a validator for its wallets' coin: it merges coins, mints with payments, and collects the validator
// rewards of the users it hosts.

import {
  Amulet,
  type PartyId,
  ValidatorRewardCoupon,
  ValidatorRight,
  WalletAppInstall,
} from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exercise } from "../../packages/validator/src/ledger/commands.ts";
import { automationOf } from "../support/automation-of.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

const SECOND = 1_000_000n;

async function balance(wallet: ValidatorClient): Promise<string> {
  return (await wallet.getBalance()).effective_unlocked_qty;
}

describe("coins", () => {
  let network: LocalNetwork;
  let operator: PartyId;
  beforeAll(async () => {
    network = await LocalNetwork.start();
    operator = network.net.nodes["app-user"].validator.operatorParty() as PartyId;
  });
  afterAll(() => network?.close());

  const coins = async () => (await network.listActive(Amulet, operator)).length;

  test("merges two coins when they have not moved for five minutes, not before", async () => {
    const wallet = network.validator();
    await wallet.tap({ body: { amount: "1" } });
    await wallet.tap({ body: { amount: "2" } });
    await network.net.moveClock(240n * SECOND);
    expect(await coins()).toBe(2);
    await network.net.moveClock(61n * SECOND);
    expect(await coins()).toBe(1);
    expect(await balance(wallet)).toBe("600.0000000000");
  });

  test("does not touch a single coin", async () => {
    const end = await network.ledger().getLedgerEnd();
    await network.net.moveClock(301n * SECOND);
    expect(await coins()).toBe(1);
    expect(await network.ledger().getLedgerEnd()).toEqual(end);
  });

  test("merges many coins at once", async () => {
    const wallet = network.validator();
    for (let i = 0; i < 9; i++) await wallet.tap({ body: { amount: "1" } });
    await network.net.settle();
    expect(await coins()).toBe(10);
    await wallet.tap({ body: { amount: "1" } });
    await network.net.settle();
    expect(await coins()).toBe(1);
    expect(await balance(wallet)).toBe("2600.0000000000");
  });
});

describe("a wallet that collects nothing by itself", () => {
  let network: LocalNetwork;
  beforeAll(async () => {
    network = await LocalNetwork.start({ pausedAutomations: ["collect-rewards"] });
    await network.net.settle();
  });
  afterAll(() => network?.close());

  test("mints what is due with its next payment", async () => {
    const wallet = network.validator();
    await wallet.tap({ body: { amount: "1" } });
    await network.net.moveClock(TICK);
    await network.net.moveClock(TICK);
    expect(await balance(wallet)).toBe("200.0000000000");
    await network.buy(wallet, "paid-with-rewards");
    // 200 of its own, 570 for one liveness record, less 200 for the name.
    expect(await balance(wallet)).toBe("570.0000000000");
  });
});

describe("a hosted user who burns coin", () => {
  let network: LocalNetwork;
  let operator: PartyId;
  let bob: PartyId;
  let bobs: ValidatorClient;
  let validator: Validator;
  beforeAll(async () => {
    network = await LocalNetwork.start();
    const { party, token } = await network.makeUser("bob");
    validator = await network.startValidator(["app-user", "bob"], "hosting");
    operator = validator.operatorParty() as PartyId;
    bob = party as PartyId;
    bobs = validatorClient(validator.url, token);
  });
  afterAll(() => network?.close());

  test("has given the validator the right to rewards, as have all", async () => {
    const rights = await network.listActive(ValidatorRight, operator);
    const given = rights.map(({ payload }) => [payload.user, payload.validator]);
    expect(given.sort()).toEqual(
      [
        [operator, operator],
        [bob, operator],
      ].sort(),
    );
  });

  test("a wallet that has spent all its coins causes no further attempts to merge", async () => {
    const operators = validatorClient(validator.url, network.net.serviceToken);
    const lost = async () => (await automationOf(operators, "collect-rewards")).lost;
    for (let coin = 0; coin < 2; coin++) await bobs.tap({ body: { amount: "0.5" } });
    await validator.idle();
    await network.buy(bobs, "to-the-last");
    expect(await balance(bobs)).toBe("0.0000000000");
    await network.net.moveClock(301n * SECOND);
    await validator.idle();
    const before = await lost();
    for (let look = 0; look < 3; look++) await validator.idle();
    expect(await lost()).toBe(before);
  });

  test("has the traffic bought that he asked for, and the validator earns by it when the round issues", async () => {
    await bobs.tap({ body: { amount: "5" } });
    const [install] = (await network.listActive(WalletAppInstall, bob)).filter(
      ({ payload }) => payload.endUserName === "bob",
    );
    if (install === undefined) throw new Error("bob has no wallet");
    const { participantId } = await network.ledger().getParticipantId();
    const { connectedSynchronizers } = await network.ledger().listConnectedSynchronizers({});
    const request = {
      memberId: `PAR::${participantId}`,
      synchronizerId: connectedSynchronizers[0]?.synchronizerId ?? "",
      migrationId: 0n,
      trafficAmount: 200_000n,
      expiresAt: (network.net.now() + TICK) as never,
      trackingId: "once",
    };
    const command = exercise(
      WalletAppInstall,
      install.contractId,
      "WalletAppInstall_CreateBuyTrafficRequest",
      request,
    );
    await network.submit([operator], [command], [bob]);
    // 0.2 MB × 16.67 $/MB ÷ 0.005 $ = 666.8 coin, of 1000.
    await validator.idle();
    expect(await balance(bobs)).toBe("333.2000000000");
    const [coupon] = await network.listActive(ValidatorRewardCoupon, bob);
    expect(coupon?.payload).toMatchObject({ user: bob, amount: 6_668_000_000_000n });
    const before = Number(await balance(network.validator()));
    for (let i = 0; i < 3; i++) await network.net.moveClock(TICK);
    await validator.idle();
    await network.net.settle();
    // 0.2 coin for each that was burned.
    expect(Number(await balance(network.validator()))).toBeCloseTo(before + 133.36, 10);
    expect(await network.listActive(ValidatorRewardCoupon, bob)).toEqual([]);
    expect(await balance(bobs)).toBe("333.2000000000");
  });
});
