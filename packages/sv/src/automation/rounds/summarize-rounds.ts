/** Each SV counts the coupons of a round that was open; once a quorum has counted the same the round starts issuing. */
import {
  type Decimal,
  onAmuletRules,
  type RoundSummary,
  SummarizingMiningRound,
  summarizeRound,
} from "@callsign/ledger";
import type { CouponKind } from "../../agenda/agenda-coupons.ts";
import { FEW } from "../../limits/limits.ts";
import { confirmOrExecute } from "../confirm-or-execute.ts";
import { defineAutomation } from "../dso-automation.ts";
import type { LedgerFacts } from "../ledger-facts.ts";

export const summarizeRounds = defineAutomation({
  name: "summarize-rounds",
  subjects: ["past-round"],
  decide: (deciding, { key: number }) =>
    deciding.facts.listBy(SummarizingMiningRound, "round", number, FEW).flatMap(({ contractId, payload }) => {
      const summary = summarize(deciding.facts, number, payload.issuanceConfig.optValidatorFaucetCap);
      const value = { miningRoundCid: contractId, summary };
      return confirmOrExecute(deciding, onAmuletRules({ tag: "CRARC_MiningRound_StartIssuing", value }));
    }),
  awaits: ({ facts }, action) => {
    if (action.tag !== "ARC_AmuletRules") return false;
    const { tag, value } = action.value.amuletRulesAction;
    return tag === "CRARC_MiningRound_StartIssuing" && facts.exists(value.miningRoundCid);
  },
});

/** The agenda keeps the totals: the coupons themselves are not read. */
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
