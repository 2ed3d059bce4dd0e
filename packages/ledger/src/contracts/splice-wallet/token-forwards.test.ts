import { describe, expect, test } from "vitest";
import { expectOtherGroup, expectUnauthorized, expectUnmet } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { alice, bob, laFamiglia, validator } from "../../../testing/subscription-fixture.ts";
import { TokenNetwork } from "../../../testing/token-fixture.ts";
import { exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { carol } from "../../../testing/wallet-fixture.ts";
import type { ArgumentOf } from "../../engine/declaration.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { AmuletAllocation } from "../splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../splice-amulet/declarations/amulet-transfer-instruction.ts";
import { WalletAppInstall } from "./declarations/install.ts";
import type { tokenForwards } from "./declarations/token-forwards.ts";

const mallory = testParty("mallory");
type Forwards = typeof tokenForwards;

/** Wallets of Alice and Bob at the validator, and Alice's 30 coins. */
function installed() {
  const network = new TokenNetwork();
  const { sandbox } = network;
  const wallets = new Map([alice, bob].map((user) => [user, network.installWallet(user)] as const));
  const walletOf = (user: PartyId) => wallets.get(user) ?? expect.fail(`${user} has no wallet`);
  const forward = <C extends keyof Forwards>(
    user: PartyId,
    choice: C,
    argument: ArgumentOf<Forwards[C]>,
    given: { by?: PartyId; disclose?: readonly ContractId[] } = {},
  ) => {
    const as = network.asHolderWith(given.disclose ?? [], given.by ?? validator);
    const submitting = { ...as, readAs: [user, ...(given.by === undefined ? [] : [validator])] };
    return sandbox.exercise(WalletAppInstall, walletOf(user), choice, argument as never, submitting);
  };
  const coinCid = network.tap(alice, "30.0");
  const transferArg = (
    given: Parameters<TokenNetwork["tokenTransfer"]>[1] = {},
    expectedAdmin = network.dso,
  ) => ({
    transferFactoryCid: network.factory,
    transferArg: {
      expectedAdmin,
      transfer: network.tokenTransfer([coinCid], given),
      extraArgs: network.extraArgs(),
    },
  });
  const allocateArg = (
    given: Parameters<TokenNetwork["allocation"]>[1] = {},
    expectedAdmin = network.dso,
  ) => ({
    allocationFactory: network.factory,
    allocateArg: {
      expectedAdmin,
      allocation: network.allocation(laFamiglia, given),
      requestedAt: sandbox.now,
      inputHoldingCids: [coinCid],
      extraArgs: network.extraArgs(),
    },
  });
  const extraArgs = network.extraArgs({ expireLock: true });
  return { network, sandbox, forward, coinCid, transferArg, allocateArg, extraArgs };
}

describe("a wallet sends coin for its user", () => {
  test("with the user's authority and the validator's signature alone", () => {
    const { network, sandbox, forward, transferArg } = installed();
    const result = forward(alice, "WalletAppInstall_TransferFactory_Transfer", transferArg());
    const [instruction = expect.fail("no instruction")] = sandbox.active(AmuletTransferInstruction);
    expect(result).toMatchObject({
      output: {
        tag: "TransferInstructionResult_Pending",
        value: { transferInstructionCid: instruction.contractId },
      },
    });
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["WalletAppInstall_TransferFactory_Transfer", [validator]],
      ["TransferFactory_Transfer", [alice]],
    ]);
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
  });

  test("not another party's, not of another token, not by another's factory", () => {
    const { network, forward, transferArg } = installed();
    const send = (argument: ReturnType<typeof transferArg>) => () =>
      forward(alice, "WalletAppInstall_TransferFactory_Transfer", argument);
    expectUnmet(`sender '${bob}' is endUserParty '${alice}'`, send(transferArg({ sender: bob })));
    const show = (id: string) => `InstrumentId {admin = '${network.dso}', id = "${id}"}`;
    expectUnmet(
      `instrumentId ${show("Gold")} is amuletInstrumentId ${show("Amulet")}`,
      send(transferArg({ instrumentId: { admin: network.dso, id: "Gold" } })),
    );
    expectUnmet(`expected admin '${mallory}' is dso '${network.dso}'`, send(transferArg({}, mallory)));
  });
});

describe("a wallet allocates coin for its user", () => {
  test("with the user's authority and the validator's signature alone, and takes it back", () => {
    const { network, sandbox, forward, allocateArg, extraArgs } = installed();
    const { output } = forward(alice, "WalletAppInstall_AllocationFactory_Allocate", allocateArg());
    const [made = expect.fail("no allocation")] = sandbox.active(AmuletAllocation);
    const allocationCid = made.contractId;
    expect(output).toEqual({ tag: "AllocationInstructionResult_Completed", value: { allocationCid } });
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["WalletAppInstall_AllocationFactory_Allocate", [validator]],
      ["AllocationFactory_Allocate", [alice]],
    ]);
    expect(coinsOf(network, alice)).toEqual(["20.0"]);
    const argument = { allocationCid, withdrawArg: { extraArgs } };
    const { senderHoldingCids } = forward(alice, "WalletAppInstall_Allocation_Withdraw", argument);
    expect(senderHoldingCids).toHaveLength(1);
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["WalletAppInstall_Allocation_Withdraw", [validator]],
      ["Allocation_Withdraw", [alice]],
    ]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
  });

  test("not another party's, not of another token, not by another's factory", () => {
    const { network, forward, allocateArg } = installed();
    const allocate = (argument: ReturnType<typeof allocateArg>) => () =>
      forward(alice, "WalletAppInstall_AllocationFactory_Allocate", argument);
    expectUnmet(`sender '${bob}' is endUserParty '${alice}'`, allocate(allocateArg({ sender: bob })));
    const show = (id: string) => `InstrumentId {admin = '${network.dso}', id = "${id}"}`;
    expectUnmet(
      `instrumentId ${show("Gold")} is amuletInstrumentId ${show("Amulet")}`,
      allocate(allocateArg({ instrumentId: { admin: network.dso, id: "Gold" } })),
    );
    expectUnmet(`expected admin '${mallory}' is dso '${network.dso}'`, allocate(allocateArg({}, mallory)));
  });

  test("only the user's own transfers and allocations of the coin are withdrawn", () => {
    const { network, sandbox, forward, coinCid, extraArgs } = installed();
    const allocationCid = network.allocate(network.allocation(bob), [coinCid]);
    const argument = { allocationCid, withdrawArg: { extraArgs } };
    const disclose = [allocationCid];
    expectUnmet(`sender '${alice}' must match endUserParty '${bob}'`, () =>
      forward(bob, "WalletAppInstall_Allocation_Withdraw", argument, { disclose }),
    );
    const { payload } = sandbox.active(AmuletAllocation)[0] ?? expect.fail("no allocation");
    const forged = sandbox.create(
      AmuletAllocation,
      {
        ...payload,
        allocation: network.allocation(mallory, { instrumentId: { admin: mallory, id: "Amulet" } }),
      },
      { actAs: [mallory, alice] },
    );
    expectOtherGroup("Allocation", () =>
      forward(alice, "WalletAppInstall_Allocation_Withdraw", { ...argument, allocationCid: forged }),
    );
  });
});

/** The ends of a transfer: who may choose them, in which role, and what Alice and Bob then have. */
const ends = [
  {
    end: "Accept",
    field: "acceptArg",
    user: bob,
    role: "receiver",
    other: alice,
    left: [["20.0"], ["10.0"]],
  },
  {
    end: "Reject",
    field: "rejectArg",
    user: bob,
    role: "receiver",
    other: alice,
    left: [["10.0", "20.0"], []],
  },
  {
    end: "Withdraw",
    field: "withdrawArg",
    user: alice,
    role: "sender",
    other: bob,
    left: [["10.0", "20.0"], []],
  },
] as const;

describe.each(ends)("a wallet's $end of a transfer", ({ end, field, user, role, other, left }) => {
  const choice = `WalletAppInstall_TransferInstruction_${end}` as const;
  const offered = () => {
    const setting = installed();
    const transferInstructionCid = setting.network.offerTokens([setting.coinCid]);
    const submit = (by: PartyId, cid = transferInstructionCid, signer?: PartyId) => {
      const argument = { transferInstructionCid: cid, [field]: { extraArgs: setting.extraArgs } };
      const given = { disclose: [cid], ...(signer === undefined ? {} : { by: signer }) };
      return setting.forward(by, choice, argument as never, given);
    };
    return { ...setting, submit, transferInstructionCid };
  };

  test("ends only a transfer of the user's own", () => {
    const { network, sandbox, submit, transferInstructionCid } = offered();
    const expected = role === "receiver" ? bob : alice;
    expectUnmet(`${role} '${expected}' must match endUserParty '${other}'`, () => submit(other));
    expectUnauthorized(() => submit(user, transferInstructionCid, carol));
    submit(user);
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      [choice, [validator]],
      [`TransferInstruction_${end}`, [user]],
    ]);
    expect([coinsOf(network, alice), coinsOf(network, bob)]).toEqual(left);
  });

  test("is of the coin only", () => {
    const { network, sandbox, submit } = offered();
    const { payload } = sandbox.active(AmuletTransferInstruction)[0] ?? expect.fail("no instruction");
    const instrumentId = { admin: mallory, id: "Amulet" };
    const transfer = network.tokenTransfer([], { instrumentId, amount: decimal("1.0") });
    const forged = sandbox.create(
      AmuletTransferInstruction,
      { ...payload, transfer },
      { actAs: [mallory, alice] },
    );
    expectOtherGroup("TransferInstruction", () => submit(user, forged));
  });
});

test("a wallet sends, takes back, sends, has it refused, sends, and it is accepted", () => {
  const { network, forward, coinCid, transferArg, extraArgs } = installed();
  const send = (inputHoldingCids: readonly ContractId[]) => {
    const argument = transferArg({ inputHoldingCids });
    const choice = "WalletAppInstall_TransferFactory_Transfer";
    const { output, senderChangeCids } = forward(alice, choice, argument);
    if (output.tag !== "TransferInstructionResult_Pending") expect.fail(output.tag);
    return { cid: output.value.transferInstructionCid, change: senderChangeCids };
  };
  const first = send([coinCid]);
  const withdrawn = forward(alice, "WalletAppInstall_TransferInstruction_Withdraw", {
    transferInstructionCid: first.cid,
    withdrawArg: { extraArgs },
  });
  const second = send([...first.change, ...withdrawn.senderChangeCids]);
  const rejected = forward(bob, "WalletAppInstall_TransferInstruction_Reject", {
    transferInstructionCid: second.cid,
    rejectArg: { extraArgs },
  });
  const third = send([...second.change, ...rejected.senderChangeCids]);
  const accepted = forward(bob, "WalletAppInstall_TransferInstruction_Accept", {
    transferInstructionCid: third.cid,
    acceptArg: { extraArgs },
  });
  expect(accepted.output.tag).toBe("TransferInstructionResult_Completed");
  expect([coinsOf(network, alice), coinsOf(network, bob)]).toEqual([["20.0"], ["10.0"]]);
});
