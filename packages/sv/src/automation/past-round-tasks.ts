/**
 * What is to be done about a round after it was open. Each SV counts its coupons, and once a quorum has counted the
 * same the round starts issuing. When its time is over one SV closes it; what nobody minted is expired in batches, and
 * once nothing is left a quorum archives it.
 */
import {
  ClosedMiningRound,
  type Decimal,
  expiryBatches,
  IssuingMiningRound,
  isRoundArchivable,
  type LeftCoupons,
  onAmuletRules,
  type RoundSummary,
  SummarizingMiningRound,
  summarizeRound,
} from "@callsign/ledger";
import type { CouponKind } from "../agenda/agenda-coupons.ts";
import { confirmOrExecute } from "./confirm-action.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, FoundContract, LedgerFacts } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** The ledger has one contract for a number. */
const ROUNDS_OF_NUMBER = 10;
/** Of each kind, so many coupons are expired at a time; the others follow. */
const COUPONS_AT_ONCE = 400;

export function listPastRoundTasks(deciding: Deciding, number: bigint): readonly Task[] {
  const { facts } = deciding;
  return [
    ...facts
      .list(SummarizingMiningRound, number, ROUNDS_OF_NUMBER)
      .flatMap((round) => startIssuing(deciding, round) ?? []),
    ...facts
      .list(IssuingMiningRound, number, ROUNDS_OF_NUMBER)
      .flatMap((round) => closeRound(deciding, round) ?? []),
    ...facts
      .list(ClosedMiningRound, number, ROUNDS_OF_NUMBER)
      .flatMap((round) => finishRound(deciding, round)),
  ];
}

function startIssuing(
  deciding: Deciding,
  { contractId: miningRoundCid, payload }: FoundContract<typeof SummarizingMiningRound>,
): Task | null {
  const { round, issuanceConfig } = payload;
  const summary = summarize(deciding.facts, round.number, issuanceConfig.optValidatorFaucetCap);
  const value = { miningRoundCid, summary };
  const action = onAmuletRules({ tag: "CRARC_MiningRound_StartIssuing", value });
  return confirmOrExecute(deciding, "summarize-rounds", action);
}

/** The totals are those that the agenda keeps: the coupons themselves are not read. */
function summarize({ agenda }: LedgerFacts, round: bigint, faucetCap: Decimal | null): RoundSummary {
  const totalOf = (kind: CouponKind) => agenda.coupons.total(round, kind);
  const amountOf = (kind: CouponKind) => totalOf(kind).amount as Decimal;
  return summarizeRound(
    {
      validatorRewardCoupons: [{ amount: amountOf("validator") }],
      appRewardCoupons: [
        { amount: amountOf("featuredApp"), featured: true },
        { amount: amountOf("unfeaturedApp"), featured: false },
      ],
      svRewardCoupons: [{ weight: totalOf("sv").amount }],
      validatorRecordCount: Number(totalOf("liveness").count + totalOf("faucet").count),
    },
    faucetCap,
  );
}

function closeRound(
  { facts, rules, sv }: Deciding,
  { contractId: issuingRoundCid, payload }: FoundContract<typeof IssuingMiningRound>,
): Task | null {
  if (payload.targetClosesAt > facts.now) return null;
  const argument = { amuletRulesCid: rules.amuletRulesCid, issuingRoundCid };
  const command = exerciseDsoRules(rules, sv, "DsoRules_MiningRound_Close", argument);
  return { automation: "close-rounds", key: `close ${issuingRoundCid}`, commands: [command], enough: 1 };
}

/** Batches begin with the oldest coupons, so that they are the same on every SV. */
function finishRound(
  deciding: Deciding,
  { contractId: closedRoundCid, payload }: FoundContract<typeof ClosedMiningRound>,
): readonly Task[] {
  const { facts, rules, sv, hash } = deciding;
  const left = listLeft(facts, payload.round.number);
  if (isRoundArchivable(left)) {
    const action = onAmuletRules({ tag: "CRARC_MiningRound_Archive", value: { closedRoundCid } });
    const task = confirmOrExecute(deciding, "archive-rounds", action);
    return task === null ? [] : [task];
  }
  return expiryBatches(closedRoundCid, left).map((choiceArg) => {
    const argument = { amuletRulesCid: rules.amuletRulesCid, choiceArg };
    const command = exerciseDsoRules(rules, sv, "DsoRules_ClaimExpiredRewards", argument);
    const key = `claim ${hash(JSON.stringify(choiceArg))}`;
    return { automation: "expire-coupons", key, commands: [command], enough: 1 };
  });
}

function listLeft({ agenda }: LedgerFacts, round: bigint): LeftCoupons {
  const list = (kind: CouponKind) => agenda.coupons.list(round, kind, COUPONS_AT_ONCE);
  return {
    validatorRewardCouponCids: list("validator"),
    appCouponCids: [...list("featuredApp"), ...list("unfeaturedApp")],
    svRewardCouponCids: list("sv"),
    livenessRecordCids: list("liveness"),
  };
}
