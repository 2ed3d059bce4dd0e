/** Sender, receivers and rewards of the transfer that a choice made. */
import { Amulet, AmuletRules, type TransferInput, TransferPreapproval } from "@callsign/ledger";
import { argumentOf, isOf, payloadOf, resultOf } from "./event-values.ts";
import type { PartyView, TransferDraft, TransferSummary } from "./item-draft.ts";
import { type ExercisedNode, listNodes, type UpdateNode } from "./update-tree.ts";

export type TransferTerms = Pick<TransferDraft, "sender" | "receivers" | "summary" | "unknownInput">;

export interface FoundTransfer {
  readonly node: ExercisedNode;
  readonly terms: TransferTerms;
  readonly description: string | null;
}

/** The first transfer at the node or below it. */
export function findTransfer(node: UpdateNode, view: PartyView): FoundTransfer | undefined {
  for (const each of listNodes(node)) {
    if (each.kind !== "exercised") continue;
    const { event } = each;
    if (event.choice === "AmuletRules_Transfer" && isOf(event, AmuletRules)) {
      const { transfer } = argumentOf(AmuletRules, "AmuletRules_Transfer", event);
      const { summary } = resultOf(AmuletRules, "AmuletRules_Transfer", event);
      const { sender, inputs } = transfer;
      const receivers = othersOf(
        sender,
        transfer.outputs.map(({ receiver }) => receiver),
      );
      return {
        node: each,
        terms: { sender, receivers, ...spent(summary, inputs, view) },
        description: null,
      };
    }
    if (event.choice === "TransferPreapproval_SendV2" && isOf(event, TransferPreapproval)) {
      const { sender, inputs, description } = argumentOf(
        TransferPreapproval,
        "TransferPreapproval_SendV2",
        event,
      );
      const { summary } = resultOf(TransferPreapproval, "TransferPreapproval_SendV2", event).result;
      const receivers = othersOf(sender, listNewOwners(each));
      return { node: each, terms: { sender, receivers, ...spent(summary, inputs, view) }, description };
    }
  }
  return undefined;
}

/** The coin that went in, as far as its owner is not a party of this participant. */
export function spent(
  summary: TransferSummary,
  inputs: readonly TransferInput[],
  { coins }: PartyView,
): Pick<TransferTerms, "summary" | "unknownInput"> {
  let knownInput = 0n;
  let isComplete = true;
  for (const input of inputs) {
    if (input.tag !== "InputAmulet") continue;
    const amount = coins.get(input.value);
    if (amount === undefined) isComplete = false;
    knownInput += amount ?? 0n;
  }
  return { summary, unknownInput: isComplete ? 0n : summary.inputAmuletAmount - knownInput };
}

export function othersOf(sender: string, parties: readonly string[]): readonly string[] {
  return [...new Set(parties)].filter((party) => party !== sender);
}

export function listNewOwners(node: UpdateNode): readonly string[] {
  const owners: string[] = [];
  for (const each of listNodes(node))
    if (each.kind === "created" && isOf(each.event, Amulet)) owners.push(payloadOf(Amulet, each.event).owner);
  return owners;
}
