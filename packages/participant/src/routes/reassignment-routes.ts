/** Reassignments between synchronizers. There is only one here, so that every request is refused. */
import type { ReassignmentCommands } from "@callsign/api";
import { isContractId } from "@callsign/ledger";
import {
  invalidArgument,
  invalidField,
  isLedgerString,
  isUserId,
  missingField,
  needParty,
} from "../requests/identifiers.ts";
import { notConnectedTo } from "../requests/synchronizer-name.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

export function reassignmentRoutes({ synchronizerId }: Pick<LedgerApiParts, "synchronizerId">) {
  return {
    submitAndWaitForReassignment: ({ body }) => refuse(body.reassignmentCommands, synchronizerId()),
    submitReassignment: ({ body }) => refuse(body.reassignmentCommands, synchronizerId()),
  } satisfies Partial<LedgerHandlers>;
}

/** Synchronizers that the error names at most. */
const MAX_NAMED = 10;

/** Faults of the request come first; a correct one names a synchronizer that is not connected. */
function refuse(given: ReassignmentCommands | null, ours: string): never {
  if (given === null) throw missingField("reassignment_commands");
  if (given.commandId === "") throw missingField("command_id");
  for (const [field, text] of [
    ["workflow_id", given.workflowId],
    ["command_id", given.commandId],
    ["submission_id", given.submissionId],
  ] as const) {
    if (text !== "" && !isLedgerString(text))
      throw invalidField(field, "it has characters that are not allowed");
  }
  if (given.userId !== "" && !isUserId(given.userId)) throw invalidField("user_id", "it is no user id");
  if (given.submitter === "") throw missingField("submitter");
  needParty(given.submitter);
  if (given.commands.length === 0) throw missingField("commands");
  const others = given.commands.map(({ command }) => {
    const { source, target } = readEnds(command);
    if (source === target) throw invalidArgument("source and target of a reassignment must differ");
    return source === ours ? target : source;
  });
  throw notConnectedTo(others.slice(0, MAX_NAMED), ours);
}

type Command = ReassignmentCommands["commands"][number]["command"];

function readEnds(command: Command): { readonly source: string; readonly target: string } {
  if ("Empty" in command) throw missingField("command");
  const { value } = "UnassignCommand" in command ? command.UnassignCommand : command.AssignCommand;
  if ("contractId" in value) {
    if (value.contractId === "") throw missingField("contract_id");
    if (!isContractId(value.contractId)) throw invalidField("contract_id", "it is no contract id");
  } else if (value.reassignmentId === "") throw missingField("reassignment_id");
  if (value.source === "") throw missingField("source");
  if (value.target === "") throw missingField("target");
  return value;
}
