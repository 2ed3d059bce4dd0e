/** The older form of a transaction with everything that its reader witnesses: its events by their node. */
import { z } from "zod";
import { mapOf } from "../wire/map-of.ts";
import { int64 } from "../wire/numbers.ts";
import { oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { CreatedEvent, ExercisedEvent } from "./events.ts";
import { OffsetCheckpoint } from "./offset-checkpoint.ts";
import { string, TraceContext } from "./proto.ts";
import { Reassignment } from "./reassignments.ts";

const TreeEvent = oneOf({ CreatedTreeEvent: value(CreatedEvent), ExercisedTreeEvent: value(ExercisedEvent) });
export type TreeEvent = z.output<typeof TreeEvent>;

export const TransactionTree = z
  .object({
    updateId: z.string(),
    /** Empty for readers other than the submitter. */
    commandId: string,
    workflowId: string,
    effectiveAt: dateTime,
    offset: int64,
    /** Keys are node ids. */
    eventsById: mapOf(TreeEvent),
    synchronizerId: z.string(),
    traceContext: orNull(TraceContext),
    recordTime: dateTime,
  })
  .meta({ id: "JsTransactionTree" });
export type TransactionTree = z.output<typeof TransactionTree>;

export const TreeUpdate = z
  .object({
    update: oneOf({
      TransactionTree: value(TransactionTree),
      OffsetCheckpoint: value(OffsetCheckpoint),
      Reassignment: value(Reassignment),
    }),
  })
  .meta({ id: "JsGetUpdateTreesResponse" });
export type TreeUpdate = z.output<typeof TreeUpdate>;
