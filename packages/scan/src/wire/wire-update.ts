/** Updates as scan's history shows them. */
import type { HistoryCreatedEvent, HistoryEvent, SnapshotContract, UpdateV1, UpdateV2 } from "@callsign/api";
import {
  formatInstant,
  formatTime,
  historyJson,
  type JsonValue,
  type Network,
  type Time,
} from "@callsign/ledger";
import { decodeExercise } from "../history/decode-exercise.ts";
import type { HeldContract } from "../history/held-contract.ts";
import { needTemplate } from "../history/need-template.ts";
import type { KnownUpdate, StoredCreate, StoredEvent, StoredExercise } from "../history/stored-update.ts";

type Place = Pick<Network, "migrationId" | "synchronizerId">;

/** The id of an event by the number of its node. */
type EventId = (nodeId: number) => string;

/** Nodes are numbered anew, without those that the DSO does not see, so that no scan depends on them. */
export function showUpdate(update: KnownUpdate, place: Place): UpdateV2 {
  const numbers = new Map(update.events.map(({ nodeId }, i) => [nodeId, i]));
  return showWith(update, place, (nodeId) => `${update.updateId}:${numbers.get(nodeId)}`);
}

export function showUpdateV1(update: KnownUpdate, place: Place): UpdateV1 {
  return { ...showUpdate(update, place), offset: formatOffset(1n) };
}

/** The oldest form. Record times rise as offsets do. */
export function showUpdateV0(update: KnownUpdate, place: Place): UpdateV1 {
  const shown = showWith(update, place, (nodeId) => `#${update.updateId}:${nodeId}`);
  return { ...shown, offset: formatOffset(update.recordTime) };
}

/** A version byte and eight bytes, as Canton once wrote offsets. */
export function formatOffset(offset: bigint): string {
  return offset.toString(16).padStart(18, "0");
}

function showWith(update: KnownUpdate, { migrationId, synchronizerId }: Place, idOf: EventId): UpdateV2 {
  const children = listChildren(update.events);
  const shown = update.events.map(
    (event) => [idOf(event.nodeId), showEvent(event, update.ledgerTime, children, idOf)] as const,
  );
  return {
    update_id: update.updateId,
    migration_id: Number(migrationId),
    workflow_id: "",
    record_time: formatSixDigits(update.recordTime),
    synchronizer_id: synchronizerId,
    effective_at: formatInstant(update.ledgerTime),
    root_event_ids: (children.get(null) ?? []).map(idOf),
    events_by_id: Object.fromEntries([...shown].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** By the node above; null for roots. */
function listChildren(events: readonly StoredEvent[]): ReadonlyMap<number | null, readonly number[]> {
  const children = new Map<number | null, number[]>();
  const open: StoredExercise[] = [];
  for (const event of events) {
    while (open.length > 0 && (open.at(-1) as StoredExercise).lastDescendant < event.nodeId) open.pop();
    const parent = open.at(-1)?.nodeId ?? null;
    children.set(parent, [...(children.get(parent) ?? []), event.nodeId]);
    if (event.kind === "exercise") open.push(event);
  }
  return children;
}

function showEvent(
  event: StoredEvent,
  createdAt: Time,
  children: ReadonlyMap<number | null, readonly number[]>,
  idOf: EventId,
): HistoryEvent {
  if (event.kind === "create") return showCreated(event, createdAt, idOf(event.nodeId));
  const { contractId, templateId, interfaceId, consuming, actingParties } = event;
  const { template, choice, argument, result } = decodeExercise(event);
  return {
    event_type: "exercised_event",
    event_id: idOf(event.nodeId),
    contract_id: contractId,
    template_id: templateId,
    package_name: template.declaration.package.name,
    choice: event.choice,
    choice_argument: choice.argument.toJson(argument as never, historyJson),
    child_event_ids: (children.get(event.nodeId) ?? []).map(idOf),
    exercise_result: choice.result.toJson(result as never, historyJson),
    consuming,
    acting_parties: [...actingParties],
    interface_id: interfaceId,
  };
}

function showCreated(
  { templateId, contractId, payload }: Pick<StoredCreate, "templateId" | "contractId" | "payload">,
  createdAt: Time,
  eventId: string,
): HistoryCreatedEvent {
  const template = needTemplate(templateId);
  const value: unknown = template.payload.decode(payload);
  const signatories = template.signatories(value);
  const observers = template.observers(value).filter((party) => !signatories.includes(party));
  return {
    event_type: "created_event",
    event_id: eventId,
    contract_id: contractId,
    template_id: templateId,
    package_name: template.declaration.package.name,
    create_arguments: template.payload.toJson(value, historyJson) as Record<string, JsonValue>,
    created_at: formatTime(createdAt),
    signatories: [...new Set(signatories)].sort(),
    observers: [...new Set(observers)].sort(),
  };
}

/** A contract of a snapshot, as an event. */
export function showHeldEvent(held: HeldContract, updateId: string | null): HistoryCreatedEvent {
  const node = BigInt.asUintN(14, held.place);
  const eventId = updateId === null ? `${held.contractId}:0` : `${updateId}:${node}`;
  return showCreated(held, held.createdAt, eventId);
}

/** A contract of a snapshot. */
export function showActive(held: HeldContract, updateId: string | null): SnapshotContract {
  const { event_type: _type, event_id: _id, ...contract } = showHeldEvent(held, updateId);
  return { created_in_update_id: updateId, ...contract };
}

/** Always with six digits behind the point. */
function formatSixDigits(time: Time): string {
  const [seconds = "", fraction = ""] = formatTime(time).slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}Z`;
}
