/** Votes of the SVs, read from the ledger's JSON. */
import { type Fields, fieldsOf, pairsOf, textOf } from "./ledger-json.ts";

export interface CastVote {
  readonly name: string;
  readonly sv: string;
  readonly isAccepted: boolean;
  readonly reason: string;
  readonly url: string;
  /** Null where the ledger has no time of the vote. */
  readonly castAt: string | null;
}

export interface VoteRequestShown {
  readonly requester: string;
  /** The innermost tag of the action, such as `SRARC_OffboardSv`. */
  readonly action: string;
  readonly argument: unknown;
  readonly reason: string;
  readonly url: string;
  readonly voteBefore: string | null;
  readonly effectiveAt: string | null;
  readonly votes: readonly CastVote[];
}

export type VoteOutcome = "accepted" | "failed" | "rejected" | "expired" | "unknown";

export interface VoteResultShown extends VoteRequestShown {
  readonly completedAt: string | null;
  readonly outcome: VoteOutcome;
}

function timeOf(value: unknown): string | null {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** `{tag: "ARC_DsoRules", value: {dsoAction: {tag: "SRARC_…", value}}}`: the tag within names the action. */
function readAction(action: unknown): { readonly name: string; readonly argument: unknown } {
  const { tag, value } = fieldsOf(action);
  for (const inner of Object.values(fieldsOf(value))) {
    const { tag: innerTag, value: argument } = fieldsOf(inner);
    if (typeof innerTag === "string") return { name: innerTag, argument };
  }
  return { name: textOf(tag), argument: value };
}

export function readVoteRequest(payload: unknown): VoteRequestShown {
  const fields = fieldsOf(payload);
  const { name, argument } = readAction(fields["action"]);
  const reason = fieldsOf(fields["reason"]);
  return {
    requester: textOf(fields["requester"]),
    action: name,
    argument,
    reason: textOf(reason["body"]),
    url: textOf(reason["url"]),
    voteBefore: timeOf(fields["voteBefore"]),
    effectiveAt: timeOf(fields["targetEffectiveAt"]),
    votes: pairsOf(fields["votes"]).map(([sv, vote]) => readVote(sv, fieldsOf(vote))),
  };
}

function readVote(name: string, { sv, accept, reason, optCastAt }: Fields): CastVote {
  const { body, url } = fieldsOf(reason);
  const said = { reason: textOf(body), url: textOf(url), castAt: timeOf(optCastAt) };
  return { name, sv: textOf(sv), isAccepted: accept === true, ...said };
}

/** The arguments of an action that people vote on. An argument that the action does not have is null. */
export function readArgument(argument: unknown) {
  const { newConfig, baseConfig, sv, svParty, provider, newRewardWeight } = fieldsOf(argument);
  return {
    newConfig: newConfig ?? null,
    baseConfig: baseConfig ?? null,
    party: textOf(sv) || textOf(svParty) || textOf(provider) || null,
    weight: textOf(newRewardWeight) || null,
  };
}

const OUTCOMES: Readonly<Record<string, VoteOutcome>> = {
  VRO_Accepted: "accepted",
  VRO_AcceptedButActionFailed: "failed",
  VRO_Rejected: "rejected",
  VRO_Expired: "expired",
};

export function readVoteResult(result: unknown): VoteResultShown {
  const fields = fieldsOf(result);
  return {
    ...readVoteRequest(fields["request"]),
    completedAt: timeOf(fields["completedAt"]),
    outcome: OUTCOMES[textOf(fieldsOf(fields["outcome"])["tag"])] ?? "unknown",
  };
}
