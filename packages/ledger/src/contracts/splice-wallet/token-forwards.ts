/**
 * Transfers and allocations by the token standard, forwarded for the wallet's user. They have to be the
 * user's own, of the coin, and addressed to the DSO: the user's authority must not reach a factory of another party.
 */
import { showParty } from "../../daml/show.ts";
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchViewChecked } from "../checks/checked-fetch.ts";
import { forDsoOfAllocation, forDsoOfTransfer } from "../checks/contract-group.ts";
import { amuletInstrument, isAmuletOf } from "../splice-amulet/coin/instrument.ts";
import { Allocation } from "../splice-api-token-v1/allocation.ts";
import { AllocationFactory } from "../splice-api-token-v1/allocation-instruction.ts";
import { InstrumentId } from "../splice-api-token-v1/holding.ts";
import {
  type TokenTransfer,
  TransferFactory,
  TransferInstruction,
} from "../splice-api-token-v1/transfer-instruction.ts";
import { byValidator } from "./by-validator.ts";
import type { WalletAppInstall } from "./declarations/install.ts";

export const tokenForwards = {
  WalletAppInstall_TransferFactory_Transfer: byValidator(({ update, contract: install, argument }) => {
    const { transferFactoryCid, transferArg } = argument;
    const { sender, instrumentId } = transferArg.transfer;
    requireIs("sender", sender, install.endUserParty);
    requireCoin(install, instrumentId);
    requireAdmin(install, transferArg.expectedAdmin);
    return update.exerciseInterface(
      TransferFactory,
      transferFactoryCid,
      "TransferFactory_Transfer",
      transferArg,
    );
  }),
  WalletAppInstall_TransferInstruction_Accept: byValidator(({ update, contract: install, argument }) => {
    const { transferInstructionCid: cid, acceptArg } = argument;
    requireMatches("receiver", transferOf(update, install, cid).receiver, install.endUserParty);
    return update.exerciseInterface(TransferInstruction, cid, "TransferInstruction_Accept", acceptArg);
  }),
  WalletAppInstall_TransferInstruction_Reject: byValidator(({ update, contract: install, argument }) => {
    const { transferInstructionCid: cid, rejectArg } = argument;
    requireMatches("receiver", transferOf(update, install, cid).receiver, install.endUserParty);
    return update.exerciseInterface(TransferInstruction, cid, "TransferInstruction_Reject", rejectArg);
  }),
  WalletAppInstall_TransferInstruction_Withdraw: byValidator(({ update, contract: install, argument }) => {
    const { transferInstructionCid: cid, withdrawArg } = argument;
    requireMatches("sender", transferOf(update, install, cid).sender, install.endUserParty);
    return update.exerciseInterface(TransferInstruction, cid, "TransferInstruction_Withdraw", withdrawArg);
  }),
  WalletAppInstall_AllocationFactory_Allocate: byValidator(({ update, contract: install, argument }) => {
    const { allocationFactory, allocateArg } = argument;
    const { sender, instrumentId } = allocateArg.allocation.transferLeg;
    requireAdmin(install, allocateArg.expectedAdmin);
    requireIs("sender", sender, install.endUserParty);
    requireCoin(install, instrumentId);
    const choice = "AllocationFactory_Allocate";
    return update.exerciseInterface(AllocationFactory, allocationFactory, choice, allocateArg);
  }),
  WalletAppInstall_Allocation_Withdraw: byValidator(({ update, contract: install, argument }) => {
    const { allocationCid, withdrawArg } = argument;
    const ofDso = forDsoOfAllocation(install.dsoParty);
    const { allocation } = fetchViewChecked(update, Allocation, allocationCid, ofDso);
    requireMatches("sender", allocation.transferLeg.sender, install.endUserParty);
    return update.exerciseInterface(Allocation, allocationCid, "Allocation_Withdraw", withdrawArg);
  }),
} satisfies SomeChoiceRules<typeof WalletAppInstall>;

function transferOf(update: Update, { dsoParty }: WalletAppInstall, cid: ContractId): TokenTransfer {
  return fetchViewChecked(update, TransferInstruction, cid, forDsoOfTransfer(dsoParty)).transfer;
}

function requireIs(role: string, party: PartyId, endUser: PartyId): void {
  requireThat(`${role} ${showParty(party)} is endUserParty ${showParty(endUser)}`, party === endUser);
}

function requireMatches(role: string, party: PartyId, endUser: PartyId): void {
  const label = `${role} ${showParty(party)} must match endUserParty ${showParty(endUser)}`;
  requireThat(label, party === endUser);
}

function requireCoin({ dsoParty }: WalletAppInstall, instrumentId: InstrumentId): void {
  const [given, coin] = [InstrumentId.show(instrumentId), InstrumentId.show(amuletInstrument(dsoParty))];
  requireThat(`instrumentId ${given} is amuletInstrumentId ${coin}`, isAmuletOf(dsoParty, instrumentId));
}

function requireAdmin({ dsoParty }: WalletAppInstall, expected: PartyId): void {
  const label = `expected admin ${showParty(expected)} is dso ${showParty(dsoParty)}`;
  requireThat(label, expected === dsoParty);
}
