import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { alice, bob, coin, validator } from "../../../../testing/subscription-fixture.ts";
import { NO_META, TokenNetwork } from "../../../../testing/token-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol } from "../../../../testing/wallet-fixture.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR, MICROSECOND } from "../../../values/duration.ts";
import { addDuration } from "../../../values/time.ts";
import { TransferFactory } from "../../splice-api-token-v1/transfer-instruction.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";

const SPLICE = "splice.lfdecentralizedtrust.org/";

describe("a transfer to another party", () => {
  test("locks the coin for the DSO until its deadline, and waits for the receiver", () => {
    const network = new TokenNetwork();
    const { sandbox, dso } = network;
    const transfer = network.tokenTransfer([network.tap(alice, "30.0"), network.tap(alice, "5.0")]);
    const { output, senderChangeCids, meta } = network.transferTokens(transfer);
    const [locked = expect.fail("nothing is locked"), ...more] = network.lockedCoins();
    expect(more).toEqual([]);
    // The state's round and price, not the newest round's.
    expect(locked.payload).toEqual({
      amulet: coin({ dso, owner: alice, amount: "10.0", round: 0n }),
      lock: { holders: [dso], expiresAt: transfer.executeBefore, optContext: `transfer to '${bob}'` },
    });
    const [instruction = expect.fail("no instruction")] = sandbox.active(AmuletTransferInstruction);
    expect(instruction.payload).toEqual({
      lockedAmulet: locked.contractId,
      transfer: { ...transfer, inputHoldingCids: [locked.contractId] },
    });
    expect(output).toEqual({
      tag: "TransferInstructionResult_Pending",
      value: { transferInstructionCid: instruction.contractId },
    });
    expect(senderChangeCids).toHaveLength(1);
    expect(coinsOf(network, alice)).toEqual(["25.0"]);
    expect(meta).toEqual({
      values: [
        [`${SPLICE}sender`, alice],
        [`${SPLICE}tx-kind`, "transfer"],
      ],
    });
    expect(changesOf(sandbox)).toEqual({
      archived: ["Amulet", "Amulet"],
      created: ["LockedAmulet", "Amulet", "AmuletTransferInstruction"],
    });
  });

  test("leaves no change where there is none", () => {
    const network = new TokenNetwork();
    const transfer = network.tokenTransfer([network.tap(alice, "10.0")]);
    expect(network.transferTokens(transfer).senderChangeCids).toEqual([]);
  });

  test("creates no reward, with any right in its context", () => {
    const network = new TokenNetwork();
    const featuredAppRight = network.feature(alice);
    const transfer = network.tokenTransfer([network.tap(alice, "10.0")]);
    network.transferTokens(transfer, { handed: { featuredAppRight } });
    expect(network.sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  });

  test("may have as little as a microsecond to be accepted in", () => {
    const network = new TokenNetwork();
    const { now } = network.sandbox;
    const transfer = network.tokenTransfer([network.tap(alice, "10.0")], {
      executeBefore: addDuration(now, 1n),
    });
    expect(network.transferTokens(transfer).output.tag).toBe("TransferInstructionResult_Pending");
  });
});

describe("a transfer to oneself", () => {
  test("merges and splits coin at once, without rewards", () => {
    const network = new TokenNetwork();
    const featuredAppRight = network.feature(alice);
    const inputs = [network.tap(alice, "30.0"), network.tap(alice, "5.0")];
    const transfer = network.tokenTransfer(inputs, { receiver: alice });
    const result = network.transferTokens(transfer, { handed: { featuredAppRight } });
    expect(coinsOf(network, alice)).toEqual(["10.0", "25.0"]);
    const [split, change] = changed(network);
    expect(result).toEqual({
      output: { tag: "TransferInstructionResult_Completed", value: { receiverHoldingCids: [split] } },
      senderChangeCids: [change],
      meta: { values: [[`${SPLICE}tx-kind`, "merge-split"]] },
    });
    expect(changesOf(network.sandbox)).toEqual({
      archived: ["Amulet", "Amulet"],
      created: ["Amulet", "Amulet"],
    });
  });

  test("works a day after it was prepared, when rounds have long moved on", () => {
    const network = new TokenNetwork();
    const transfer = network.tokenTransfer([network.tap(alice, "30.0")], { receiver: alice });
    const configState = network.configState();
    for (let i = 0; i < 6; i++) network.advanceRounds(decimal("1.0"));
    network.sandbox.now = addDuration(transfer.executeBefore, -MICROSECOND);
    network.transferTokens(transfer, { handed: { configState } });
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });

  test("uses the preapproval in its context", () => {
    const network = new TokenNetwork();
    const preapproval = network.grantPreapproval(network.later(DAY), { receiver: alice });
    const transfer = network.tokenTransfer([network.tap(alice, "10.0")], { receiver: alice });
    network.transferTokens(transfer, { handed: { preapproval } });
    expect(exercisesOf(network.sandbox).map(([choice]) => choice)).toContain("TransferPreapproval_SendV2");
  });
});

describe("a transfer to a receiver with a preapproval", () => {
  test("is done at once, says why, and rewards the receiver's provider", () => {
    const network = new TokenNetwork();
    const { sandbox, dso } = network;
    const preapproval = network.grantPreapproval(network.later(DAY));
    const featuredAppRight = network.feature(validator);
    const meta = { values: [[`${SPLICE}reason`, "for the pizza"]] } as const;
    const transfer = network.tokenTransfer([network.tap(alice, "30.0")], { meta });
    const result = network.transferTokens(transfer, { handed: { preapproval, featuredAppRight } });
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    const [sent, change] = changed(network);
    expect(result).toEqual({
      output: { tag: "TransferInstructionResult_Completed", value: { receiverHoldingCids: [sent] } },
      senderChangeCids: [change],
      meta: {
        values: [
          [`${SPLICE}reason`, "for the pizza"],
          [`${SPLICE}sender`, alice],
          [`${SPLICE}tx-kind`, "transfer"],
        ],
      },
    });
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload)).toEqual([
      { dso, provider: validator, beneficiary: validator, weight: decimal("1.0") },
    ]);
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["TransferFactory_Transfer", [alice]],
      ["TransferPreapproval_SendV2", [alice]],
    ]);
  });

  test("is refused if the preapproval is another's or ran out", () => {
    const network = new TokenNetwork();
    const transfer = network.tokenTransfer([network.tap(alice, "30.0")]);
    const carols = network.grantPreapproval(network.later(DAY), { receiver: carol });
    expectOtherGroup("TransferPreapproval", () =>
      network.transferTokens(transfer, { handed: { preapproval: carols } }),
    );
    const preapproval = network.grantPreapproval(network.later(HOUR));
    network.sandbox.advance(HOUR);
    expectTooLate("TransferPreapproval.expiresAt", () =>
      network.transferTokens(transfer, { handed: { preapproval } }),
    );
  });
});

describe("holdings", () => {
  test("with a lock that ran out are unlocked on the way, from the moment it did", () => {
    const network = new TokenNetwork();
    const { sandbox } = network;
    network.offerTokens([network.tap(alice, "30.0")], { executeBefore: network.later(HOUR) });
    const [locked = expect.fail("nothing is locked")] = network.lockedCoins();
    const spend = () => {
      const given = { receiver: alice, requestedAt: sandbox.now, executeBefore: network.later(HOUR) };
      return network.transferTokens(network.tokenTransfer([locked.contractId], given));
    };
    sandbox.now = addDuration(locked.payload.lock.expiresAt, -MICROSECOND);
    expectTooEarly("Lock.expiresAt", spend);
    sandbox.now = locked.payload.lock.expiresAt;
    spend();
    expect(network.lockedCoins()).toEqual([]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
    expect(exercisesOf(sandbox)).toEqual([
      ["TransferFactory_Transfer", [alice]],
      ["LockedAmulet_OwnerExpireLockV2", [alice]],
      ["Archive", [network.dso, alice]],
    ]);
  });

  test("of another party are not spent, nor contracts that are no holdings", () => {
    const network = new TokenNetwork();
    const bobs = network.tap(bob, "30.0");
    const as = network.asHolderWith([bobs], alice);
    expectOtherGroup("Holding", () => network.transferTokens(network.tokenTransfer([bobs]), { as }));
    const rules = network.tokenTransfer([network.factory]);
    expect(rejectionOf(() => network.transferTokens(rules)).code).toBe(
      "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
    );
  });

  test("have to cover the amount, and are spent once", () => {
    const network = new TokenNetwork();
    const coinCid = network.tap(alice, "9.5");
    const { context } = rejectionOf(() => network.transferTokens(network.tokenTransfer([coinCid])));
    expect(context).toMatchObject({ requiredAmount: "0.5" });
    const twice = network.tokenTransfer([coinCid, coinCid], { receiver: alice });
    expect(rejectionOf(() => network.transferTokens(twice)).code).toBe("CONTRACT_NOT_ACTIVE");
    const less = { amount: decimal("9.5") };
    network.transferTokens(network.tokenTransfer([coinCid], less));
    expectNotFound(() => network.transferTokens(network.tokenTransfer([coinCid], less)));
  });

  test("are at most as many as the configuration says", () => {
    const network = new TokenNetwork();
    const cids = Array.from({ length: 101 }, () => network.tap(alice, "1.0"));
    const tooMany = () => network.transferTokens(network.tokenTransfer(cids));
    expect(rejectionOf(tooMany).context["error_id"]).toBe(`${SPLICE}maximum-inputs-exceeded`);
    network.transferTokens(network.tokenTransfer(cids.slice(1)));
    expect(coinsOf(network, alice)).toEqual(["1.0", "90.0"]);
  });
});

describe("a transfer is refused", () => {
  const setting = () => {
    const network = new TokenNetwork();
    return { network, coinCid: network.tap(alice, "30.0") };
  };

  test("if the caller means another administrator", () => {
    const { network, coinCid } = setting();
    const transfer = network.tokenTransfer([coinCid]);
    expectUnmet(`Expected admin '${alice}' matches actual admin '${network.dso}'`, () =>
      network.transferTokens(transfer, { expectedAdmin: alice }),
    );
  });

  test.each([
    ["name", (network: TokenNetwork) => ({ admin: network.dso, id: "Gold" })],
    ["administrator", () => ({ admin: carol, id: "Amulet" })],
  ])("if it is of an instrument of another %s", (_what, instrumentOf) => {
    const { network, coinCid } = setting();
    const { admin, id } = instrumentOf(network);
    const transfer = network.tokenTransfer([coinCid], { instrumentId: { admin, id } });
    const show = (a: string, i: string) => `InstrumentId {admin = '${a}', id = "${i}"}`;
    const label = `Expected instrumentId ${show(network.dso, "Amulet")} matches actual instrumentId ${show(admin, id)}`;
    expectUnmet(label, () => network.transferTokens(transfer));
  });

  test.each(["0.0", "-1.0"])("if its amount is %s", (amount) => {
    const { network, coinCid } = setting();
    const transfer = network.tokenTransfer([coinCid], { amount: decimal(amount) });
    expectUnmet("Amount must be positive", () => network.transferTokens(transfer));
  });

  test("if it has no holdings", () => {
    const { network } = setting();
    const transfer = network.tokenTransfer([]);
    expectUnmet("At least one holding must be provided", () => network.transferTokens(transfer));
  });

  test("before it is asked for, and from its deadline on", () => {
    const { network, coinCid } = setting();
    const { sandbox } = network;
    const { now } = sandbox;
    const early = network.tokenTransfer([coinCid], { requestedAt: addDuration(now, MICROSECOND) });
    expectTooEarly("Transfer.requestedAt", () => network.transferTokens(early));
    const late = network.tokenTransfer([coinCid], { executeBefore: now });
    expectTooLate("Transfer.executeBefore", () => network.transferTokens(late));
  });

  test("by another party than its sender", () => {
    const { network, coinCid } = setting();
    const as = network.asHolderWith([coinCid], bob);
    expectUnauthorized(() => network.transferTokens(network.tokenTransfer([coinCid]), { as }));
  });

  test("without the state that sets its terms", () => {
    const { network, coinCid } = setting();
    const transfer = network.tokenTransfer([coinCid]);
    const { cause } = rejectionOf(() => network.transferTokens(transfer, { handed: { configState: null } }));
    expect(cause).toBe(`${GENERAL_ERROR}Missing context entry for: external-party-config-state`);
  });

  test("with a state of another DSO", () => {
    const { network, coinCid } = setting();
    const transfer = network.tokenTransfer([coinCid]);
    const [own = expect.fail("no state")] = network.sandbox.active(ExternalPartyConfigState);
    const configState = network.sandbox.create(
      ExternalPartyConfigState,
      { ...own.payload, dso: alice, amuletPrice: decimal("1000.0") },
      { actAs: [alice] },
    );
    expectOtherGroup("ExternalPartyConfigState", () =>
      network.transferTokens(transfer, { handed: { configState } }),
    );
  });

  test.each(["external-party-config-state", "featured-app-right", "transfer-preapproval"])(
    "with a %s that is no contract id",
    (key) => {
      const { network, coinCid } = setting();
      const others = network.context().values.filter(([other]) => other !== key);
      const values = [...others, [key, { tag: "AV_Text", value: "x" }] as const];
      const submit = () =>
        network.sandbox.exercise(
          TransferFactory,
          network.factory,
          "TransferFactory_Transfer",
          {
            expectedAdmin: network.dso,
            transfer: network.tokenTransfer([coinCid]),
            extraArgs: { context: { values }, meta: NO_META },
          },
          network.asHolder(alice),
        );
      expect(rejectionOf(submit).cause).toBe(
        `${GENERAL_ERROR}Failed to decode context value for '${key}': expected contract id, got: AV_Text`,
      );
    },
  );

  test("on a factory that a stranger wrote", () => {
    const { network, coinCid } = setting();
    const mallory = testParty("mallory");
    const theirs = network.sandbox.create(ExternalPartyAmuletRules, { dso: mallory }, { actAs: [mallory] });
    const submit = () =>
      network.sandbox.exercise(
        TransferFactory,
        theirs,
        "TransferFactory_Transfer",
        {
          expectedAdmin: network.dso,
          transfer: network.tokenTransfer([coinCid]),
          extraArgs: network.extraArgs(),
        },
        network.asHolderWith([theirs], alice),
      );
    expectUnmet(`Expected admin '${network.dso}' matches actual admin '${mallory}'`, submit);
  });
});

describe("the factory", () => {
  test("can be read by every party in its own name, if it expects its administrator", () => {
    const network = new TokenNetwork();
    const { sandbox, dso, factory } = network;
    const read = (expectedAdmin = dso, actor = carol) => {
      const argument = { expectedAdmin, actor };
      const as = network.asHolder(carol);
      return sandbox.exercise(TransferFactory, factory, "TransferFactory_PublicFetch", argument, as);
    };
    expect(read()).toEqual({ admin: dso, meta: NO_META });
    expectUnmet(`Expected admin '${carol}' matches actual admin '${dso}'`, () => read(carol));
    expectUnauthorized(() => read(dso, bob));
  });
});

/** The contracts that the last submission created, in order. */
function changed({ sandbox }: TokenNetwork) {
  const nodes = sandbox.lastTransaction?.nodes ?? [];
  const coins = nodes.filter((node) => node.kind === "create");
  return coins
    .filter(({ contract }) => contract.templateId.endsWith(":Amulet"))
    .map(({ contract }) => contract.contractId);
}
