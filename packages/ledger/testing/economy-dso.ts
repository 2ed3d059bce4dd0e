/**
 * The SVs' work on rounds and rewards in a simulated network, each call once and all together: receive, convert,
 * count, issue, close, expire, archive, merge.
 */
import { FeaturedAppActivityMarker } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { UnclaimedDevelopmentFundCoupon } from "../src/contracts/splice-amulet/declarations/development-fund.ts";
import { MemberTraffic } from "../src/contracts/splice-amulet/declarations/member-traffic.ts";
import { UnclaimedReward } from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import { onAmuletRules } from "../src/contracts/splice-dso-governance/confirmed-actions.ts";
import type {
  ActionRequiringConfirmation,
  AmuletRulesAction,
} from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { exerciseCommand } from "../src/engine/command.ts";
import type { AnyTemplateDeclaration } from "../src/engine/declaration.ts";
import { expiryBatches, isRoundArchivable } from "../src/rounds/expire-coupons.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import type { DsoActor } from "./dso-actor.ts";
import { nextRoundDue, usableRound } from "./open-rounds.ts";
import { couponsLeftOf, nextSvRewards, summaryOf } from "./round-coupons.ts";
import type { SvActor } from "./sv-actor.ts";

export class EconomyDso {
  readonly dso: DsoActor;

  constructor(dso: DsoActor) {
    this.dso = dso;
  }

  /** The time of the next round comes; it opens, the one before starts issuing, those that issued long enough close. */
  nextRound(isMeant?: (round: bigint) => boolean): void {
    const { network } = this.dso;
    const due = nextRoundDue(network);
    if (due > network.now) network.advanceTo(due);
    this.dso.advanceRounds();
    this.startIssuing(isMeant);
    this.closeRounds();
  }

  /** Every SV's own coupons, for the first round it has none of. */
  receiveSvRewards(): void {
    for (const sv of this.dso.svs) {
      const argument = nextSvRewards(this.dso.network, sv.party);
      if (argument !== undefined) accept(sv.act("DsoRules_ReceiveSvRewardCoupon", argument));
    }
  }

  /** Apps' activity becomes coupons of the round that is usable now. */
  convertMarkers(): void {
    const { network } = this.dso;
    const markerCids = this.#cids(FeaturedAppActivityMarker);
    if (markerCids.length === 0) return;
    const argument = { markerCids, openMiningRoundCid: usableRound(network), observers: null };
    const amuletRulesCid = this.#amuletRules;
    accept(
      this.#first.act("DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", { amuletRulesCid, argument }),
    );
  }

  /** Every round that is summarised, or only those of some numbers. */
  startIssuing(isMeant: (round: bigint) => boolean = () => true): void {
    for (const { contractId: miningRoundCid, payload } of this.#ours.active(SummarizingMiningRound)) {
      if (!isMeant(payload.round.number)) continue;
      const summary = summaryOf(this.#ours, payload.round.number);
      this.#agree({ tag: "CRARC_MiningRound_StartIssuing", value: { miningRoundCid, summary } });
    }
  }

  closeRounds(): void {
    const { now } = this.dso.network;
    for (const { contractId: issuingRoundCid, payload } of this.#ours.active(IssuingMiningRound)) {
      if (payload.targetClosesAt > now) continue;
      const amuletRulesCid = this.#amuletRules;
      accept(this.#first.act("DsoRules_MiningRound_Close", { amuletRulesCid, issuingRoundCid }));
    }
  }

  /** Expires the unclaimed coupons of closed rounds. */
  expireCoupons(): void {
    for (const { contractId, payload } of this.#ours.active(ClosedMiningRound)) {
      const left = couponsLeftOf(this.#ours, payload.round.number);
      for (const choiceArg of expiryBatches(contractId, left)) {
        const amuletRulesCid = this.#amuletRules;
        accept(this.#first.act("DsoRules_ClaimExpiredRewards", { amuletRulesCid, choiceArg }));
      }
    }
  }

  archiveRounds(): void {
    for (const { contractId: closedRoundCid, payload } of this.#ours.active(ClosedMiningRound)) {
      if (!isRoundArchivable(couponsLeftOf(this.#ours, payload.round.number))) continue;
      this.#agree({ tag: "CRARC_MiningRound_Archive", value: { closedRoundCid } });
    }
  }

  /** Unclaimed rewards, the fund's coupons and every member's traffic become one contract each, if there are enough. */
  merge(): void {
    const amuletRulesCid = this.#amuletRules;
    const { config } = this.dso.network.only(DsoRules).payload;
    const unclaimedRewardCids = this.#cids(UnclaimedReward);
    if (unclaimedRewardCids.length > 1)
      accept(this.#first.act("DsoRules_MergeUnclaimedRewards", { amuletRulesCid, unclaimedRewardCids }));
    const unclaimedDevelopmentFundCouponCids = this.#cids(UnclaimedDevelopmentFundCoupon);
    if (unclaimedDevelopmentFundCouponCids.length > 1) {
      const choiceArg = { unclaimedDevelopmentFundCouponCids };
      const choice = "DsoRules_MergeUnclaimedDevelopmentFundCoupons";
      accept(this.#first.act(choice, { amuletRulesCid, choiceArg }));
    }
    const traffic = Map.groupBy(this.#ours.active(MemberTraffic), ({ payload }) => payload.memberId);
    for (const contracts of traffic.values()) {
      const trafficCids = contracts.map(({ contractId }) => contractId);
      if (trafficCids.length > Number(config.numMemberTrafficContractsThreshold))
        accept(this.#first.act("DsoRules_MergeMemberTrafficContracts", { amuletRulesCid, trafficCids }));
    }
  }

  onboard(validator: PartyId): void {
    const { network } = this.dso;
    const argument = { sponsor: this.#first.party, validator, version: "0.1.0", contactPoint: "" };
    const rules = network.only(DsoRules).contractId;
    accept(this.#first.submit([exerciseCommand(DsoRules, rules, "DsoRules_OnboardValidator", argument)]));
  }

  /** All SVs confirm, and one executes. */
  agree(action: ActionRequiringConfirmation): void {
    const { dso } = this;
    for (const sv of dso.network.svs) accept(dso.confirm(sv, action));
    accept(dso.execute(action, dso.network.svs));
  }

  #agree(amuletRulesAction: AmuletRulesAction): void {
    this.agree(onAmuletRules(amuletRulesAction));
  }

  get #ours() {
    return this.dso.network.ofDso;
  }

  #cids(template: AnyTemplateDeclaration): readonly ContractId[] {
    return this.#ours.active(template).map(({ contractId }) => contractId);
  }

  get #amuletRules(): ContractId {
    return this.dso.network.only(AmuletRules).contractId;
  }

  get #first(): SvActor {
    return this.dso.svs[0] as SvActor;
  }
}

/** Throws if the submission was rejected. */
export function accept(outcome: Outcome): Outcome {
  const { verdict } = outcome;
  if (verdict.kind === "accepted") return outcome;
  const reason = verdict.kind === "rejected" ? verdict.error.cause : verdict.reason;
  throw new Error(`not accepted: ${reason}`);
}
