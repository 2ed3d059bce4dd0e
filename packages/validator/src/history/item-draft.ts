/** An item of the history before its amounts are known. It covers the changes of coin below its node. */
import type { RefundReason, TransactionItem } from "@callsign/api";
import { AmuletRules, type AnyTemplateDeclaration, type TransferResult } from "@callsign/ledger";
import type { KnownFacts } from "./known-contracts.ts";
import type { ExercisedNode, UpdateNode } from "./update-tree.ts";

export type Subtype = TransactionItem["transaction_subtype"];
export type TransferSummary = TransferResult["summary"];

export interface TransferDraft {
  readonly kind: "transfer";
  /** The node that the event id names. */
  readonly nodeId: number;
  readonly scope: UpdateNode;
  readonly subtype: Subtype;
  readonly sender: string;
  /** The receivers in the order of the outputs, without the sender. */
  readonly receivers: readonly string[];
  readonly summary: TransferSummary | null;
  /** The sender's coin that went in and is not known here, in units of 10⁻¹⁰. */
  readonly unknownInput: bigint;
  readonly instruction?: {
    readonly receiver: string | null;
    readonly amount: bigint | null;
    readonly cid: string;
  };
  readonly description?: string | null;
  readonly name?: string | null;
}

export interface BalanceDraft {
  readonly kind: "balance";
  readonly nodeId: number;
  readonly scope: UpdateNode;
  readonly subtype: Subtype;
  /** A party whose history has the item even if its coin did not change. */
  readonly about: string | null;
  readonly instructionCid: string | null;
  readonly name: string | null;
  readonly refundReason: RefundReason | null;
}

export interface NotificationDraft {
  readonly kind: "notification";
  readonly nodeId: number;
  readonly scope: UpdateNode;
  readonly subtype: Subtype;
  readonly details: string;
}

export type ItemDraft = TransferDraft | BalanceDraft | NotificationDraft;

/** An update as one party sees it, with the facts of earlier updates. */
export interface PartyView {
  readonly party: string;
  readonly dso: string;
  /** The end of names, which decides whether one is valid. */
  readonly acronym: string;
  readonly known: KnownFacts;
  /** The amounts of coins that are known, those of this update included, in units of 10⁻¹⁰. */
  readonly coins: ReadonlyMap<string, bigint>;
  readonly draftBelow: (nodes: readonly UpdateNode[]) => readonly ItemDraft[];
}

/** The drafts of a node; undefined if its items stand below it. */
export type ItemRule = (node: ExercisedNode, view: PartyView) => readonly ItemDraft[] | undefined;

/** The subtype of an item. `choice` replaces the name of a later version of a choice by that of the first version. */
export function subtypeOf({ event }: ExercisedNode, choice: string = event.choice): Subtype {
  return {
    template_id: event.templateId,
    choice,
    amulet_operation: null,
    interface_id: event.interfaceId,
  };
}

export function subtypeOfTemplate({ id }: AnyTemplateDeclaration, choice: string): Subtype {
  return { template_id: id, choice, amulet_operation: null, interface_id: null };
}

export const PLAIN_TRANSFER: Subtype = subtypeOfTemplate(AmuletRules, "AmuletRules_Transfer");

export function balanceDraft(
  node: ExercisedNode,
  { choice, ...given }: Partial<Omit<BalanceDraft, "kind">> & { readonly choice?: string } = {},
): BalanceDraft {
  return {
    kind: "balance",
    nodeId: node.nodeId,
    scope: node,
    subtype: subtypeOf(node, choice),
    about: null,
    instructionCid: null,
    name: null,
    refundReason: null,
    ...given,
  };
}
