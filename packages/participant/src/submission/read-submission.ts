/** A request's commands, checked in the order in which the participant checks them, before anything is looked up. */
import type { Commands, DisclosedContract, TraceContext } from "@callsign/api";
import {
  type Catalogue,
  type Command,
  type Contract,
  type Hash,
  ledgerError,
  MAX_DEDUPLICATION_PERIOD,
  type PartyId,
  parseBlob,
  parsePartyId,
  parseTime,
  type Time,
} from "@callsign/ledger";
import {
  failWith,
  invalidArgument,
  invalidField,
  isLedgerString,
  missingField,
  needParty,
  needUserId,
} from "../requests/identifiers.ts";
import { isSynchronizer, notConnectedTo } from "../requests/synchronizer-name.ts";
import type { SubmissionContext } from "../store/submission-notes.ts";
import { decodeCommand } from "./decode-commands.ts";

export interface Submission {
  readonly userId: string;
  readonly commandId: string;
  readonly workflowId: string;
  /** The caller's own, for error messages. */
  readonly submissionId: string | null;
  readonly actAs: readonly PartyId[];
  readonly readAs: readonly PartyId[];
  readonly commands: readonly Command[];
  readonly disclosed: readonly { readonly contract: Contract; readonly blobHash: string }[];
  readonly minLedgerTime: MinLedgerTime;
  readonly deduplication: Deduplication;
  readonly context: SubmissionContext;
}

export type MinLedgerTime =
  | { readonly kind: "none" }
  | { readonly kind: "at"; readonly time: Time }
  | { readonly kind: "after"; readonly microseconds: bigint };

export type Deduplication =
  | { readonly kind: "longest" }
  | { readonly kind: "duration"; readonly microseconds: bigint }
  | { readonly kind: "offset"; readonly offset: number };

export interface ReadingParts {
  readonly catalogue: Catalogue;
  readonly hash: Hash;
  readonly synchronizerId: string;
  /** The token's, or null where there is none. */
  readonly userId: string | null;
  readonly trace: TraceContext | null;
}

export function readSubmission(given: Commands, parts: ReadingParts): Submission {
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
  const submission: Submission = {
    userId,
    commandId,
    workflowId,
    submissionId: submissionId === "" ? null : submissionId,
    actAs,
    readAs,
    commands: given.commands.map((command) => decodeCommand(parts.catalogue, command)),
    minLedgerTime: readMinLedgerTime(given),
    deduplication: readDeduplication(given.deduplicationPeriod),
    disclosed: given.disclosedContracts.map((each) => readDisclosed(each, parts)),
    context: { trace: parts.trace, period: periodOf(given.deduplicationPeriod) },
  };
  given.packageIdSelectionPreference.forEach(checkPackageId);
  return submission;
}

const PACKAGE_ID = /^[A-Za-z0-9_ -]{1,64}$/;

/** Each package has one version here, so that a preference changes nothing. */
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

/** A party that nobody can host is an unknown submitter, not a malformed one. */
function readParty(text: string): PartyId {
  const party = parsePartyId(needParty(text));
  if (party.ok) return party.value;
  return failWith(
    ledgerError("UNKNOWN_SUBMITTERS", `Party ${text} is not known on this network`, {
      resources: [["PARTY", text]],
    }),
  );
}

function distinct<T>(list: readonly T[]): readonly T[] {
  return [...new Set(list)];
}

function checkSynchronizer(given: string | null, ours: string): void {
  // Before the network is known, the submission is refused for that.
  if (ours === "" || given === null || isSynchronizer(given, ours)) return;
  throw notConnectedTo([given], ours);
}

function readMinLedgerTime({ minLedgerTimeAbs: at, minLedgerTimeRel: after }: Commands): MinLedgerTime {
  if (at !== null && after !== null) {
    throw invalidArgument("min_ledger_time_abs cannot be specified when min_ledger_time_rel is specified");
  }
  if (after !== null) return { kind: "after", microseconds: durationOf(after, "min_ledger_time_rel") };
  if (at === null) return { kind: "none" };
  const time = parseTime(at);
  if (!time.ok) throw invalidField("min_ledger_time_abs", time.error);
  return { kind: "at", time: time.value };
}

function readDeduplication(period: Commands["deduplicationPeriod"]): Deduplication {
  if (period === null || "Empty" in period) return { kind: "longest" };
  if ("DeduplicationOffset" in period) {
    const offset = period.DeduplicationOffset.value;
    if (offset < 0) {
      return failWith(ledgerError("NEGATIVE_OFFSET", `The deduplication offset ${offset} is negative`));
    }
    return offset === 0 ? { kind: "longest" } : { kind: "offset", offset };
  }
  const microseconds = durationOf(period.DeduplicationDuration.value, "deduplication_period");
  if (microseconds > MAX_DEDUPLICATION_PERIOD) {
    const longest = `${MAX_DEDUPLICATION_PERIOD / 1_000_000n}s`;
    return failWith(
      ledgerError(
        "INVALID_DEDUPLICATION_PERIOD",
        `The deduplication period is longer than the longest allowed one, ${longest}`,
        {
          context: { longest_duration: longest },
        },
      ),
    );
  }
  return { kind: "duration", microseconds };
}

/** As it was given, where that says more than nothing. */
function periodOf(period: Commands["deduplicationPeriod"]): SubmissionContext["period"] {
  return readDeduplication(period).kind === "longest" ? null : period;
}

function durationOf(
  { seconds, nanos }: { readonly seconds: number; readonly nanos: number },
  field: string,
): bigint {
  const microseconds = BigInt(seconds) * 1_000_000n + BigInt(Math.trunc(nanos / 1000));
  if (microseconds < 0n) throw invalidField(field, "Duration must be positive");
  return microseconds;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readDisclosed(
  given: DisclosedContract,
  { catalogue, hash }: ReadingParts,
): Submission["disclosed"][number] {
  const { createdEventBlob, contractId, templateId } = given;
  if (createdEventBlob === "") throw missingField("DisclosedContract.createdEventBlob");
  if (!BASE64.test(createdEventBlob)) {
    throw invalidArgument(`The string is not a valid Base64: ${createdEventBlob.slice(0, 100)}`);
  }
  const blob = Buffer.from(createdEventBlob, "base64").toString("utf8");
  const contract = parseBlob(hash, blob);
  if (!contract.ok) throw invalidField("DisclosedContract.createdEventBlob", contract.error);
  if (contractId !== "" && contractId !== contract.value.contractId) {
    throw invalidArgument(
      `Mismatch between DisclosedContract.contractId ${contractId.slice(0, 300)} and the one in its blob`,
    );
  }
  if (templateId !== "") {
    const resolved = catalogue.resolve(templateId);
    const named = resolved.kind === "template" ? resolved.template.declaration.id : null;
    if (named !== contract.value.templateId) {
      throw invalidArgument(
        `Mismatch between DisclosedContract.templateId ${templateId} and the one in its blob`,
      );
    }
  }
  return { contract: contract.value, blobHash: hash(blob) };
}
