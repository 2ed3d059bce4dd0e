import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { alice, bob, coin, laFamiglia, validator } from "../../../testing/subscription-fixture.ts";
import { argumentsOf, changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { carol, coins, dollars, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import { AcceptedAppPayment, AppPaymentRequest, TerminatedAppPayment } from "./declarations/app-payments.ts";
import type { PaymentAmount } from "./declarations/payment-amount.ts";

/** La famiglia's app asks alice for 15 coins to bob and 10 to carol. */
function requested() {
  const network = new WalletNetwork();
  const requestCid = network.requestPayment([
    [bob, coins("15.0")],
    [carol, coins("10.0")],
  ]);
  return { network, sandbox: network.sandbox, requestCid };
}

describe("a request", () => {
  test.each([alice, laFamiglia, bob, carol])("is not made without %s", (absent) => {
    const { sandbox, dso } = new WalletNetwork();
    const everybody = [alice, laFamiglia, bob, carol];
    const receiverAmounts = [
      { receiver: bob, amount: coins("15.0") },
      { receiver: carol, amount: coins("10.0") },
    ];
    const expiresAt = time("2026-01-01T00:05:00Z");
    const payload = { sender: alice, receiverAmounts, provider: laFamiglia, dso, expiresAt, description: "" };
    const actAs = [...everybody.filter((party) => party !== absent), validator];
    expectUnauthorized(() => sandbox.create(AppPaymentRequest, payload, { actAs }));
  });

  test.each(["0.0", "-1.0"])("asks each receiver's share to be more than nothing, not %s", (amount) => {
    const network = new WalletNetwork();
    const request = () =>
      network.requestPayment([
        [bob, coins("1.0")],
        [carol, dollars(amount)],
      ]);
    expect(rejectionOf(request).context["error_id"]).toBe(PRECONDITION_FAILED);
  });
});

describe("AppPaymentRequest_Accept", () => {
  test("locks the sum for receivers and app, and records who gets what, in which round", () => {
    const { network, sandbox, requestCid } = requested();
    const { dso } = network;
    const result = network.acceptPayment(requestCid, [network.tap(alice, "27.0")]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AppPaymentRequest", "Amulet"],
      created: ["LockedAmulet", "Amulet", "AcceptedAppPayment"],
    });
    const payment = sandbox.payloadOf(AcceptedAppPayment, result.acceptedPayment);
    expect(payment).toEqual({
      sender: alice,
      amuletReceiverAmounts: [
        { receiver: bob, amuletAmount: decimal("15.0") },
        { receiver: carol, amuletAmount: decimal("10.0") },
      ],
      provider: laFamiglia,
      dso,
      lockedAmulet: payment.lockedAmulet,
      round: { number: 1n },
      reference: requestCid,
    });
    expect(network.lockOf(payment.lockedAmulet)).toEqual({
      amulet: coin({ dso, owner: alice, amount: "25.0", round: 1n }),
      lock: {
        holders: [bob, carol, laFamiglia],
        // The round closes two ticks after the start, later than a tick from now.
        expiresAt: time("2026-01-01T00:20:00Z"),
        optContext: "amulet-payment-request: a pizza",
      },
    });
    expect(sandbox.active(Amulet)).toEqual([
      {
        contractId: result.senderChangeAmulet,
        payload: coin({ dso, owner: alice, amount: "2.0", round: 1n }),
      },
    ]);
  });

  test("reads the round as the app, then transfers with the wallet's host as provider", () => {
    const { network, sandbox, requestCid } = requested();
    network.acceptPayment(requestCid, [network.tap(alice, "25.0")]);
    expect(exercisesOf(sandbox)).toEqual([
      ["AppPaymentRequest_Accept", [alice, validator]],
      ["OpenMiningRound_Fetch", [laFamiglia]],
      ["AmuletRules_Transfer", [alice, bob, carol, laFamiglia, validator]],
      ["Archive", [network.dso, alice]],
    ]);
    expect(coinsOf(network, alice)).toEqual([]);
  });

  test.each([
    { price: "0.5", shares: [dollars("10.0"), dollars("15.0")], locked: ["20.0", "30.0"], sum: "50.0" },
    { price: "0.5", shares: [coins("10.0"), dollars("10.0")], locked: ["10.0", "20.0"], sum: "30.0" },
    // Each share is rounded on its own: the sum is not that of the dollars.
    {
      price: "0.3",
      shares: [dollars("1.0"), dollars("1.0")],
      locked: ["3.3333333333", "3.3333333333"],
      sum: "6.6666666666",
    },
  ] as const)("turns dollars into coin, share by share: $sum", ({ price, shares, locked, sum }) => {
    const network = new WalletNetwork({ amuletPrice: decimal(price) });
    const requestCid = network.requestPayment([
      [bob, shares[0]],
      [carol, shares[1]],
    ]);
    const { acceptedPayment } = network.acceptPayment(requestCid, [network.tap(alice, sum)]);
    const payment = network.sandbox.payloadOf(AcceptedAppPayment, acceptedPayment);
    expect(payment.amuletReceiverAmounts.map(({ amuletAmount }) => amuletAmount)).toEqual(
      locked.map(decimal),
    );
    expect(network.lockOf(payment.lockedAmulet).amulet.amount.initialAmount).toBe(decimal(sum));
  });

  test("names each holder once, and never the sender", () => {
    const network = new WalletNetwork();
    const shares: (readonly [PartyId, PaymentAmount])[] = [
      [laFamiglia, coins("1.0")],
      [bob, coins("1.0")],
      [alice, coins("1.0")],
      [bob, coins("1.0")],
    ];
    const requestCid = network.requestPayment(shares);
    const { acceptedPayment } = network.acceptPayment(requestCid, [network.tap(alice, "4.0")]);
    const { lockedAmulet } = network.sandbox.payloadOf(AcceptedAppPayment, acceptedPayment);
    expect(network.lockOf(lockedAmulet).lock.holders).toEqual([bob, laFamiglia]);
    // The request's lock names the sender as well; the transfer leaves the owner out.
    const holders = [alice, bob, laFamiglia];
    expect(argumentsOf(network.sandbox, "AmuletRules_Transfer")).toMatchObject([
      { transfer: { outputs: [{ lock: { holders } }] } },
    ]);
  });

  test("works until one microsecond before the request expires", () => {
    const [early, late] = [requested(), requested()];
    const expiresAt = time("2026-01-01T00:05:00Z");
    early.sandbox.now = addDuration(expiresAt, -1n);
    late.sandbox.now = expiresAt;
    const accept = ({ network, requestCid }: typeof early) =>
      network.acceptPayment(requestCid, [network.tap(alice, "25.0")]);
    accept(early);
    expectUnmet("AppPaymentRequest has not expired", () => accept(late));
  });

  test("locks for at least a tick, also in a round about to close", () => {
    const network = new WalletNetwork();
    network.sandbox.advance(15n * MINUTE);
    const [{ contractId: openMiningRound } = expect.fail("no round")] = network.openRounds();
    const requestCid = network.requestPayment([[bob, coins("1.0")]]);
    const { acceptedPayment } = network.sandbox.exercise(
      AppPaymentRequest,
      requestCid,
      "AppPaymentRequest_Accept",
      {
        inputs: [{ tag: "InputAmulet", value: network.tap(alice, "1.0") }],
        context: network.paymentContext({ openMiningRound }),
        walletProvider: validator,
      },
      network.as(alice, validator),
    );
    const { lockedAmulet } = network.sandbox.payloadOf(AcceptedAppPayment, acceptedPayment);
    // Round 0 was to close after ten minutes.
    expect(network.lockOf(lockedAmulet).lock.expiresAt).toBe(time("2026-01-01T00:25:00Z"));
  });

  test("says what is missing", () => {
    const { network, requestCid } = requested();
    const inputs = [network.tap(alice, "24.0")];
    expect(rejectionOf(() => network.acceptPayment(requestCid, inputs)).context).toMatchObject({
      requiredAmount: "1.0",
    });
    expect(network.sandbox.isActive(requestCid)).toBe(true);
  });

  test.each([
    ["the sender alone", [alice]],
    ["the wallet's host alone", [validator]],
    ["everybody but the sender", [bob, carol, laFamiglia, validator]],
  ])("is refused to %s", (_who, actAs) => {
    const { network, requestCid } = requested();
    expectUnauthorized(() =>
      network.acceptPayment(requestCid, [], { ...network.as(...actAs), readAs: [alice] }),
    );
  });

  test("works once", () => {
    const { network, requestCid } = requested();
    network.acceptPayment(requestCid, [network.tap(alice, "25.0")]);
    expectNotFound(() => network.acceptPayment(requestCid, [network.tap(alice, "25.0")]));
  });
});

describe.each([
  ["AppPaymentRequest_Reject", [alice], [bob, carol, laFamiglia]],
  ["AppPaymentRequest_Withdraw", [bob, carol], [bob, alice, laFamiglia]],
] as const)("%s", (choice, controllers, others) => {
  test("ends the request and leaves a tombstone that names it", () => {
    const { sandbox, requestCid } = requested();
    const run = (actAs: readonly PartyId[]) =>
      sandbox.exercise(AppPaymentRequest, requestCid, choice, {}, { actAs });
    expectUnauthorized(() => run(others));
    const { terminatedAppPayment } = run(controllers);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AppPaymentRequest"],
      created: ["TerminatedAppPayment"],
    });
    expect(sandbox.payloadOf(TerminatedAppPayment, terminatedAppPayment)).toEqual({
      sender: alice,
      provider: laFamiglia,
      receivers: [bob, carol],
      reference: requestCid,
    });
    expectNotFound(() => run(controllers));
  });
});

describe("AppPaymentRequest_Expire", () => {
  const expire = (
    { sandbox, requestCid }: ReturnType<typeof requested>,
    actor: PartyId,
    as: PartyId = actor,
  ) =>
    sandbox.exercise(
      AppPaymentRequest,
      requestCid,
      "AppPaymentRequest_Expire",
      { actor },
      { actAs: [as], readAs: [alice] },
    );

  test.each([alice, bob, carol, laFamiglia])(
    "is exercised by everybody it concerns, from its expiry on: %s",
    (actor) => {
      const setting = requested();
      const expiresAt = time("2026-01-01T00:05:00Z");
      setting.sandbox.now = addDuration(expiresAt, -1n);
      expectUnmet("Contract has expired", () => expire(setting, actor));
      setting.sandbox.now = expiresAt;
      const { terminatedAppPayment } = expire(setting, actor);
      expect(setting.sandbox.payloadOf(TerminatedAppPayment, terminatedAppPayment).reference).toBe(
        setting.requestCid,
      );
    },
  );

  test("is refused to every other party, also to the DSO and in another's name", () => {
    const setting = requested();
    setting.sandbox.now = time("2026-01-01T00:05:00Z");
    expectUnmet("Actor is a stakeholder", () => expire(setting, validator));
    expectUnmet("Actor is a stakeholder", () => expire(setting, setting.network.dso));
    expectUnauthorized(() => expire(setting, alice, validator));
  });
});
