/** Splice.Wallet.Install, the token standard: choices by which a wallet hands on what its user wants. */
import { contractId } from "../../../daml/scalars.ts";
import { nonConsuming } from "../../../engine/declaration.ts";
import { Allocation } from "../../splice-api-token-v1/allocation.ts";
import { AllocationFactory } from "../../splice-api-token-v1/allocation-instruction.ts";
import { TransferFactory, TransferInstruction } from "../../splice-api-token-v1/transfer-instruction.ts";

const { TransferFactory_Transfer: transfer } = TransferFactory.choices;
const {
  TransferInstruction_Accept: accept,
  TransferInstruction_Reject: reject,
  TransferInstruction_Withdraw: withdraw,
} = TransferInstruction.choices;
const { AllocationFactory_Allocate: allocate } = AllocationFactory.choices;
const { Allocation_Withdraw: withdrawAllocation } = Allocation.choices;

export const tokenForwards = {
  WalletAppInstall_TransferFactory_Transfer: nonConsuming(
    { transferFactoryCid: contractId, transferArg: transfer.argument },
    transfer.result,
  ),
  WalletAppInstall_TransferInstruction_Accept: nonConsuming(
    { transferInstructionCid: contractId, acceptArg: accept.argument },
    accept.result,
  ),
  WalletAppInstall_TransferInstruction_Reject: nonConsuming(
    { transferInstructionCid: contractId, rejectArg: reject.argument },
    reject.result,
  ),
  WalletAppInstall_TransferInstruction_Withdraw: nonConsuming(
    { transferInstructionCid: contractId, withdrawArg: withdraw.argument },
    withdraw.result,
  ),
  WalletAppInstall_AllocationFactory_Allocate: nonConsuming(
    { allocationFactory: contractId, allocateArg: allocate.argument },
    allocate.result,
  ),
  WalletAppInstall_Allocation_Withdraw: nonConsuming(
    { allocationCid: contractId, withdrawArg: withdrawAllocation.argument },
    withdrawAllocation.result,
  ),
} as const;
