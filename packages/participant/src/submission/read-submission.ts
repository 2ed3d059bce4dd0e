/** Reads a request's commands, checked in the order of Canton's participant, before anything is looked up. */
import type { Commands, TraceContext } from "@callsign/api";
import { type Catalogue, type Command, type Hash, type PartyId, parsePartyId } from "@callsign/ledger";
import {
  failWith,
  invalidField,
  isLedgerString,
  missingField,
  needParty,
  needUserId,
} from "../requests/identifiers.ts";
import { isSynchronizer, notConnectedTo } from "../requests/synchronizer-name.ts";
import type { SubmissionContext } from "../store/submission-notes.ts";
import { decodeCommand } from "./decode-commands.ts";
import { type Deduplication, readDeduplication } from "./deduplication.ts";
import { type Disclosed, readDisclosed } from "./disclosed-contract.ts";
import { type MinLedgerTime, readMinLedgerTime } from "./min-ledger-time.ts";

export interface CommandSubmission {
  readonly userId: string;
  readonly commandId: string;
  readonly workflowId: string;
  /** The caller's own id, for error messages. */
  readonly submissionId: string | null;
  readonly actAs: readonly PartyId[];
  readonly readAs: readonly PartyId[];
  readonly commands: readonly Command[];
  readonly disclosed: readonly Disclosed[];
  readonly minLedgerTime: MinLedgerTime;
  readonly deduplication: Deduplication;
  readonly context: SubmissionContext;
}

export interface ReadingParts {
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly synchronizerId: string;
  /** The user of the token; null where there is no token. */
  readonly userId: string | null;
  readonly trace: TraceContext | null;
}

export function readSubmission(given: Commands, parts: ReadingParts): CommandSubmission {
  const workflowId = optionalString(given.workflowId, "workflow_id");
  const userId = needUserId(given.userId ?? "", parts.userId);
  if (given.commandId === "") throw missingField("command_id");
  const commandId = optionalString(given.commandId, "command_id");
  const submissionId = optionalString(given.submissionId, "submission_id");
  if (given.actAs.length === 0) throw missingField("act_as/actAs");
  const actAs = distinct(given.actAs.map(readParty));
  const readAs = distinct(given.readAs.map(readParty)).filter((party) => !actAs.includes(party));
  checkSynchronizer(given.synchronizerId, parts.synchronizerId);
  if (given.commands.length === 0) throw missingField("commands");
  const commands = given.commands.map((command) => decodeCommand(parts.catalogue, command));
  const minLedgerTime = readMinLedgerTime(given);
  const deduplication = readDeduplication(given.deduplicationPeriod);
  const disclosed = given.disclosedContracts.map((each) => readDisclosed(each, parts));
  given.packageIdSelectionPreference.forEach(checkPackageId);
  const period = deduplication.kind === "longest" ? null : deduplication.given;
  return {
    ...{ userId, commandId, workflowId, actAs, readAs, commands, disclosed, minLedgerTime, deduplication },
    submissionId: submissionId === "" ? null : submissionId,
    context: { trace: parts.trace, period },
  };
}

const PACKAGE_ID = /^[A-Za-z0-9_ -]{1,64}$/;

/** A preference changes nothing: each package has one version here. */
function checkPackageId(id: string): void {
  if (PACKAGE_ID.test(id)) return;
  const reason = `"${id.slice(0, 100)}" is no package id: 1 to 64 letters, digits, spaces, - and _ are allowed`;
  throw invalidField("package_id_selection_preference", reason);
}

function optionalString(text: string | null, field: string): string {
  if (text === null || text === "") return "";
  if (isLedgerString(text)) return text;
  throw invalidField(
    field,
    `"${text.slice(0, 100)}" is not valid: 1 to 255 letters, digits, spaces and ._:-#/ are allowed`,
  );
}

/** A party id that no participant can host is an unknown submitter, not a malformed one. */
function readParty(text: string): PartyId {
  const party = parsePartyId(needParty(text));
  if (party.ok) return party.value;
  return failWith("UNKNOWN_SUBMITTERS", `Party ${text} is not known on this network`, {
    resources: [["PARTY", text]],
  });
}

function distinct<T>(list: readonly T[]): readonly T[] {
  return [...new Set(list)];
}

function checkSynchronizer(given: string | null, ours: string): void {
  // Before the network is known, the submission fails for that reason.
  if (ours === "" || given === null || isSynchronizer(given, ours)) return;
  throw notConnectedTo([given], ours);
}
