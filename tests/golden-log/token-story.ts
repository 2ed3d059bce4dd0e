/** Coin as a token: transfers that are accepted, rejected, withdrawn or expire; allocations that are settled or not. */

import { LockedAmulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { AmuletTransferInstruction } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { Allocation } from "../../packages/ledger/src/contracts/splice-api-token-v1/allocation.ts";
import { AllocationFactory } from "../../packages/ledger/src/contracts/splice-api-token-v1/allocation-instruction.ts";
import {
  type AnyValue,
  EMPTY_METADATA,
  type ExtraArgs,
} from "../../packages/ledger/src/contracts/splice-api-token-v1/metadata.ts";
import {
  TransferFactory,
  TransferInstruction,
} from "../../packages/ledger/src/contracts/splice-api-token-v1/transfer-instruction.ts";
import { type Command, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { EconomyStage } from "./economy-stage.ts";

export function tellTokens(stage: EconomyStage): void {
  transfer(stage);
  allocate(stage);
  letExpire(stage);
}

function transfer(stage: EconomyStage): void {
  const { ann, cho } = stage;
  end(stage, cho, "TransferInstruction_Accept", offer(stage));
  end(stage, cho, "TransferInstruction_Reject", offer(stage));
  end(stage, ann, "TransferInstruction_Withdraw", offer(stage));
}

/** Ann's coin for Cho, to be accepted within a day. */
function offer(stage: EconomyStage): ContractId {
  const { ann, cho, network } = stage;
  const argument = {
    expectedAdmin: network.dso,
    transfer: {
      sender: ann.party,
      receiver: cho.party,
      amount: decimal("2.5"),
      instrumentId: { admin: network.dso, id: "Amulet" },
      requestedAt: network.now,
      executeBefore: stage.inFuture(DAY),
      inputHoldingCids: coinIds(ann),
      meta: EMPTY_METADATA,
    },
    extraArgs: extraArgs(stage),
  };
  const factory = network.only(ExternalPartyAmuletRules).contractId;
  submit(
    stage,
    ann,
    [ann.party],
    exerciseCommand(TransferFactory, factory, "TransferFactory_Transfer", argument),
  );
  return network.active(AmuletTransferInstruction, network.dso).at(-1)?.contractId as ContractId;
}

function end(
  stage: EconomyStage,
  by: EconomyWallet,
  choice: "TransferInstruction_Accept" | "TransferInstruction_Reject" | "TransferInstruction_Withdraw",
  cid: ContractId,
): void {
  const argument = { extraArgs: extraArgs(stage, true) };
  submit(stage, by, [by.party], exerciseCommand(TransferInstruction, cid, choice, argument));
}

/** Both sides of the trade and its venue are at home with one validator. */
function allocate(stage: EconomyStage): void {
  const { ann, ben, north } = stage;
  const everybody = [ann.party, ben.party, north.party];
  const settle = (
    choice: "Allocation_ExecuteTransfer" | "Allocation_Cancel" | "Allocation_Withdraw",
    actAs: readonly PartyId[],
  ) => {
    const argument = { extraArgs: extraArgs(stage, true) };
    submit(stage, ann, actAs, exerciseCommand(Allocation, setAside(stage), choice, argument));
  };
  settle("Allocation_ExecuteTransfer", everybody);
  settle("Allocation_Cancel", everybody);
  settle("Allocation_Withdraw", [ann.party]);
}

function setAside(stage: EconomyStage): ContractId {
  const { ann, ben, north, network } = stage;
  const argument = {
    expectedAdmin: network.dso,
    allocation: {
      settlement: {
        executor: north.party,
        settlementRef: { id: "a trade", cid: null },
        requestedAt: network.now,
        allocateBefore: stage.inFuture(HOUR),
        settleBefore: stage.inFuture(2n * HOUR),
        meta: EMPTY_METADATA,
      },
      transferLegId: "leg",
      transferLeg: {
        sender: ann.party,
        receiver: ben.party,
        amount: decimal("1.5"),
        instrumentId: { admin: network.dso, id: "Amulet" },
        meta: EMPTY_METADATA,
      },
    },
    requestedAt: network.now,
    inputHoldingCids: coinIds(ann),
    extraArgs: extraArgs(stage),
  };
  const factory = network.only(ExternalPartyAmuletRules).contractId;
  const command = exerciseCommand(AllocationFactory, factory, "AllocationFactory_Allocate", argument);
  submit(stage, ann, [ann.party], command);
  return network.active(AmuletAllocation, network.dso).at(-1)?.contractId as ContractId;
}

/** The SVs return expired transfers and allocations. */
function letExpire(stage: EconomyStage): void {
  const { network, svs, dso } = stage;
  const [sv] = svs as [SvActor];
  const [transferInstructionCid, allocationCid] = [offer(stage), setAside(stage)];
  network.moveClock(2n * DAY);
  network.advance(HOUR);
  dso.dso.advanceRounds();
  const common = { expectedDso: network.dso, observers: [] };
  accept(
    sv.act("DsoRules_Amulet_ExpireTransferInstructions", {
      amuletRulesCid: network.only(AmuletRules).contractId,
      transferInsts: { ...common, inputs: [{ transferInstructionCid, expireLock: true }] },
    }),
  );
  accept(
    sv.act("DsoRules_ExpireAmuletAllocations", {
      extAmuletRulesCid: network.only(ExternalPartyAmuletRules).contractId,
      expireAllocations: { ...common, inputs: [{ allocationCid, expireLock: true }] },
    }),
  );
}

function extraArgs({ network }: EconomyStage, expireLock?: boolean): ExtraArgs {
  const state = network.active(ExternalPartyConfigState, network.dso).at(-1)?.contractId as ContractId;
  const values: [string, AnyValue][] = [
    ["external-party-config-state", { tag: "AV_ContractId", value: state }],
  ];
  if (expireLock !== undefined) values.unshift(["expire-lock", { tag: "AV_Bool", value: expireLock }]);
  return { context: { values }, meta: EMPTY_METADATA };
}

function coinIds(wallet: EconomyWallet): readonly ContractId[] {
  return wallet.coins().map(({ value }) => value as ContractId);
}

/** With what scan would tell a caller to disclose. */
function submit(stage: EconomyStage, by: EconomyWallet, actAs: readonly PartyId[], command: Command): void {
  const { network } = stage;
  const templates = [ExternalPartyAmuletRules, ExternalPartyConfigState, LockedAmulet];
  const disclose = templates.flatMap((template) =>
    network.active(template, network.dso).map(({ contractId }) => contractId),
  );
  stage.submit(by, actAs, [command], { disclose });
}
