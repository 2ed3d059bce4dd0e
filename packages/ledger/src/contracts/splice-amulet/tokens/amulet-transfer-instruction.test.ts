import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { alice, bob } from "../../../../testing/subscription-fixture.ts";
import { NO_META, TokenNetwork } from "../../../../testing/token-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol } from "../../../../testing/wallet-fixture.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { TransferInstruction } from "../../splice-api-token-v1/transfer-instruction.ts";
import { Amulet, FeaturedAppActivityMarker, LockedAmulet } from "../declarations/amulet.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";

/** Alice has offered Bob 10 of her 30 coins, for a day. */
function offered() {
  const network = new TokenNetwork();
  const cid = network.offerTokens([network.tap(alice, "30.0")]);
  const { payload } = network.sandbox.active(AmuletTransferInstruction)[0] ?? expect.fail("no instruction");
  const deadline = payload.transfer.executeBefore;
  const end = (choice: Parameters<TokenNetwork["endTransfer"]>[1], by: PartyId, expireLock = true) =>
    network.endTransfer(cid, choice, network.asHolder(by), { expireLock });
  const update = (
    given: { actors?: readonly PartyId[]; expireLock?: boolean; as?: readonly PartyId[] } = {},
  ) =>
    network.sandbox.exercise(
      TransferInstruction,
      cid,
      "TransferInstruction_Update",
      {
        extraActors: given.actors ?? [],
        extraArgs: network.extraArgs({ expireLock: given.expireLock ?? true }),
      },
      network.asHolder(...(given.as ?? [network.dso])),
    );
  /** Alice takes the expired lock off herself. */
  const unlock = () =>
    network.sandbox.exercise(
      LockedAmulet,
      payload.lockedAmulet,
      "LockedAmulet_OwnerExpireLockV2",
      {},
      { actAs: [alice] },
    );
  return { network, sandbox: network.sandbox, cid, payload, deadline, end, update, unlock };
}

const FAILED = { tag: "TransferInstructionResult_Failed", value: {} };

describe("an instruction", () => {
  test("is signed by the DSO and the sender, and shown to the receiver", () => {
    const { network, sandbox, payload } = offered();
    const { dso } = network;
    const create = (...actAs: PartyId[]) => sandbox.create(AmuletTransferInstruction, payload, { actAs });
    const copy = create(dso, alice);
    const node = sandbox.lastTransaction?.nodes.find((each) => each.kind === "create");
    expect(node).toMatchObject({ signatories: [dso, alice], observers: [bob] });
    expect(sandbox.isActive(copy)).toBe(true);
    expectUnauthorized(() => create(dso));
    expectUnauthorized(() => create(alice, bob));
  });
});

describe("the receiver", () => {
  test("accepts the coin, until a microsecond before the deadline", () => {
    const { network, sandbox, deadline, end } = offered();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    const result = end("TransferInstruction_Accept", bob);
    const [bobs = expect.fail("no coin")] = sandbox
      .active(Amulet)
      .filter(({ payload }) => payload.owner === bob);
    expect(result).toEqual({
      output: {
        tag: "TransferInstructionResult_Completed",
        value: { receiverHoldingCids: [bobs.contractId] },
      },
      senderChangeCids: [],
      meta: {
        values: [
          ["splice.lfdecentralizedtrust.org/sender", alice],
          ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
        ],
      },
    });
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(network.lockedCoins()).toEqual([]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AmuletTransferInstruction", "LockedAmulet"],
      created: ["Amulet"],
    });
    expect(exercisesOf(sandbox)).toEqual([
      ["TransferInstruction_Accept", [bob]],
      ["LockedAmulet_UnlockV2", [alice, network.dso]],
      ["Archive", [network.dso, alice]],
    ]);
  });

  test("does not accept at the deadline", () => {
    const { sandbox, deadline, end } = offered();
    sandbox.now = deadline;
    expectTooLate("Transfer.executeBefore", () => end("TransferInstruction_Accept", bob));
  });

  test("accepts once, on terms of the DSO, without rewards", () => {
    const { network, sandbox, cid, end } = offered();
    const without = () =>
      network.endTransfer(cid, "TransferInstruction_Accept", network.asHolder(bob), { configState: null });
    expect(rejectionOf(without).cause).toBe(
      `${GENERAL_ERROR}Missing context entry for: external-party-config-state`,
    );
    const featuredAppRight = network.feature(alice);
    const as = network.asHolderWith([featuredAppRight], bob);
    network.endTransfer(cid, "TransferInstruction_Accept", as, { featuredAppRight });
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
    expectNotFound(() => end("TransferInstruction_Accept", bob));
  });

  test("gives the coin back by rejecting it", () => {
    const { network, sandbox, end } = offered();
    const result = end("TransferInstruction_Reject", bob);
    expect(result).toMatchObject({ output: FAILED, meta: NO_META });
    expect(result.senderChangeCids.map((cid) => sandbox.payloadOf(Amulet, cid))).toMatchObject([
      { owner: alice, amount: { initialAmount: decimal("10.0") } },
    ]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
    expect(coinsOf(network, bob)).toEqual([]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AmuletTransferInstruction", "LockedAmulet"],
      created: ["Amulet"],
    });
  });
});

test("the sender withdraws the coin, before the deadline and after", () => {
  for (const later of [0n, 2n * DAY]) {
    const { network, sandbox, end } = offered();
    sandbox.advance(later);
    expect(end("TransferInstruction_Withdraw", alice)).toMatchObject({ output: FAILED, meta: NO_META });
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
    expect(exercisesOf(sandbox)).toEqual([
      ["TransferInstruction_Withdraw", [alice]],
      ["LockedAmulet_UnlockV2", [alice, network.dso]],
    ]);
  }
});

test.each([
  ["TransferInstruction_Accept", alice],
  ["TransferInstruction_Accept", carol],
  ["TransferInstruction_Reject", alice],
  ["TransferInstruction_Withdraw", bob],
  ["TransferInstruction_Withdraw", carol],
] as const)("%s is refused to other parties", (choice, by) => {
  const { network, cid } = offered();
  const as = network.asHolderWith([cid], by);
  expectUnauthorized(() => network.endTransfer(cid, choice, as));
});

describe("coin whose lock the sender took off", () => {
  test.each([
    ["TransferInstruction_Reject", bob],
    ["TransferInstruction_Withdraw", alice],
  ] as const)("is not given back again by %s, which ends the transfer all the same", (choice, by) => {
    const { network, sandbox, cid, deadline, end, unlock } = offered();
    sandbox.now = deadline;
    unlock();
    expectNotFound(() => end(choice, by));
    expect(end(choice, by, false)).toEqual({ output: FAILED, senderChangeCids: [], meta: NO_META });
    expect(sandbox.isActive(cid)).toBe(false);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });

  test.each([
    ["TransferInstruction_Reject", bob],
    ["TransferInstruction_Withdraw", alice],
  ] as const)("is not believed to be gone by %s before the deadline", (choice, by) => {
    const { sandbox, cid, deadline, end } = offered();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    expectTooEarly("Transfer.executeBefore", () => end(choice, by, false));
    sandbox.now = deadline;
    end(choice, by, false);
    expect(sandbox.isActive(cid)).toBe(false);
  });

  test("cannot be accepted", () => {
    const { sandbox, deadline, end, unlock } = offered();
    sandbox.now = deadline;
    unlock();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    expectNotFound(() => end("TransferInstruction_Accept", bob));
  });
});

test.each(["TransferInstruction_Reject", "TransferInstruction_Withdraw"] as const)(
  "%s has to be told whether the lock still stands",
  (choice) => {
    const { network, cid } = offered();
    const as = network.asHolder(choice === "TransferInstruction_Reject" ? bob : alice);
    const { cause } = rejectionOf(() => network.endTransfer(cid, choice, as, {}));
    expect(cause).toBe(`${GENERAL_ERROR}Missing context entry for: expire-lock`);
    const values = [["expire-lock", { tag: "AV_Text", value: "yes" }] as const];
    const argument = { extraArgs: { context: { values }, meta: NO_META } };
    expect(
      rejectionOf(() => network.sandbox.exercise(TransferInstruction, cid, choice, argument, as)).cause,
    ).toBe(`${GENERAL_ERROR}Failed to decode context value for 'expire-lock': expected bool, got: AV_Text`);
  },
);

describe("the DSO", () => {
  test("cleans up from the deadline on, and the sender has the coin back", () => {
    const { network, sandbox, deadline, update } = offered();
    sandbox.now = addDuration(deadline, -MICROSECOND);
    expectTooEarly("Transfer.executeBefore", update);
    sandbox.now = deadline;
    expect(update()).toMatchObject({ output: FAILED, meta: NO_META });
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });

  test("cleans up what is left of a transfer whose lock is gone", () => {
    const { network, sandbox, deadline, update, unlock } = offered();
    sandbox.now = deadline;
    unlock();
    expectNotFound(update);
    expect(update({ expireLock: false }).senderChangeCids).toEqual([]);
    expect(sandbox.active(AmuletTransferInstruction)).toEqual([]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });

  test("acts alone: others neither help nor do it instead", () => {
    const { network, sandbox, deadline, update } = offered();
    sandbox.now = deadline;
    const { cause, context } = rejectionOf(() => update({ actors: [carol], as: [network.dso, carol] }));
    expect(cause).toContain("Amulet transfer expiry does not support extra actors");
    expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed");
    expectUnauthorized(() => update({ actors: [carol] }));
    expectUnauthorized(() => update({ as: [alice, bob] }));
  });
});
