import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import { alice, bob, coin, laFamiglia, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { carol, coins, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet, FeaturedAppActivityMarker, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AcceptedAppPayment, TerminatedAppPayment } from "./declarations/app-payments.ts";

const everybody = [alice, laFamiglia, bob, carol];
/** Until when the coin is locked: the end of the second round. */
const unlocked = time("2026-01-01T00:20:00Z");

/** Alice has locked 15 coins for bob and 10 for carol. */
function accepted() {
  const network = new WalletNetwork();
  const requestCid = network.requestPayment([
    [bob, coins("15.0")],
    [carol, coins("10.0")],
  ]);
  const { acceptedPayment: paymentCid } = network.acceptPayment(requestCid, [network.tap(alice, "25.0")]);
  return { network, sandbox: network.sandbox, dso: network.dso, requestCid, paymentCid };
}

describe("AcceptedAppPayment_Collect", () => {
  test("gives each receiver its share, with the app as provider, and leaves nothing else", () => {
    const { network, sandbox, dso, paymentCid } = accepted();
    const { receiverAmulets } = network.collectAppPayment(paymentCid, everybody);
    expect(receiverAmulets.map(({ _1 }) => _1)).toEqual([bob, carol]);
    expect(receiverAmulets.map(({ _2 }) => sandbox.payloadOf(Amulet, _2))).toEqual([
      coin({ dso, owner: bob, amount: "15.0", round: 1n }),
      coin({ dso, owner: carol, amount: "10.0", round: 1n }),
    ]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AcceptedAppPayment", "LockedAmulet"],
      created: ["Amulet", "Amulet"],
    });
    expect(exercisesOf(sandbox)).toEqual([
      ["AcceptedAppPayment_Collect", everybody],
      ["OpenMiningRound_Fetch", [laFamiglia]],
      ["LockedAmulet_UnlockV2", [alice, bob, carol, laFamiglia]],
      ["AmuletRules_Transfer", [alice, bob, carol, laFamiglia]],
      ["Archive", [dso, alice]],
    ]);
    expectNotFound(() => network.collectAppPayment(paymentCid, everybody));
  });

  test("pays one receiver twice and the sender too, if so asked", () => {
    const network = new WalletNetwork();
    const requestCid = network.requestPayment([
      [bob, coins("2.0")],
      [alice, coins("3.0")],
      [bob, coins("4.0")],
    ]);
    const { acceptedPayment } = network.acceptPayment(requestCid, [network.tap(alice, "9.0")]);
    const { receiverAmulets } = network.collectAppPayment(acceptedPayment, [alice, bob, laFamiglia]);
    expect(receiverAmulets.map(({ _1 }) => _1)).toEqual([bob, alice, bob]);
    expect(coinsOf(network, bob)).toEqual(["2.0", "4.0"]);
    expect(coinsOf(network, alice)).toEqual(["3.0"]);
  });

  test("rewards a featured app", () => {
    const { network, sandbox, dso, paymentCid } = accepted();
    const featuredAppRight = network.feature(laFamiglia);
    const argument = { context: { ...network.appContext(), featuredAppRight } };
    const as = network.as(...everybody);
    sandbox.exercise(AcceptedAppPayment, paymentCid, "AcceptedAppPayment_Collect", argument, as);
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload)).toEqual([
      { dso, provider: laFamiglia, beneficiary: laFamiglia, weight: decimal("1.0") },
    ]);
  });

  test("happens in the round of the lock only, also after others have come", () => {
    const { network, paymentCid } = accepted();
    network.advanceRounds();
    const label = "Round at payment acceptance 1 matches round at collection 2";
    expectUnmet(label, () => network.collectAppPayment(paymentCid, everybody, network.openRound(2n)));
    network.collectAppPayment(paymentCid, everybody, network.openRound(1n));
    expect(coinsOf(network, bob)).toEqual(["15.0"]);
  });

  test.each(everybody)("needs everybody who signed, %s too", (absent) => {
    const { network, paymentCid } = accepted();
    const others = [...everybody.filter((party) => party !== absent), validator];
    expectUnauthorized(() => network.collectAppPayment(paymentCid, others));
  });
});

describe.each([
  ["AcceptedAppPayment_Reject", [bob, carol], "LockedAmulet_UnlockV2", [alice, bob, carol, laFamiglia]],
  ["AcceptedAppPayment_Expire", [alice], "LockedAmulet_OwnerExpireLockV2", [alice]],
] as const)("%s", (choice, controllers, unlocking, unlockers) => {
  const end = ({ network, paymentCid }: ReturnType<typeof accepted>, actAs: readonly PartyId[]) =>
    network.sandbox.exercise(
      AcceptedAppPayment,
      paymentCid,
      choice,
      { context: network.appContext() },
      { ...network.as(...actAs), readAs: [alice] },
    );

  test("gives the coin back as it was locked, and leaves a tombstone", () => {
    const setting = accepted();
    const { network, sandbox, dso, requestCid } = setting;
    sandbox.now = unlocked;
    const { amulet } = end(setting, controllers);
    // The summary tells of the round at the end of it; the coin keeps its own.
    expect(amulet).toEqual({
      amulet: amulet.amulet,
      amuletPrice: decimal("0.005"),
      round: network.usableRound().payload.round,
    });
    expect(sandbox.payloadOf(Amulet, amulet.amulet)).toEqual(
      coin({ dso, owner: alice, amount: "25.0", round: 1n }),
    );
    expect(changesOf(sandbox)).toEqual({
      archived: ["AcceptedAppPayment", "LockedAmulet"],
      created: ["TerminatedAppPayment", "Amulet"],
    });
    expect(sandbox.active(TerminatedAppPayment).map(({ payload }) => payload)).toEqual([
      { sender: alice, provider: laFamiglia, receivers: [bob, carol], reference: requestCid },
    ]);
    expect(exercisesOf(sandbox)).toEqual([
      [choice, controllers],
      [unlocking, unlockers],
      ["OpenMiningRound_Fetch", [alice]],
    ]);
    expectNotFound(() => end(setting, controllers));
  });

  test.each(controllers.map((controller) => [controller]))("is not done without %s", (controller) => {
    const setting = accepted();
    setting.sandbox.now = unlocked;
    const others = [...everybody.filter((party) => party !== controller), validator];
    expectUnauthorized(() => end(setting, others));
  });
});

test("receivers reject at once, but the sender waits for the lock to run out", () => {
  const setting = accepted();
  const { network, sandbox, paymentCid } = setting;
  const argument = { context: network.appContext() };
  const expire = () =>
    sandbox.exercise(
      AcceptedAppPayment,
      paymentCid,
      "AcceptedAppPayment_Expire",
      argument,
      network.as(alice),
    );
  sandbox.now = addDuration(unlocked, -1n);
  expectTooEarly("Lock.expiresAt", expire);
  sandbox.exercise(
    AcceptedAppPayment,
    paymentCid,
    "AcceptedAppPayment_Reject",
    argument,
    network.as(bob, carol),
  );
  expect(sandbox.active(LockedAmulet)).toEqual([]);
  expect(coinsOf(network, alice)).toEqual(["25.0"]);
});
