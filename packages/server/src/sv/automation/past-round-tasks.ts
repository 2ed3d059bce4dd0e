/**
 * What is to be done about a round after it was open. Each SV counts its coupons, and once a quorum has counted the
 * same the round starts issuing.
 */
import {
  type ActionRequiringConfirmation,
  type Decimal,
  type Hash,
  type PartyId,
  type RoundSummary,
  SummarizingMiningRound,
  summarizeRound,
} from "@callsign/ledger";
import type { CouponKind } from "../agenda/agenda-coupons.ts";
import { confirmOrExecute } from "./confirm-action.ts";
import type { FoundContract, LedgerFacts, Rules } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

interface Deciding {
  readonly facts: LedgerFacts;
  readonly rules: Rules;
  readonly sv: PartyId;
  readonly hash: Hash;
}

/** The ledger has one contract for a number. */
const ROUNDS_OF_NUMBER = 10;

export function listPastRoundTasks(deciding: Deciding, number: bigint): readonly Task[] {
  const { facts } = deciding;
  return facts
    .list(SummarizingMiningRound, number, ROUNDS_OF_NUMBER)
    .flatMap((round) => startIssuing(deciding, round) ?? []);
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

type AmuletRulesAction = Extract<
  ActionRequiringConfirmation,
  { tag: "ARC_AmuletRules" }
>["value"]["amuletRulesAction"];

function onAmuletRules(amuletRulesAction: AmuletRulesAction): ActionRequiringConfirmation {
  return { tag: "ARC_AmuletRules", value: { amuletRulesAction } };
}
