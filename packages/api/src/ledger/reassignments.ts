/**
 * Contracts that move between synchronizers. Our networks have one, and nothing moves; a client of ours that
 * talks to another participant must be able to read these all the same.
 */
import { z } from "zod";
import { int32, int64 } from "../wire/numbers.ts";
import { oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { CreatedEvent } from "./events.ts";
import { string, TraceContext } from "./proto.ts";

const move = {
  source: z.string(),
  target: z.string(),
  reassignmentId: z.string(),
  submitter: string,
  reassignmentCounter: int64,
};

export const AssignedEvent = z
  .object({ ...move, createdEvent: CreatedEvent })
  .meta({ id: "JsAssignedEvent" });

export const UnassignedEvent = z
  .object({
    ...move,
    contractId: z.string(),
    templateId: z.string(),
    assignmentExclusivity: orNull(dateTime),
    witnessParties: z.array(z.string()),
    packageName: z.string(),
    offset: int64,
    nodeId: int32,
  })
  .meta({ id: "UnassignedEvent" });

export const Reassignment = z
  .object({
    updateId: z.string(),
    commandId: string,
    workflowId: string,
    offset: int64,
    events: z.array(oneOf({ JsAssignmentEvent: AssignedEvent, JsUnassignedEvent: value(UnassignedEvent) })),
    traceContext: orNull(TraceContext),
    recordTime: dateTime,
    synchronizerId: z.string(),
    paidTrafficCost: orNull(int64),
  })
  .meta({ id: "JsReassignment" });
