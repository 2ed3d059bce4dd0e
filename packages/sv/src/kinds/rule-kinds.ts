/** The DSO's rules, the SVs' decisions, and the rounds that are no longer open. */
import {
  type ActionRequiringConfirmation,
  AmuletPriceVote,
  AmuletRules,
  type AmuletRulesAction,
  AnsRules,
  ClosedMiningRound,
  Confirmation,
  type ContractId,
  DsoRules,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  IssuingMiningRound,
  NameCare,
  SummarizingMiningRound,
  SvNodeState,
  SvOnboardingConfirmed,
  SvOnboardingRequest,
  VoteRequest,
} from "@callsign/ledger";
import { actionText } from "./action-text.ts";
import { type AgendaColumns, type AgendaRow, agendaKind, type ColumnContext, itself } from "./agenda-kind.ts";
import { confirmationKey, textKey } from "./keys.ts";
import { COINS, ROUNDS, type Subject, SV_NODES } from "./subject.ts";

export const RULE_KINDS = [
  ...[DsoRules, AmuletRules, ExternalPartyAmuletRules, AnsRules, NameCare, AmuletPriceVote].map((template) =>
    agendaKind(template, { isRule: true }),
  ),
  agendaKind(ExternalPartyConfigState, {
    columnsOf: ({ targetArchiveAfter }) => ({ due: targetArchiveAfter }),
    subjectsOf: () => [ROUNDS, COINS],
  }),
  agendaKind(SummarizingMiningRound, {
    columnsOf: ({ round }) => ({ round: round.number, pending: true }),
    subjectsOf: pastRoundOf,
  }),
  agendaKind(IssuingMiningRound, {
    columnsOf: ({ round, targetClosesAt }) => ({ round: round.number, due: targetClosesAt }),
    subjectsOf: pastRoundOf,
  }),
  agendaKind(ClosedMiningRound, {
    columnsOf: ({ round }) => ({ round: round.number, pending: true }),
    subjectsOf: pastRoundOf,
  }),
  agendaKind(Confirmation, {
    columnsOf: ({ action, confirmer, expiresAt }, context) => ({
      ...topicOf(action, context),
      confirmationKey: confirmationKey(context.hash, actionText(action), confirmer),
      due: expiresAt,
    }),
    subjectsOf: (row) => [...topicSubjects(row), itself(row)],
  }),
  agendaKind(VoteRequest, {
    columnsOf: (request, { requiredVotes }) => ({ due: endOfVote(request, requiredVotes()), pending: true }),
    subjectsOf: (row) => [itself(row)],
  }),
  agendaKind(SvOnboardingRequest, {
    columnsOf: ({ candidateParty, expiresAt }, { hash }) => ({
      ...{ ownerKey: textKey(hash, candidateParty), due: expiresAt, pending: true },
    }),
    subjectsOf: (row) => [...candidateOf(row), itself(row)],
  }),
  agendaKind(SvOnboardingConfirmed, {
    columnsOf: ({ svParty, expiresAt }, { hash }) => ({ ownerKey: textKey(hash, svParty), due: expiresAt }),
    subjectsOf: (row) => [...candidateOf(row), itself(row)],
  }),
  agendaKind(SvNodeState, {
    columnsOf: ({ sv }, { hash }) => ({ ownerKey: textKey(hash, sv) }),
    subjectsOf: () => [SV_NODES],
  }),
];

function pastRoundOf({ round }: AgendaRow): readonly Subject[] {
  return round === null ? [] : [{ kind: "past-round", key: round }];
}

/** The name, the round, the sender of commands or the candidate that a confirmation is about. */
function topicOf(
  action: ActionRequiringConfirmation,
  context: ColumnContext,
): Partial<Pick<AgendaColumns, "nameKey" | "round" | "ownerKey">> {
  if (action.tag === "ARC_AnsEntryContext") {
    const name = context.nameOfContext(action.value.ansEntryContextCid);
    return name === null ? {} : { nameKey: textKey(context.hash, name) };
  }
  if (action.tag === "ARC_DsoRules") {
    const { tag, value } = action.value.dsoAction;
    if (tag === "SRARC_CreateTransferCommandCounter")
      return { ownerKey: textKey(context.hash, value.sender) };
    return tag === "SRARC_ConfirmSvOnboarding" ? { ownerKey: textKey(context.hash, value.newSvParty) } : {};
  }
  if (action.tag !== "ARC_AmuletRules") return {};
  const roundCid = roundOfAction(action.value.amuletRulesAction);
  return roundCid === null ? {} : { round: context.numberOfRound(roundCid) };
}

function topicSubjects(row: AgendaRow): readonly Subject[] {
  if (row.nameKey !== null) return [{ kind: "name", key: row.nameKey }];
  if (row.ownerKey !== null) return [{ kind: "commands", key: row.ownerKey }, ...candidateOf(row)];
  return pastRoundOf(row);
}

function candidateOf({ ownerKey }: AgendaRow): readonly Subject[] {
  return ownerKey === null ? [] : [{ kind: "candidates", key: ownerKey }];
}

function roundOfAction({ tag, value }: AmuletRulesAction): ContractId | null {
  if (tag === "CRARC_MiningRound_StartIssuing") return value.miningRoundCid;
  return tag === "CRARC_MiningRound_Archive" ? value.closedRoundCid : null;
}

/**
 * The moment at which the vote ends by itself. A vote with a date ends early if too few have voted; another vote would
 * make it another contract. Should SVs come or go meanwhile, it is decided anew with all that waits.
 */
function endOfVote({ votes, voteBefore, targetEffectiveAt }: VoteRequest, required: number): bigint {
  return targetEffectiveAt === null || votes.length < required ? voteBefore : targetEffectiveAt;
}
