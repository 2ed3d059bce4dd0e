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
import { alice, bob, inputAmulet, validator } from "../../../../testing/subscription-fixture.ts";
import { TokenNetwork } from "../../../../testing/token-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { carol } from "../../../../testing/wallet-fixture.ts";
import type { ArgumentOf } from "../../../engine/declaration.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommand,
  TransferCommandCounter,
} from "../declarations/external-party-amulet-rules.ts";

const CREATE = "ExternalPartyAmuletRules_CreateTransferCommand";
type Commanding = ArgumentOf<(typeof ExternalPartyAmuletRules)["choices"][typeof CREATE]>;

/** Alice signs outside; Bob takes coin from anybody for two days; the validator carries out what she commands. */
function setting() {
  const network = new TokenNetwork();
  const { sandbox, dso } = network;
  const preapproval = network.grantPreapproval(network.later(2n * DAY));
  const count = (nextNonce: bigint, sender: PartyId = alice) =>
    sandbox.create(TransferCommandCounter, { dso, sender, nextNonce }, { actAs: [dso] });
  const command = (given: Partial<Commanding> = {}, as: PartyId = alice) =>
    sandbox.exercise(
      ExternalPartyAmuletRules,
      network.factory,
      CREATE,
      {
        sender: alice,
        receiver: bob,
        delegate: validator,
        amount: decimal("10.0"),
        expiresAt: network.later(DAY),
        nonce: 0n,
        description: "for the pizza",
        expectedDso: dso,
        ...given,
      },
      network.asHolder(as),
    ).transferCommandCid;
  const send = (
    cid: ContractId,
    counter: ContractId,
    given: { inputs?: readonly ContractId[]; preapproval?: ContractId | null; as?: PartyId } = {},
  ) => {
    const { inputs = [network.tap(alice, "30.0")], as = validator } = given;
    const argument = {
      context: network.paymentContext(),
      inputs: inputs.map(inputAmulet),
      transferPreapprovalCidO: given.preapproval === undefined ? preapproval : given.preapproval,
      transferCounterCid: counter,
    };
    const submitting = { ...network.asHolderWith([preapproval, counter], as), readAs: [alice] };
    return sandbox.exercise(TransferCommand, cid, "TransferCommand_Send", argument, submitting);
  };
  const counters = () => sandbox.active(TransferCommandCounter).map(({ payload }) => payload.nextNonce);
  return { network, sandbox, preapproval, count, command, send, counters };
}

describe("a command", () => {
  test("is signed by the sender and the DSO, and shown to its delegate", () => {
    const { network, sandbox, command } = setting();
    const { dso } = network;
    const cid = command();
    expect(sandbox.payloadOf(TransferCommand, cid)).toEqual({
      dso,
      sender: alice,
      receiver: bob,
      delegate: validator,
      amount: decimal("10.0"),
      expiresAt: network.later(DAY),
      nonce: 0n,
      description: "for the pizza",
    });
    const node = sandbox.lastTransaction?.nodes.find((each) => each.kind === "create");
    expect(node).toMatchObject({ signatories: [alice, dso], observers: [validator] });
  });

  test("is made by its sender, for the DSO it means, before it expires", () => {
    const { sandbox, command } = setting();
    expectUnauthorized(() => command({}, bob));
    expect(rejectionOf(() => command({ expectedDso: bob })).cause).toContain("DSO party expected by caller");
    expect(rejectionOf(() => command({ expectedDso: null })).cause).toContain("Expected DSO party not set");
    expectTooLate(`${CREATE}.expiresAt`, () => command({ expiresAt: sandbox.now }));
    command({ expiresAt: addDuration(sandbox.now, MICROSECOND) });
  });
});

describe("its delegate", () => {
  test("makes the transfer, and the next command is due", () => {
    const { network, sandbox, count, command, send, counters } = setting();
    const { result, sender, nonce } = send(command({ nonce: 7n }), count(7n));
    if (result.tag !== "TransferCommandResultSuccess") expect.fail(result.tag);
    expect(result.value.result.meta).toBeNull();
    expect({ sender, nonce }).toEqual({ sender: alice, nonce: 7n });
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(counters()).toEqual([8n]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["TransferCommand", "TransferCommandCounter", "Amulet"],
      created: ["TransferCommandCounter", "Amulet", "Amulet"],
    });
    expect(exercisesOf(sandbox).slice(0, 3)).toEqual([
      ["TransferCommand_Send", [validator]],
      ["Archive", [network.dso]],
      ["TransferPreapproval_Send", [alice]],
    ]);
  });

  test("uses a command up that was overtaken, without moving coin", () => {
    const { network, sandbox, count, command, send, counters } = setting();
    const cid = command({ nonce: 1n });
    const description = "Expected nonce 1 is smaller than current counter 2";
    expect(send(cid, count(2n))).toEqual({
      result: {
        tag: "TransferCommandResultFailure",
        value: { reason: { tag: "ITR_Other", value: { description } } },
      },
      sender: alice,
      nonce: 1n,
    });
    expect(sandbox.isActive(cid)).toBe(false);
    expect(counters()).toEqual([2n]);
    expect(coinsOf(network, bob)).toEqual([]);
  });

  test("keeps a command whose turn has not come", () => {
    const { sandbox, count, command, send } = setting();
    const cid = command({ nonce: 3n });
    const counter = count(2n);
    expect(rejectionOf(() => send(cid, counter)).cause).toBe(
      `${GENERAL_ERROR}Expected nonce 3 is bigger than current counter 2`,
    );
    expect(sandbox.isActive(cid)).toBe(true);
  });

  test("uses a command up whose receiver has no preapproval, and its number with it", () => {
    const { network, count, command, send, counters } = setting();
    const { result } = send(command(), count(0n), { preapproval: null });
    const description = `No TransferPreapproval for receiver '${bob}'`;
    expect(result).toEqual({
      tag: "TransferCommandResultFailure",
      value: { reason: { tag: "ITR_Other", value: { description } } },
    });
    expect(counters()).toEqual([1n]);
    expect(coinsOf(network, bob)).toEqual([]);
  });

  test("accepts the sender's counter and the receiver's preapproval only", () => {
    const { network, count, command, send } = setting();
    const cid = command();
    expectOtherGroup("TransferCommandCounter", () => send(cid, count(0n, bob)));
    const carols = network.grantPreapproval(network.later(DAY), { receiver: carol });
    const own = count(0n);
    const as = { ...network.asHolderWith([carols, own], validator), readAs: [alice] };
    const argument = {
      context: network.paymentContext(),
      inputs: [inputAmulet(network.tap(alice, "30.0"))],
      transferPreapprovalCidO: carols,
      transferCounterCid: own,
    };
    expectOtherGroup("TransferPreapproval", () =>
      network.sandbox.exercise(TransferCommand, cid, "TransferCommand_Send", argument, as),
    );
  });

  test("is too late at the command's end, and may be short of coin", () => {
    const { network, sandbox, count, command, send } = setting();
    const counter = count(0n);
    const cid = command();
    const poor = () => send(cid, counter, { inputs: [network.tap(alice, "9.0")] });
    expect(rejectionOf(poor).context).toMatchObject({ requiredAmount: "1.0" });
    sandbox.now = network.later(DAY);
    expectTooLate("TransferCommand.expiresAt", () => send(cid, counter));
    sandbox.now = addDuration(sandbox.now, -MICROSECOND);
    send(cid, counter);
    expectNotFound(() => send(cid, counter));
  });

  test("alone carries it out", () => {
    const { count, command, send } = setting();
    const cid = command();
    const counter = count(0n);
    for (const as of [alice, bob]) expectUnauthorized(() => send(cid, counter, { as }));
  });
});

test("only the sender withdraws a command", () => {
  const { network, sandbox, command } = setting();
  const cid = command({ nonce: 4n });
  const withdraw = (...actAs: PartyId[]) =>
    sandbox.exercise(TransferCommand, cid, "TransferCommand_Withdraw", {}, { actAs });
  expectUnauthorized(() => withdraw(validator, network.dso));
  expect(withdraw(alice)).toEqual({ sender: alice, nonce: 4n });
  expectNotFound(() => withdraw(alice));
});

test.each([
  ["the DSO", "dso"],
  ["the sender", alice],
  ["the delegate", validator],
] as const)("%s ends a command from its expiry on", (_who, party) => {
  const { network, sandbox, command } = setting();
  const p = party === "dso" ? network.dso : party;
  const cid = command();
  const expire = (as: PartyId = p) =>
    sandbox.exercise(
      TransferCommand,
      cid,
      "TransferCommand_Expire",
      { p: as },
      network.asHolderWith([cid], as),
    );
  const end = network.later(DAY);
  sandbox.now = addDuration(end, -MICROSECOND);
  expectTooEarly("TransferCommand.expiresAt", expire);
  sandbox.now = end;
  expectUnmet("Controller is a stakeholder", () => expire(bob));
  expect(expire()).toEqual({ sender: alice, nonce: 0n });
  expect(sandbox.isActive(cid)).toBe(false);
});

test("a counter is signed by the DSO and shown to its sender", () => {
  const { network, sandbox, count } = setting();
  count(0n);
  const node = sandbox.lastTransaction?.nodes.at(-1);
  expect(node).toMatchObject({ signatories: [network.dso], observers: [alice] });
  const payload = { dso: network.dso, sender: alice, nextNonce: 0n };
  expectUnauthorized(() => sandbox.create(TransferCommandCounter, payload, { actAs: [alice] }));
});
