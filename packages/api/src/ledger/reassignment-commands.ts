/**
 * Moving a contract from one synchronizer to another. Participants here are connected to one, so that every move is
 * refused with the synchronizer that is not there; what is wrong with a request is told before.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { EventFormat } from "./event-format.ts";
import { string } from "./proto.ts";
import { Reassignment } from "./reassignments.ts";

const ends = { source: string, target: string };

const ReassignmentCommand = z
  .object({
    command: oneOf({
      UnassignCommand: value(z.object({ contractId: string, ...ends })),
      AssignCommand: value(z.object({ reassignmentId: string, ...ends })),
      Empty: nothing,
    }).default({ Empty: {} }),
  })
  .meta({ id: "ReassignmentCommand" });

export const ReassignmentCommands = z
  .object({
    workflowId: string,
    /** Empty for the token's user. */
    userId: string,
    commandId: string,
    submitter: string,
    submissionId: string,
    commands: z.array(ReassignmentCommand).default([]),
  })
  .meta({ id: "ReassignmentCommands", required: ["commandId", "submitter", "commands"] });
export type ReassignmentCommands = z.output<typeof ReassignmentCommands>;

const errors = [400, 401, 403, 404, 409] as const;
const reassignmentCommands = orNull(ReassignmentCommands);

export const ledgerReassignmentCommands = defineEndpoints({
  tags: ["commands"],
  auth: "ledger:act-as-submitter",
})({
  submitAndWaitForReassignment: {
    method: "POST",
    path: "/v2/commands/submit-and-wait-for-reassignment",
    summary: "Moves contracts to another synchronizer, and answers the reassignment",
    body: z
      .object({ reassignmentCommands, eventFormat: orNull(EventFormat) })
      .meta({ id: "SubmitAndWaitForReassignmentRequest", required: ["reassignmentCommands"] }),
    success: json(z.object({ reassignment: Reassignment })),
    errors,
  },
  submitReassignment: {
    method: "POST",
    path: "/v2/commands/async/submit-reassignment",
    summary: "Moves contracts to another synchronizer, and answers before it is done",
    body: z
      .object({ reassignmentCommands })
      .meta({ id: "SubmitReassignmentRequest", required: ["reassignmentCommands"] }),
    success: json(nothing),
    errors,
  },
});
