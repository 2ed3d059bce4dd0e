/** The events of an update that one party sees, as a tree. A party that sees a node sees everything below it. */
import type { CreatedEvent, ExercisedEvent, Transaction } from "@callsign/api";

export interface CreatedNode {
  readonly kind: "created";
  readonly nodeId: number;
  readonly lastNodeId: number;
  readonly event: CreatedEvent;
}

export interface ExercisedNode {
  readonly kind: "exercised";
  readonly nodeId: number;
  readonly lastNodeId: number;
  readonly event: ExercisedEvent;
  readonly children: UpdateNode[];
}

export type UpdateNode = CreatedNode | ExercisedNode;

export function rootsSeenBy(party: string, { events }: Pick<Transaction, "events">): readonly UpdateNode[] {
  const roots: UpdateNode[] = [];
  const open: ExercisedNode[] = [];
  for (const node of events.flatMap(toNode).sort((a, b) => a.nodeId - b.nodeId)) {
    if (!node.event.witnessParties.includes(party)) continue;
    while ((open.at(-1)?.lastNodeId ?? Number.POSITIVE_INFINITY) < node.nodeId) open.pop();
    (open.at(-1)?.children ?? roots).push(node);
    if (node.kind === "exercised") open.push(node);
  }
  return roots;
}

/** The node and those below it, in the order of execution. */
export function* listNodes(node: UpdateNode): Generator<UpdateNode> {
  yield node;
  if (node.kind === "exercised") for (const child of node.children) yield* listNodes(child);
}

function toNode(event: Transaction["events"][number]): UpdateNode[] {
  if ("CreatedEvent" in event) {
    const { nodeId } = event.CreatedEvent;
    return [{ kind: "created", nodeId, lastNodeId: nodeId, event: event.CreatedEvent }];
  }
  if ("ExercisedEvent" in event) {
    const { nodeId, lastDescendantNodeId: lastNodeId } = event.ExercisedEvent;
    return [{ kind: "exercised", nodeId, lastNodeId, event: event.ExercisedEvent, children: [] }];
  }
  return [];
}
