/**
 * Rounds, and the configuration states that are copied from them. After a jump of the clock one new round is enough,
 * however many ticks were jumped over: it opens a tick after *now*, and no other is due before that.
 */
import { type BeneficiaryShare, type Decimal, ExternalPartyConfigState } from "@callsign/ledger";
import { EACH } from "@callsign/node";
import type { AgendaRound } from "../agenda/agenda-rounds.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding } from "./ledger-facts.ts";
import { receiveSvRewards } from "./receive-rewards.ts";
import type { Task } from "./task.ts";

interface DecidingOnRounds extends Deciding {
  /** What this SV wants coin to cost, in dollars, as long as it has not voted. */
  readonly amuletPrice: Decimal | null;
  /** Who shares this SV's rewards. */
  readonly beneficiaries: readonly BeneficiaryShare[];
}

type Triple = readonly [AgendaRound, AgendaRound, AgendaRound];

/** There are two at a time. */
const CONFIG_STATES = 10;

export function listRoundTasks(deciding: DecidingOnRounds): readonly Task[] {
  const { facts } = deciding;
  const [oldest, middle, latest] = facts.rounds;
  const due = facts.agenda.rounds.findNextDue();
  if (oldest === undefined || middle === undefined || latest === undefined || due === null) return [];
  const rounds: Triple = [oldest, middle, latest];
  const own = [...voteOnPrice(deciding), ...receiveSvRewards(deciding, deciding.beneficiaries)];
  // A configuration state made from rounds that are about to go would lag behind for days.
  const next = due <= facts.now ? [advanceRounds(deciding, rounds)] : replaceConfigState(deciding, rounds);
  return [...own, ...removeVotes(deciding), ...next];
}

/** A new SV has a vote without a price; rounds open with the median of the prices there are. */
function voteOnPrice({ rules, sv, amuletPrice }: DecidingOnRounds): readonly Task[] {
  const vote = rules.votes.find(({ payload }) => payload.sv === sv);
  if (amuletPrice === null || vote === undefined || vote.payload.amuletPrice !== null) return [];
  const argument = { voteCid: vote.contractId, amuletPrice };
  const command = exerciseDsoRules(rules, sv, "DsoRules_UpdateAmuletPriceVote", argument);
  return [{ automation: "vote-on-price", key: `vote ${vote.contractId}`, commands: [command], enough: EACH }];
}

/** Votes of SVs that have left, and all but the latest of an SV that left and came back. */
function removeVotes({ rules, sv, hash }: DecidingOnRounds): readonly Task[] {
  const { strayVotes: nonSvVoteCids, repeatedVotes: duplicateVoteCids } = rules;
  if (nonSvVoteCids.length === 0 && duplicateVoteCids.length === 0) return [];
  const argument = { nonSvVoteCids, duplicateVoteCids };
  const command = exerciseDsoRules(rules, sv, "DsoRules_GarbageCollectAmuletPriceVotes", argument);
  const key = `remove votes ${hash(JSON.stringify(argument))}`;
  return [{ automation: "remove-price-votes", key, commands: [command], enough: 1 }];
}

function advanceRounds({ rules, sv }: DecidingOnRounds, [oldest, middle, latest]: Triple): Task {
  const command = exerciseDsoRules(rules, sv, "DsoRules_AdvanceOpenMiningRounds", {
    amuletRulesCid: rules.amuletRulesCid,
    roundToArchiveCid: oldest.cid,
    middleRoundCid: middle.cid,
    latestRoundCid: latest.cid,
    amuletPriceVoteCids: rules.votes.map(({ contractId }) => contractId),
  });
  return { automation: "advance-rounds", key: `advance ${latest.cid}`, commands: [command], enough: 1 };
}

/** Of the two, the one that is due first. */
function replaceConfigState({ facts, rules, sv }: DecidingOnRounds, rounds: Triple): readonly Task[] {
  const [older, newer] = facts
    .list(ExternalPartyConfigState, 0n, CONFIG_STATES)
    .toSorted((a, b) => Number(a.payload.targetArchiveAfter - b.payload.targetArchiveAfter));
  if (older === undefined || newer === undefined || older.payload.targetArchiveAfter > facts.now) return [];
  const [round0, round1, round2] = rounds;
  const command = exerciseDsoRules(rules, sv, "DsoRules_UpdateExternalPartyConfigStates", {
    amuletRulesCid: rules.amuletRulesCid,
    externalPartyConfigStateCid0: older.contractId,
    externalPartyConfigStateCid1: newer.contractId,
    openMiningRoundTriple: { round0Cid: round0.cid, round1Cid: round1.cid, round2Cid: round2.cid },
  });
  return [
    {
      automation: "replace-config-states",
      key: `replace ${older.contractId} ${round2.cid}`,
      commands: [command],
      enough: 1,
    },
  ];
}
