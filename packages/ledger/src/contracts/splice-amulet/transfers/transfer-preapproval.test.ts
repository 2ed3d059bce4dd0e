import { describe, expect, test } from "vitest";
import { type Preapproved, preapproved } from "../../../../testing/preapproval-fixture.ts";
import {
  expectOtherGroup,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { alice, bob, inputAmulet, validator } from "../../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol, WalletNetwork } from "../../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, type Time } from "../../../values/time.ts";
import { Amulet, FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { TransferPreapproval } from "../declarations/transfer-preapproval.ts";

describe("a preapproval", () => {
  const from = new WalletNetwork().sandbox.now;
  const create = (given: { validFrom?: Time; lastRenewedAt?: Time; expiresAt?: Time }, actAs?: PartyId[]) => {
    const { sandbox, dso } = new WalletNetwork();
    const payload = {
      dso,
      receiver: bob,
      provider: validator,
      validFrom: from,
      lastRenewedAt: from,
      expiresAt: addDuration(from, 1n),
      ...given,
    };
    return sandbox.create(TransferPreapproval, payload, { actAs: actAs ?? [bob, validator, dso] });
  };

  test("ends after it begins, and is never renewed before it began", () => {
    expect(create({})).toBeTypeOf("string");
    for (const wrong of [{ expiresAt: from }, { lastRenewedAt: addDuration(from, -1n) }]) {
      expect(rejectionOf(() => create(wrong)).context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });

  test.each([
    ["the receiver", bob],
    ["the provider", validator],
    ["the DSO", testParty("DSO")],
  ])("is not made without %s", (_who, absent) => {
    const everybody = [bob, validator, testParty("DSO")];
    expectUnauthorized(() => create({}, [...everybody.filter((party) => party !== absent), alice]));
  });

  test("can be read by every party that has it disclosed, in its own name", () => {
    const { sandbox, preapprovalCid, asSender } = preapproved();
    const read = (p: PartyId) =>
      sandbox.exercise(
        TransferPreapproval,
        preapprovalCid,
        "TransferPreapproval_Fetch",
        { p },
        asSender(alice),
      );
    expect(read(alice)).toEqual(sandbox.payloadOf(TransferPreapproval, preapprovalCid));
    expect(sandbox.isActive(preapprovalCid)).toBe(true);
    expectUnauthorized(() => read(carol));
  });
});

const sendings = {
  TransferPreapproval_Send: (
    { network, sandbox, preapprovalCid, asSender }: Preapproved,
    given: { amount: string; input: ContractId; description?: string; right?: ContractId; by?: PartyId },
  ) =>
    sandbox.exercise(
      TransferPreapproval,
      preapprovalCid,
      "TransferPreapproval_Send",
      {
        context: {
          amuletRules: network.amuletRules,
          context: { ...network.transferContext(), featuredAppRight: given.right ?? null },
        },
        inputs: [inputAmulet(given.input)],
        amount: decimal(given.amount),
        sender: alice,
        description: given.description ?? null,
      },
      asSender(given.by ?? alice, ...(given.right === undefined ? [] : [given.right])),
    ),
  TransferPreapproval_SendV2: (
    { network, sandbox, preapprovalCid, asSender }: Preapproved,
    given: { amount: string; input: ContractId; description?: string; right?: ContractId; by?: PartyId },
  ) => {
    const states = network.configStates();
    const [externalPartyConfigState = expect.fail("no configuration state")] = states;
    return sandbox.exercise(
      TransferPreapproval,
      preapprovalCid,
      "TransferPreapproval_SendV2",
      {
        context: { externalPartyConfigState, featuredAppRight: given.right ?? null },
        inputs: [inputAmulet(given.input)],
        amount: decimal(given.amount),
        sender: alice,
        description: given.description ?? null,
      },
      asSender(given.by ?? alice, ...states, ...(given.right === undefined ? [] : [given.right])),
    );
  },
} as const;

describe.each(["TransferPreapproval_Send", "TransferPreapproval_SendV2"] as const)("%s", (choice) => {
  const send = sendings[choice];

  test("moves the amount to the receiver as the sender alone, and says why", () => {
    const setting = preapproved();
    const { network, sandbox, dso, preapprovalCid } = setting;
    const { result, meta } = send(setting, {
      amount: "10.0",
      input: network.tap(alice, "50.0"),
      description: "for the pizza",
    });
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(coinsOf(network, alice)).toEqual(["40.0"]);
    expect(changesOf(sandbox)).toEqual({ archived: ["Amulet"], created: ["Amulet", "Amulet"] });
    expect(sandbox.isActive(preapprovalCid)).toBe(true);
    expect(result.meta).toBeNull();
    expect(meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/reason", "for the pizza"],
        ["splice.lfdecentralizedtrust.org/sender", alice],
        ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
      ],
    });
    const transfer =
      choice === "TransferPreapproval_Send" ? [["AmuletRules_Transfer", [alice, bob, validator]]] : [];
    expect(exercisesOf(sandbox)).toEqual([[choice, [alice]], ...transfer, ["Archive", [dso, alice]]]);
  });

  test("needs no description", () => {
    const setting = preapproved();
    const { meta } = send(setting, { amount: "10.0", input: setting.network.tap(alice, "10.0") });
    expect(meta?.values.map(([key]) => key)).toEqual([
      "splice.lfdecentralizedtrust.org/sender",
      "splice.lfdecentralizedtrust.org/tx-kind",
    ]);
  });

  test("rewards the receiver's provider, if featured", () => {
    const setting = preapproved();
    const { network, sandbox, dso } = setting;
    const right = network.feature(validator);
    send(setting, { amount: "10.0", input: network.tap(alice, "10.0"), right });
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload)).toEqual([
      { dso, provider: validator, beneficiary: validator, weight: decimal("1.0") },
    ]);
  });

  test("does not reward the sender", () => {
    const setting = preapproved();
    const { network } = setting;
    const right = network.feature(alice);
    const input = network.tap(alice, "10.0");
    const { cause } = rejectionOf(() => send(setting, { amount: "10.0", input, right }));
    expect(cause).toContain(
      `Contract mismatch: expected FeaturedAppRight {dso = '${network.dso}', provider = '${validator}'}`,
    );
  });

  test("works until one microsecond before it expires", () => {
    const setting = preapproved();
    const { network, sandbox, expiresAt } = setting;
    const inputs = [network.tap(alice, "10.0"), network.tap(alice, "10.0")] as const;
    sandbox.now = addDuration(expiresAt, -1n);
    send(setting, { amount: "10.0", input: inputs[0] });
    sandbox.now = expiresAt;
    expectTooLate("TransferPreapproval.expiresAt", () => send(setting, { amount: "10.0", input: inputs[1] }));
  });

  test("does not spend another's coin, more than there is, or nothing", () => {
    const setting = preapproved();
    const { network } = setting;
    const input = network.tap(alice, "10.0");
    const missing = rejectionOf(() => send(setting, { amount: "10.5", input }));
    expect(missing.context).toMatchObject({ requiredAmount: "0.5" });
    expectUnmet("Amount is positive", () => send(setting, { amount: "0.0", input }));
    const carols = network.tap(carol, "10.0");
    const setting2 = {
      ...setting,
      asSender: (...given: Parameters<typeof setting.asSender>) => ({
        ...setting.asSender(...given),
        readAs: [carol],
      }),
    };
    expectOtherGroup("Amulet", () => send(setting2, { amount: "10.0", input: carols }));
  });

  test("is allowed to the sender alone", () => {
    const setting = preapproved();
    const input = setting.network.tap(alice, "10.0");
    expectUnauthorized(() => send(setting, { amount: "10.0", input, by: bob }));
  });
});

describe("TransferPreapproval_SendV2", () => {
  test("makes coins of the state's round and price, also when that price is no longer any round's", () => {
    const setting = preapproved();
    const { network, sandbox } = setting;
    for (let i = 0; i < 4; i++) network.advanceRounds(decimal("1.0"));
    const input = network.tap(alice, "50.0");
    const { result } = sendings.TransferPreapproval_SendV2(setting, { amount: "10.0", input });
    expect(result).toMatchObject({ round: { number: 0n }, summary: { amuletPrice: decimal("0.005") } });
    const got = sandbox.active(Amulet).filter(({ payload }) => payload.owner === bob);
    expect(got.map(({ payload }) => payload.amount)).toEqual([
      {
        initialAmount: decimal("10.0"),
        createdAt: { number: 0n },
        ratePerRound: { rate: decimal("0.00380518") },
      },
    ]);
  });

  test("mints nothing", () => {
    const setting = preapproved();
    const { network, sandbox, preapprovalCid, asSender } = setting;
    network.buyTraffic({ inputs: [network.tap(alice, "666.8")], provider: alice });
    const [externalPartyConfigState = expect.fail("no configuration state")] = network.configStates();
    const argument = {
      context: { externalPartyConfigState, featuredAppRight: null },
      inputs: [{ tag: "InputValidatorRewardCoupon", value: couponCid(setting) } as const],
      amount: decimal("1.0"),
      sender: alice,
      description: null,
    };
    const as = asSender(alice, externalPartyConfigState);
    const mint = () =>
      sandbox.exercise(TransferPreapproval, preapprovalCid, "TransferPreapproval_SendV2", argument, as);
    expect(rejectionOf(mint).cause).toContain("TransferContext did");
  });
});

function couponCid({ sandbox }: Preapproved): ContractId {
  const created = sandbox.lastTransaction?.nodes.find(
    (node) => node.kind === "create" && node.contract.templateId.endsWith(":ValidatorRewardCoupon"),
  );
  return created?.kind === "create" ? created.contract.contractId : expect.fail("no coupon");
}
