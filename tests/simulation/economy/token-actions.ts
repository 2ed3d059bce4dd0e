/** Actions by the token standard: sending coin, accepting it or not, allocating it for settlements. */
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { Allocation } from "../../../packages/ledger/src/contracts/splice-api-token-v1/allocation.ts";
import { AllocationFactory } from "../../../packages/ledger/src/contracts/splice-api-token-v1/allocation-instruction.ts";
import {
  type AnyValue,
  EMPTY_METADATA,
  type ExtraArgs,
} from "../../../packages/ledger/src/contracts/splice-api-token-v1/metadata.ts";
import {
  TransferFactory,
  TransferInstruction,
} from "../../../packages/ledger/src/contracts/splice-api-token-v1/transfer-instruction.ts";
import {
  Amulet,
  type ContractId,
  ExternalPartyConfigState,
  exerciseCommand,
  LockedAmulet,
  TransferPreapproval,
} from "../../../packages/ledger/src/index.ts";
import { decimalFromUnits } from "../../../packages/ledger/src/values/decimal.ts";
import { HOUR, MINUTE } from "../../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import type { Random } from "../../support/random.ts";
import type { Account } from "./account.ts";
import { type EconomyAction, neighbours, withAccount, withContract } from "./economy-action.ts";
import type { EconomyWorld } from "./economy-world.ts";

const MOST_HOLDINGS = 20;

/** As scan's registry tells callers: which state, and whether a lock still stands; in the order of keys. */
function extraArgs(...values: readonly (readonly [string, AnyValue])[]): ExtraArgs {
  return { context: { values: values.toSorted(([a], [b]) => (a < b ? -1 : 1)) }, meta: EMPTY_METADATA };
}

const cid = (key: string, value: ContractId) => [key, { tag: "AV_ContractId", value }] as const;

function stateOf({ network, random }: EconomyWorld): ContractId {
  return random.pick(network.active(ExternalPartyConfigState, network.dso)).contractId;
}

/** Coins, and now and then one whose lock ran out or has not yet. */
function holdingsOf({ network, random }: EconomyWorld, { party }: Account): readonly ContractId[] {
  const free = network.active(Amulet, network.dso).filter(({ payload }) => payload.owner === party);
  const locked = network.active(LockedAmulet, network.dso).filter(({ payload }) => {
    return payload.amulet.owner === party && !payload.lock.holders.includes(network.dso);
  });
  const held = [...free, ...(random.chance(0.2) ? locked.slice(0, 1) : [])];
  return held.slice(0, MOST_HOLDINGS).map(({ contractId }) => contractId);
}

function anAmount(random: Random) {
  return decimalFromUnits(1n + random.bigBelow(10n ** BigInt(random.between(8, 12))));
}

const send = withAccount((sender, world) => {
  const { random, network, accounts } = world;
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const receiver = random.pick(accounts).party;
  const state = stateOf(world);
  const approved = network.active(TransferPreapproval, network.dso).find(({ payload }) => {
    return payload.receiver === receiver;
  })?.contractId;
  const preapproval = approved !== undefined && random.chance(0.5) ? [approved] : [];
  const argument = {
    expectedAdmin: network.dso,
    transfer: {
      sender: sender.party,
      receiver,
      amount: anAmount(random),
      instrumentId: { admin: network.dso, id: "Amulet" },
      requestedAt: network.now,
      executeBefore: addDuration(network.now, random.pick([MINUTE, HOUR])),
      inputHoldingCids: holdingsOf(world, sender),
      meta: EMPTY_METADATA,
    },
    extraArgs: extraArgs(
      cid("external-party-config-state", state),
      ...preapproval.map((value) => cid("transfer-preapproval", value)),
    ),
  };
  const command = exerciseCommand(TransferFactory, rules, "TransferFactory_Transfer", argument);
  return sender.submit([command], [rules, state, ...preapproval]);
});

/** The receiver accepts or rejects; sometimes the sender withdraws. Late answers are refused. */
const answerTransfer = withContract(
  AmuletTransferInstruction,
  ({ transfer }) => transfer.receiver,
  (receiver, { contractId, payload }, world) => {
    const { random, network, accounts } = world;
    const { lockedAmulet, transfer } = payload;
    const isThere = network.find(LockedAmulet, lockedAmulet) !== null;
    const disclose = isThere ? [lockedAmulet] : [];
    if (random.chance(0.6)) {
      const state = stateOf(world);
      const argument = { extraArgs: extraArgs(cid("external-party-config-state", state)) };
      const command = exerciseCommand(
        TransferInstruction,
        contractId,
        "TransferInstruction_Accept",
        argument,
      );
      return receiver.submit([command], [...disclose, state]);
    }
    const argument = { extraArgs: extraArgs(["expire-lock", { tag: "AV_Bool", value: isThere }]) };
    const sender = accounts.find(({ party }) => party === transfer.sender);
    const isWithdrawn = sender !== undefined && random.chance(0.5);
    const choice = isWithdrawn ? "TransferInstruction_Withdraw" : "TransferInstruction_Reject";
    const command = exerciseCommand(TransferInstruction, contractId, choice, argument);
    return (isWithdrawn ? sender : receiver).submit([command], disclose);
  },
);

/** Executor, sender and receiver have the same validator, since all of them have to settle. */
const allocate = withAccount((sender, world) => {
  const { random, network } = world;
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const near = neighbours(world, sender);
  const state = stateOf(world);
  const settleBefore = addDuration(network.now, random.pick([MINUTE, HOUR]));
  const argument = {
    expectedAdmin: network.dso,
    allocation: {
      settlement: {
        executor: random.pick(near).party,
        settlementRef: { id: `settlement-${network.state.head.sequence}`, cid: null },
        requestedAt: network.now,
        allocateBefore: settleBefore,
        settleBefore,
        meta: EMPTY_METADATA,
      },
      transferLegId: "leg",
      transferLeg: {
        sender: sender.party,
        receiver: random.pick(near).party,
        amount: anAmount(random),
        instrumentId: { admin: network.dso, id: "Amulet" },
        meta: EMPTY_METADATA,
      },
    },
    requestedAt: network.now,
    inputHoldingCids: holdingsOf(world, sender),
    extraArgs: extraArgs(cid("external-party-config-state", state)),
  };
  const command = exerciseCommand(AllocationFactory, rules, "AllocationFactory_Allocate", argument);
  return sender.submit([command], [rules, state]);
});

const settle = withContract(
  AmuletAllocation,
  ({ allocation }) => allocation.transferLeg.sender,
  (sender, { contractId, payload }, world) => {
    const { random, network } = world;
    const { settlement, transferLeg } = payload.allocation;
    const all = [settlement.executor, transferLeg.sender, transferLeg.receiver];
    const isThere = network.find(LockedAmulet, payload.lockedAmulet) !== null;
    const unlocking = { extraArgs: extraArgs(["expire-lock", { tag: "AV_Bool", value: isThere }]) };
    if (random.chance(0.6)) {
      const state = stateOf(world);
      const argument = { extraArgs: extraArgs(cid("external-party-config-state", state)) };
      return sender.submitAs(
        all,
        [exerciseCommand(Allocation, contractId, "Allocation_ExecuteTransfer", argument)],
        [state],
      );
    }
    return random.chance(0.5)
      ? sender.submitAs(all, [exerciseCommand(Allocation, contractId, "Allocation_Cancel", unlocking)])
      : sender.submit([exerciseCommand(Allocation, contractId, "Allocation_Withdraw", unlocking)]);
  },
);

export const tokenActions: readonly EconomyAction[] = [
  { name: "send token", weight: 8, run: send },
  { name: "answer transfer", weight: 6, run: answerTransfer },
  { name: "allocate", weight: 5, run: allocate },
  { name: "settle allocation", weight: 5, run: settle },
];
