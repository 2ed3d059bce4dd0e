/** Transfers that the token standard's choices make themselves: to oneself, into a lock, and out of one. */

import { Amulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import type { TransferInput } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import type { AllocationSpecification } from "../../../packages/ledger/src/contracts/splice-api-token-v1/allocation.ts";
import type { ExtraArgs } from "../../../packages/ledger/src/contracts/splice-api-token-v1/metadata.ts";
import type { TokenTransfer } from "../../../packages/ledger/src/contracts/splice-api-token-v1/transfer-instruction.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listParents } from "./book.ts";

interface Leg {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: bigint;
  readonly instrumentId: { readonly admin: PartyId };
}

export interface TokenMove {
  readonly leg: Leg;
  readonly inputs: readonly TransferInput[];
  readonly state: ContractId;
}

/** The transfer of the choice, and its configuration state; null if another choice below it moves the coin. */
export function findTokenMove(node: ExerciseNode, transaction: Transaction, book: Book): TokenMove | null {
  const leg = legOf(node, book);
  if (leg === null) return null;
  const { extraArgs } = node.argument.value as { readonly extraArgs: ExtraArgs };
  const find = (key: string) => extraArgs.context.values.find(([name]) => name === key)?.[1].value;
  // A preapproved transfer is sent by the preapproval's own choice.
  if (node.choice === "TransferFactory_Transfer" && find("transfer-preapproval") !== undefined) return null;
  return {
    leg,
    inputs: listArchivedCoins(node, transaction, book).map((value) => ({ tag: "InputAmulet", value })),
    state: find("external-party-config-state") as ContractId,
  };
}

/** Coin that is locked stays its sender's. */
function legOf({ choice, contractId, argument }: ExerciseNode, book: Book): Leg | null {
  switch (choice) {
    case "TransferFactory_Transfer": {
      const { transfer } = argument.value as { readonly transfer: TokenTransfer };
      return { ...transfer, receiver: transfer.sender };
    }
    case "AllocationFactory_Allocate": {
      const { allocation } = argument.value as { readonly allocation: AllocationSpecification };
      return { ...allocation.transferLeg, receiver: allocation.transferLeg.sender };
    }
    case "TransferInstruction_Accept":
      return book.payload(AmuletTransferInstruction, contractId).transfer;
    case "Allocation_ExecuteTransfer":
      return book.payload(AmuletAllocation, contractId).allocation.transferLeg;
    default:
      return null;
  }
}

function listArchivedCoins(node: ExerciseNode, transaction: Transaction, book: Book): readonly ContractId[] {
  const parents = listParents(transaction);
  return transaction.nodes.flatMap((child) => {
    if (child.kind === "create" || child.choice !== "Archive" || parents[child.nodeId] !== node) return [];
    return book.get(child.contractId).contract.templateId === Amulet.id ? [child.contractId] : [];
  });
}
