import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { expectTooLate, expectUnmet, rejectionOf } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimal } from "../../../values/decimal.ts";
import { MINUTE } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, type Time } from "../../../values/time.ts";
import { LockedAmulet } from "../declarations/amulet.ts";
import type { TransferOutput } from "../declarations/transfer.ts";
import { transferControllers } from "./transfer-engine.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const carol = testParty("carol");

function pay(outputFor: (now: Time) => TransferOutput): SandboxNetwork {
  const network = new SandboxNetwork();
  const coin = network.tap(alice, "100.0");
  transferCoins(network, { sender: alice, inputs: [coin], outputs: [outputFor(network.sandbox.now)] });
  return network;
}

const lockedTo = (holders: readonly PartyId[], after: bigint) => (now: Time) =>
  outputTo(alice, "1.0", { holders, expiresAt: addDuration(now, after), optContext: null });

describe("an output's amount", () => {
  test.each(["0.0", "-0.0000000001", "-5.0"])("cannot be %s", (amount) => {
    expectUnmet("Amount is positive", () => pay(() => outputTo(bob, amount)));
    expectUnmet("Amount is positive", () =>
      pay((now) => ({ ...lockedTo([bob], MINUTE)(now), amount: decimal(amount) })),
    );
  });

  test("may be the smallest there is", () => {
    expect(
      coinsOf(
        pay(() => outputTo(bob, "0.0000000001")),
        bob,
      ),
    ).toEqual(["0.0000000001"]);
  });
});

describe("an output's fee ratio", () => {
  const withRatio = (ratio: string) => () => ({ ...outputTo(bob, "10.0"), receiverFeeRatio: decimal(ratio) });

  test.each(["0.0", "0.4", "1.0"])("of %s changes nothing, since fees are zero", (ratio) => {
    const network = pay(withRatio(ratio));
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(coinsOf(network, alice)).toEqual(["90.0"]);
  });

  test.each(["-0.0000000001", "1.0000000001"])("of %s is refused", (ratio) => {
    const { code, cause } = rejectionOf(() => pay(withRatio(ratio)));
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toContain(`Receiver fee ratio ${ratio} is not between 0.0 and 1.0`);
  });
});

describe("an output's lock", () => {
  test.each([-1n, 0n])("cannot end now or earlier: %s µs from now", (after) => {
    expectTooLate("lock.expiresAt", () => pay(lockedTo([bob], after)));
  });

  test("may end one microsecond from now, or long after the coin's round", () => {
    expect(pay(lockedTo([bob], 1n)).sandbox.active(LockedAmulet)).toHaveLength(1);
    expect(pay(lockedTo([bob], 1_000_000n * MINUTE)).sandbox.active(LockedAmulet)).toHaveLength(1);
  });

  test("keeps each holder once, in order, without the owner", () => {
    const network = pay(lockedTo([carol, bob, alice, carol, bob], MINUTE));
    const [locked] = network.sandbox.active(LockedAmulet);
    expect(locked?.payload.lock.holders).toEqual([bob, carol]);
  });

  const holders = (count: number) => Array.from({ length: count }, (_, i) => testParty(`holder-${i}`));

  test("has at most 50 holders, the owner and repetitions not counted", () => {
    const network = pay(lockedTo([alice, ...holders(50), ...holders(50)], MINUTE));
    expect(network.sandbox.active(LockedAmulet)[0]?.payload.lock.holders).toHaveLength(50);
    expectUnmet("Fewer than the allowed number of lock holders", () => pay(lockedTo(holders(51), MINUTE)));
  });
});

test("a lock with more holders than a stack could take is refused like any other with strangers in it", () => {
  const strangers = new Array<PartyId>(500_000).fill(bob);
  const network = new SandboxNetwork();
  const coin = network.tap(alice, "100.0");
  const controllers = () =>
    transferControllers({
      sender: alice,
      provider: alice,
      inputs: [{ tag: "InputAmulet", value: coin }],
      outputs: [lockedTo(strangers, MINUTE)(network.sandbox.now)],
      beneficiaries: null,
    });
  expect(controllers()).toHaveLength(500_003);
});
