/** Items of transfers and allocations by the token standard. Their choices are those of interfaces. */
import type { ExercisedEvent } from "@callsign/api";
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  type AnyTemplateDeclaration,
  ExternalPartyAmuletRules,
  findMetadata,
  REASON_KEY,
  SENDER_KEY,
  TransferFactory,
} from "@callsign/ledger";
import { isOf, payloadOf, templateKey } from "./event-values.ts";
import {
  balanceDraft,
  type ItemRule,
  type PartyView,
  PLAIN_TRANSFER,
  subtypeOf,
  subtypeOfTemplate,
  type TransferDraft,
} from "./item-draft.ts";
import { findKnown } from "./known-contracts.ts";
import { findTransfer, listNewOwners, othersOf } from "./transfer-terms.ts";
import { type CreatedNode, type ExercisedNode, listNodes, type UpdateNode } from "./update-tree.ts";

type Transfer = AmuletTransferInstruction["transfer"];

export const tokenRules: readonly (readonly [string, ItemRule])[] = [
  row(ExternalPartyAmuletRules, "TransferFactory_Transfer", (node, view) => [draftOrder(node, view)]),
  row(ExternalPartyAmuletRules, "AllocationFactory_Allocate", (node) => [
    { ...plain(node), sender: actorOf(node), subtype: PLAIN_TRANSFER },
  ]),
  row(AmuletTransferInstruction, "TransferInstruction_Accept", (node, { known }) => {
    const { contractId: cid } = node.event;
    const transfer = findKnown(known, AmuletTransferInstruction, cid)?.transfer;
    const sender = transfer?.sender ?? findMeta(node.event.exerciseResult, SENDER_KEY) ?? "";
    const receivers = [transfer?.receiver ?? actorOf(node)];
    return [{ ...plain(node), sender, receivers, instruction: { cid, receiver: null, amount: null } }];
  }),
  ...["TransferInstruction_Reject", "TransferInstruction_Withdraw"].map((choice) =>
    row(AmuletTransferInstruction, choice, (node, { known, party, dso }) => {
      const { contractId: instructionCid } = node.event;
      const transfer = findKnown(known, AmuletTransferInstruction, instructionCid)?.transfer;
      if (transfer !== undefined && transfer.instrumentId.admin !== dso) return [];
      const isConcerned = transfer?.sender === party || transfer?.receiver === party;
      return [balanceDraft(node, { instructionCid, about: isConcerned ? party : null })];
    }),
  ),
  /** The unlocking is an item of its own. */
  row(AmuletAllocation, "Allocation_ExecuteTransfer", (node, view) => {
    const sender = findMeta(node.event.exerciseResult, SENDER_KEY) ?? "";
    const receivers = othersOf(sender, listNewOwners(node));
    return [
      ...view.draftBelow(node.children),
      { ...plain(node), sender, receivers, subtype: PLAIN_TRANSFER },
    ];
  }),
];

/** The receiver of an offer sees the instruction alone, and no coin moves: all amounts are zero. */
export function draftOffer(node: CreatedNode, { party, dso }: PartyView): readonly TransferDraft[] {
  if (!isOf(node.event, AmuletTransferInstruction)) return [];
  const { transfer } = payloadOf(AmuletTransferInstruction, node.event);
  if (transfer.receiver !== party || transfer.instrumentId.admin !== dso) return [];
  const factory = subtypeOfTemplate(ExternalPartyAmuletRules, "TransferFactory_Transfer");
  const subtype = { ...factory, interface_id: TransferFactory.id };
  const { sender, receiver } = transfer;
  const terms = { sender, receivers: [receiver], summary: null, unknownInput: 0n };
  const offer = { kind: "transfer", nodeId: node.nodeId, scope: node, subtype, ...terms } as const;
  return [{ ...offer, ...offered(node.event.contractId, transfer) }];
}

/** The draft of a transfer that was made at once, or of one that waits for its receiver. */
function draftOrder(node: ExercisedNode, view: PartyView): TransferDraft {
  for (const each of listNodes(node)) {
    if (each.kind !== "created" || !isOf(each.event, AmuletTransferInstruction)) continue;
    const { transfer } = payloadOf(AmuletTransferInstruction, each.event);
    return { ...plain(node), sender: transfer.sender, ...offered(each.event.contractId, transfer) };
  }
  const found = findTransfer(node, view);
  const terms = found?.terms ?? { sender: actorOf(node) };
  const description = findMeta(node.event.choiceArgument, REASON_KEY, "transfer");
  return { ...plain(node), ...terms, subtype: PLAIN_TRANSFER, description };
}

function row(template: AnyTemplateDeclaration, choice: string, rule: ItemRule): readonly [string, ItemRule] {
  return [`${templateKey(template)}:${choice}`, rule];
}

/** The draft of a transfer without rewards and without receivers. */
function plain(node: ExercisedNode): TransferDraft {
  return {
    kind: "transfer",
    nodeId: node.nodeId,
    scope: node as UpdateNode,
    subtype: subtypeOf(node),
    sender: "",
    receivers: [],
    summary: null,
    unknownInput: 0n,
  };
}

function offered(cid: string, { receiver, amount, meta }: Transfer) {
  const description = findMetadata(meta, REASON_KEY);
  return { instruction: { receiver, amount, cid }, description };
}

/** The controller of these choices is the sender or the receiver alone. */
function actorOf({ event }: ExercisedNode): string {
  return event.actingParties[0] ?? "";
}

type Json = ExercisedEvent["exerciseResult"];

/** A text of the metadata, which stands in the value itself or in a field of it. */
function findMeta(value: Json, key: string, ...path: readonly string[]): string | null {
  let place: unknown = value;
  for (const field of [...path, "meta", "values", key]) {
    if (typeof place !== "object" || place === null) return null;
    place = (place as Readonly<Record<string, unknown>>)[field];
  }
  return typeof place === "string" ? place : null;
}
