/** The SVs' votes: rights, weights, rules, gifts; one that fails, one that expires unanswered. */
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import {
  Amulet,
  FeaturedAppRight,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import { UnclaimedReward } from "../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  onAmuletRules,
  onDsoRules,
} from "../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import type { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import {
  DsoRules,
  UnallocatedUnclaimedActivityRecord,
} from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { VoteRequest } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/vote-request.ts";
import { exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { EconomyStage } from "./economy-stage.ts";

export function tellVotes(stage: EconomyStage): void {
  const { cho, ann, svs, network } = stage;
  decide(stage, onDsoRules({ tag: "SRARC_GrantFeaturedAppRight", value: { provider: cho.party } }));
  const [right] = network.active(FeaturedAppRight, network.dso);
  const rightCid = right?.contractId as ContractId;
  decide(stage, onDsoRules({ tag: "SRARC_RevokeFeaturedAppRight", value: { rightCid } }));
  const [, sv] = svs as [SvActor, SvActor];
  const weight = { svParty: sv.party, newRewardWeight: 12_345n };
  decide(stage, onDsoRules({ tag: "SRARC_UpdateSvRewardWeight", value: weight }));
  const refused = onDsoRules({ tag: "SRARC_GrantFeaturedAppRight", value: { provider: ann.party } });
  decide(stage, refused, false);
  leaveOpen(stage, refused);
  keepUp(stage);
  setConfig(stage);
  giveFromTheFund(stage);
  giveForActivity(stage);
}

/** The first SV asks, which is its vote; the others vote one way or the other, and one closes the vote. */
function decide(stage: EconomyStage, action: ActionRequiringConfirmation, isAccepted = true): void {
  request(stage, action);
  for (const sv of stage.svs.slice(1)) castVote(stage, sv, isAccepted);
  close(stage);
}

function leaveOpen(stage: EconomyStage, action: ActionRequiringConfirmation): void {
  request(stage, action);
  stage.network.moveClock(8n * DAY);
  stage.network.advance(HOUR);
  stage.dso.dso.advanceRounds();
  close(stage);
}

function request({ svs, network }: EconomyStage, action: ActionRequiringConfirmation): void {
  const [sv] = svs as [SvActor];
  const rules = network.only(DsoRules).contractId;
  const argument = {
    requester: sv.party,
    action,
    reason: { url: "https://example.org/", body: "for the golden log" },
    voteRequestTimeout: relTime(7n * DAY),
    targetEffectiveAt: null,
  };
  accept(sv.submit([exerciseCommand(DsoRules, rules, "DsoRules_RequestVote", argument)]));
}

function castVote({ network }: EconomyStage, sv: SvActor, isAccepting: boolean): void {
  const rules = network.only(DsoRules).contractId;
  const requestCid = network.only(VoteRequest).contractId;
  const reason = { url: "", body: isAccepting ? "yes" : "no" };
  const vote = { sv: sv.party, accept: isAccepting, reason, optCastAt: null };
  accept(sv.submit([exerciseCommand(DsoRules, rules, "DsoRules_CastVote", { requestCid, vote })]));
}

function close({ svs, network }: EconomyStage): void {
  const [sv] = svs as [SvActor];
  const amuletRulesCid = network.only(AmuletRules).contractId;
  const requestCid = network.only(VoteRequest).contractId;
  accept(sv.act("DsoRules_CloseVoteRequest", { requestCid, amuletRulesCid }));
}

/** The price goes up, the states for external parties are replaced, and dust is swept away. */
function keepUp({ svs, network, dso, dia }: EconomyStage): void {
  const [sv] = svs as [SvActor];
  for (const voter of svs) accept(voter.vote(decimal("0.006")));
  dso.nextRound(() => false);
  for (let i = 0; i < 2; i++) accept(sv.replaceConfigState());
  const dust = network
    .active(Amulet, network.dso)
    .find(({ payload }) => payload.owner === dia.party && payload.amount.initialAmount < decimal("0.01"));
  accept(sv.expireCoin(dust?.contractId as ContractId));
}

/** Somebody manages the development fund from now on. */
function setConfig(stage: EconomyStage): void {
  const baseConfig = stage.network.only(AmuletRules).payload.configSchedule.initialValue;
  const newConfig = { ...baseConfig, optDevelopmentFundManager: stage.ann.party };
  decide(stage, onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig, baseConfig } }));
}

function giveFromTheFund(stage: EconomyStage): void {
  const { ann, ben, network } = stage;
  const gift = (amount: string) => {
    const unclaimedDevelopmentFundCouponCids = network
      .active(UnclaimedDevelopmentFundCoupon, network.dso)
      .map(({ contractId }) => contractId);
    const outcome = network.submit(ann.member, {
      actAs: [ann.party],
      commands: [
        exerciseCommand(
          AmuletRules,
          network.only(AmuletRules).contractId,
          "AmuletRules_AllocateDevelopmentFundCoupon",
          {
            unclaimedDevelopmentFundCouponCids,
            beneficiary: ben.party,
            amount: decimal(amount),
            expiresAt: stage.inFuture(DAY),
            reason: "good work",
            fundManager: ann.party,
          },
        ),
      ],
      disclose: [network.only(AmuletRules).contractId, ...unclaimedDevelopmentFundCouponCids],
    });
    accept(outcome);
    return network.active(DevelopmentFundCoupon, network.dso).at(-1)?.contractId as ContractId;
  };
  const value = gift("1000.0");
  accept(ben.mint([{ tag: "InputDevelopmentFundCoupon", value }]));
  stage.use(ben, [DevelopmentFundCoupon, gift("1.0")], "DevelopmentFundCoupon_Reject", {
    reason: "too small",
  });
  const withdrawn = gift("7.0");
  stage.use(ann, [DevelopmentFundCoupon, withdrawn], "DevelopmentFundCoupon_Withdraw", { reason: "a slip" });
}

/** The SVs allocate unclaimed rewards to a beneficiary. */
function giveForActivity(stage: EconomyStage): void {
  const { ben, network, svs } = stage;
  const [sv] = svs as [SvActor];
  const record = {
    beneficiary: ben.party,
    amount: decimal("55.5"),
    reason: "was up, and not counted",
    expiresAt: stage.inFuture(30n * DAY),
  };
  decide(stage, onDsoRules({ tag: "SRARC_CreateUnallocatedUnclaimedActivityRecord", value: record }));
  accept(
    sv.act("DsoRules_AllocateUnallocatedUnclaimedActivityRecord", {
      unallocatedUnclaimedActivityRecordCid: network.only(UnallocatedUnclaimedActivityRecord).contractId,
      amuletRulesCid: network.only(AmuletRules).contractId,
      unclaimedRewardsToBurnCids: network
        .active(UnclaimedReward, network.dso)
        .map(({ contractId }) => contractId),
    }),
  );
  accept(ben.mint());
}
