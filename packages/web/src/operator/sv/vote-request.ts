/** Votes of the SVs, read from the ledger's JSON. A field that is missing or of another shape reads as empty. */

export interface CastVote {
  readonly name: string;
  readonly sv: string;
  readonly isAccepted: boolean;
  readonly reason: string;
  readonly url: string;
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

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function timeOf(value: unknown): string | null {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** `{tag: "ARC_DsoRules", value: {dsoAction: {tag: "SRARC_…", value}}}`: the tag within names the action. */
export function readAction(action: unknown): { readonly name: string; readonly argument: unknown } {
  const { tag, value } = fieldsOf(action);
  for (const inner of Object.values(fieldsOf(value))) {
    const { tag: innerTag, value: argument } = fieldsOf(inner);
    if (typeof innerTag === "string") return { name: innerTag, argument };
  }
  return { name: textOf(tag), argument: value };
}

/** A map of the ledger is a list of pairs, or an object. */
function pairsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return Object.entries(fieldsOf(value));
  return value.flatMap((pair: unknown) =>
    Array.isArray(pair) ? [[textOf(pair[0]), pair[1] as unknown] as const] : [],
  );
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

function readVote(name: string, { sv, accept, reason }: Fields): CastVote {
  const { body, url } = fieldsOf(reason);
  return { name, sv: textOf(sv), isAccepted: accept === true, reason: textOf(body), url: textOf(url) };
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

export const REQUEST_KINDS = ["SRARC_GrantFeaturedAppRight", "SRARC_OffboardSv", "other"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** The action of a request, as the ledger's JSON has it; null for text that is no JSON object. */
export function makeAction(kind: RequestKind, given: string): Record<string, unknown> | null {
  const text = given.trim();
  switch (kind) {
    case "SRARC_GrantFeaturedAppRight":
      return text === "" ? null : dsoAction(kind, { provider: text });
    case "SRARC_OffboardSv":
      return text === "" ? null : dsoAction(kind, { sv: text });
    case "other":
      return parseObject(text);
  }
}

function dsoAction(tag: string, value: Fields): Record<string, unknown> {
  return { tag: "ARC_DsoRules", value: { dsoAction: { tag, value } } };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
