import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { alice, bob, inputAmulet, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { carol, coins, dollars, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { AcceptedTransferOffer, TransferOffer } from "./declarations/transfer-offer.ts";

const expiresAt = time("2026-01-01T00:05:00Z");
const trackingInfo = { trackingId: "offer 1", sender: alice, receiver: bob };
type Given = Partial<TransferOffer>;

/** Alice offers bob two coins for five minutes. */
function offered(given: Given = {}, network = new WalletNetwork()) {
  const { sandbox, dso } = network;
  const offer = {
    sender: alice,
    receiver: bob,
    dso,
    amount: coins("2.0"),
    description: "for the tickets",
    expiresAt,
    trackingId: "offer 1",
    ...given,
  };
  const offerCid = sandbox.create(TransferOffer, offer, { actAs: [alice] });
  const accept = () =>
    sandbox.exercise(TransferOffer, offerCid, "TransferOffer_Accept", {}, { actAs: [bob] })
      .acceptedTransferOffer;
  return { network, sandbox, dso, offerCid, accept };
}

describe("an offer", () => {
  test("can be made by the sender alone", () => {
    const { sandbox, offerCid } = offered();
    const payload = sandbox.payloadOf(TransferOffer, offerCid);
    expectUnauthorized(() => sandbox.create(TransferOffer, payload, { actAs: [bob] }));
  });

  test.each(["description", "trackingId"] as const)("has a %s of fewer than 280 characters", (field) => {
    // A character outside the basic plane is one character.
    for (const character of ["x", "é", "😀"]) {
      offered({ [field]: character.repeat(279) });
      const { context } = rejectionOf(() => offered({ [field]: character.repeat(280) }));
      expect(context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });
});

describe("TransferOffer_Accept", () => {
  test("makes it binding for both, as long as it has not expired", () => {
    const { sandbox, dso, accept } = offered();
    sandbox.now = addDuration(expiresAt, -1n);
    expect(sandbox.payloadOf(AcceptedTransferOffer, accept())).toEqual({
      sender: alice,
      receiver: bob,
      dso,
      amount: coins("2.0"),
      expiresAt,
      trackingId: "offer 1",
    });
    expect(changesOf(sandbox)).toEqual({ archived: ["TransferOffer"], created: ["AcceptedTransferOffer"] });
    expectNotFound(accept);
  });

  test("is refused at its expiry", () => {
    const { sandbox, accept } = offered();
    sandbox.now = expiresAt;
    expectUnmet("Offer has not expired", accept);
  });

  test("is exercised by the receiver alone", () => {
    const { sandbox, offerCid } = offered();
    const accept = () =>
      sandbox.exercise(TransferOffer, offerCid, "TransferOffer_Accept", {}, { actAs: [alice] });
    expectUnauthorized(accept);
  });
});

describe.each([
  ["TransferOffer_Reject", TransferOffer, {}, bob, alice],
  ["TransferOffer_Withdraw", TransferOffer, { reason: "no money" }, alice, bob],
  ["AcceptedTransferOffer_Withdraw", AcceptedTransferOffer, { reason: "no need" }, bob, alice],
  ["AcceptedTransferOffer_Abort", AcceptedTransferOffer, { reason: "no money" }, alice, bob],
] as const)("%s", (choice, template, argument, controller, other) => {
  test("ends it at any time, and tells which one it was", () => {
    const { sandbox, offerCid, accept } = offered();
    const cid = template === TransferOffer ? offerCid : accept();
    sandbox.now = addDuration(expiresAt, 1n);
    const run = (actAs: readonly PartyId[]) =>
      // The table pairs each choice with its own template and argument.
      sandbox.exercise(
        template as typeof TransferOffer,
        cid,
        choice as "TransferOffer_Withdraw",
        argument as { reason: string },
        { actAs },
      );
    expectUnauthorized(() => run([other]));
    expect(run([controller])).toEqual({ trackingInfo });
    expect(changesOf(sandbox)).toEqual({ archived: [template.entity], created: [] });
    expectNotFound(() => run([controller]));
  });
});

describe.each([
  ["TransferOffer_Expire", TransferOffer],
  ["AcceptedTransferOffer_Expire", AcceptedTransferOffer],
] as const)("%s", (choice, template) => {
  function expiring() {
    const { sandbox, offerCid, accept } = offered();
    const cid = template === TransferOffer ? offerCid : accept();
    const expire = (actor: PartyId, as = actor) =>
      sandbox.exercise(
        template as typeof TransferOffer,
        cid,
        choice as "TransferOffer_Expire",
        { actor },
        { actAs: [as], readAs: [alice] },
      );
    return { sandbox, expire };
  }

  test.each([alice, bob])("is exercised by both sides, from the expiry on: %s", (actor) => {
    const { sandbox, expire } = expiring();
    sandbox.now = addDuration(expiresAt, -1n);
    expectUnmet("Contract has expired", () => expire(actor));
    sandbox.now = expiresAt;
    expect(expire(actor)).toEqual({ trackingInfo });
    expectNotFound(() => expire(actor));
  });

  test("is refused to other parties, and in another's name", () => {
    const { sandbox, expire } = expiring();
    sandbox.now = expiresAt;
    expectUnmet("Actor is a stakeholder", () => expire(carol));
    expectUnauthorized(() => expire(bob, alice));
  });
});

describe("AcceptedTransferOffer_Complete", () => {
  const complete = (
    { network }: ReturnType<typeof offered>,
    cid: ContractId,
    inputs: readonly ContractId[],
    actAs: readonly PartyId[] = [alice, validator],
  ) => {
    const argument = {
      inputs: inputs.map(inputAmulet),
      transferContext: network.paymentContext(),
      walletProvider: validator,
    };
    const as = { ...network.as(...actAs), readAs: [alice] };
    const choice = "AcceptedTransferOffer_Complete";
    return network.sandbox.exercise(AcceptedTransferOffer, cid, choice, argument, as);
  };

  test("pays the receiver with the sender's wallet as provider, and gives change", () => {
    const setting = offered();
    const { network, sandbox, dso, accept } = setting;
    const result = complete(setting, accept(), [network.tap(alice, "15.0")]);
    expect(result.trackingInfo).toEqual(trackingInfo);
    expect(result.senderChangeAmulet).toBe(result.transferResult.senderChangeAmulet);
    expect(coinsOf(network, bob)).toEqual(["2.0"]);
    expect(coinsOf(network, alice)).toEqual(["13.0"]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["AcceptedTransferOffer", "Amulet"],
      created: ["Amulet", "Amulet"],
    });
    expect(exercisesOf(sandbox)).toEqual([
      ["AcceptedTransferOffer_Complete", [alice, validator]],
      ["OpenMiningRound_Fetch", [alice]],
      ["AmuletRules_Transfer", [alice, bob, validator]],
      ["Archive", [dso, alice]],
    ]);
  });

  test("turns dollars into coin of the round it is paid in", () => {
    const network = new WalletNetwork({ amuletPrice: decimal("0.3") });
    const setting = offered({ amount: dollars("1.0") }, network);
    complete(setting, setting.accept(), [network.tap(alice, "3.3333333333")]);
    expect(coinsOf(network, bob)).toEqual(["3.3333333333"]);
    expect(coinsOf(network, alice)).toEqual([]);
  });

  test("works until one microsecond before it expires", () => {
    const [early, late] = [offered(), offered()];
    const run = (setting: typeof early, cid: ContractId) =>
      complete(setting, cid, [setting.network.tap(alice, "2.0")]);
    const [first, second] = [early.accept(), late.accept()];
    early.sandbox.now = addDuration(expiresAt, -1n);
    late.sandbox.now = expiresAt;
    run(early, first);
    expectUnmet("Offer has not expired", () => run(late, second));
  });

  test("leaves the offer standing when there is too little", () => {
    const setting = offered();
    const cid = setting.accept();
    const { context } = rejectionOf(() => complete(setting, cid, [setting.network.tap(alice, "1.5")]));
    expect(context).toMatchObject({ requiredAmount: "0.5" });
    expect(setting.sandbox.isActive(cid)).toBe(true);
  });

  test.each([[[alice]], [[validator]], [[bob, validator]]])("is refused to %s", (actAs) => {
    const setting = offered();
    const cid = setting.accept();
    const inputs = [setting.network.tap(alice, "2.0")];
    expectUnauthorized(() => complete(setting, cid, inputs, actAs));
  });
});
