import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ArgumentOf } from "../../engine/declaration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { DsoRules } from "./declarations/dso-rules.ts";

const network = new DsoFixture();
const outsider = testParty("outsider");
const { dso, dsoRules: cid, amuletRules } = network;

type Choices = (typeof DsoRules)["choices"];
/** Arguments of the right type; who acts is checked before anything is looked at, so any contract id does. */
const transferContext = { amuletRules, openMiningRound: cid, featuredAppRight: null };
const twoStates = { externalPartyConfigState0Cid: cid, externalPartyConfigState1Cid: cid };
const forMembers = {
  DsoRules_ExecuteConfirmedAction: {
    action: { tag: "ExtActionRequiringConformation", value: { dummyUnitField: {} } },
    amuletRulesCid: null,
    confirmationCids: [],
  },
  DsoRules_ExpireStaleConfirmation: { staleConfirmationCid: cid },
  DsoRules_AdvanceOpenMiningRounds: {
    amuletRulesCid: amuletRules,
    roundToArchiveCid: cid,
    middleRoundCid: cid,
    latestRoundCid: cid,
    amuletPriceVoteCids: [],
  },
  DsoRules_CollectEntryRenewalPayment: {
    ansEntryContextCid: cid,
    choiceArg: { paymentCid: cid, entryCid: cid, transferContext, ansRulesCid: cid },
  },
  DsoRules_ExpireAnsEntry: { ansEntryCid: cid, choiceArg: { actor: dso } },
  DsoRules_ExpireSubscription: {
    ansEntryContextCid: cid,
    subscriptionIdleStateCid: cid,
    choiceArg: { actor: dso },
  },
  DsoRules_TerminateSubscription: { ansEntryContextCid: cid, terminatedSubscriptionCid: cid },
  DsoRules_UpdateExternalPartyConfigStates: {
    amuletRulesCid: amuletRules,
    externalPartyConfigStateCid0: cid,
    externalPartyConfigStateCid1: cid,
    openMiningRoundTriple: { round0Cid: cid, round1Cid: cid, round2Cid: cid },
  },
  DsoRules_CloseVoteRequest: { requestCid: cid, amuletRulesCid: null },
  DsoRules_GarbageCollectAmuletPriceVotes: { nonSvVoteCids: [cid], duplicateVoteCids: [] },
  DsoRules_MiningRound_Close: { amuletRulesCid: amuletRules, issuingRoundCid: cid },
  DsoRules_MergeSvRewardState: { svName: "SV-1", rewardStateCids: [] },
  DsoRules_ClaimExpiredRewards: {
    amuletRulesCid: amuletRules,
    choiceArg: {
      closedRoundCid: cid,
      validatorRewardCouponCids: [],
      appCouponCids: [],
      svRewardCouponCids: [],
      optValidatorFaucetCouponCids: null,
      optValidatorLivenessActivityRecordCids: null,
    },
  },
  DsoRules_MergeUnclaimedRewards: { amuletRulesCid: amuletRules, unclaimedRewardCids: [] },
  DsoRules_MergeUnclaimedDevelopmentFundCoupons: {
    amuletRulesCid: amuletRules,
    choiceArg: { unclaimedDevelopmentFundCouponCids: [] },
  },
  DsoRules_ExpireDevelopmentFundCoupon: { developmentFundCouponCid: cid },
  DsoRules_AllocateUnallocatedUnclaimedActivityRecord: {
    unallocatedUnclaimedActivityRecordCid: cid,
    amuletRulesCid: amuletRules,
    unclaimedRewardsToBurnCids: [],
  },
  DsoRules_ExpireUnallocatedUnclaimedActivityRecord: { unallocatedUnclaimedActivityRecordCid: cid },
  DsoRules_ExpireUnclaimedActivityRecord: { unclaimedActivityRecordCid: cid },
  DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers: {
    amuletRulesCid: amuletRules,
    argument: { markerCids: [], openMiningRoundCid: cid, observers: null },
  },
  DsoRules_MergeValidatorLicense: { validatorLicenseCids: [] },
  DsoRules_MergeMemberTrafficContracts: { amuletRulesCid: amuletRules, trafficCids: [] },
  DsoRules_ExpireTransferPreapproval: { transferPreapprovalCid: cid },
  DsoRules_Amulet_ExpireV2: { cid, choiceArg: twoStates },
  DsoRules_LockedAmulet_ExpireAmuletV2: { cid, choiceArg: twoStates },
} satisfies { [C in keyof Choices]?: Omit<ArgumentOf<Choices[C]>, "sv"> };

function exercise(choice: keyof typeof forMembers, sv: PartyId | null, actAs: PartyId): unknown {
  const argument = { ...forMembers[choice], sv } as ArgumentOf<Choices[typeof choice]>;
  return network.sandbox.exercise(DsoRules, cid, choice, argument, { actAs: [actAs], readAs: [dso] });
}

const choices = Object.keys(forMembers) as (keyof typeof forMembers)[];
/** Null is no value of a field that is not optional. */
const requiredSv: ReadonlySet<string> = new Set([
  "DsoRules_UpdateExternalPartyConfigStates",
  "DsoRules_MergeUnclaimedDevelopmentFundCoupons",
  "DsoRules_ExpireDevelopmentFundCoupon",
  "DsoRules_AllocateUnallocatedUnclaimedActivityRecord",
  "DsoRules_ExpireUnallocatedUnclaimedActivityRecord",
  "DsoRules_ExpireUnclaimedActivityRecord",
]);
const optionalSv = choices.filter((choice) => !requiredSv.has(choice));

test.each(optionalSv)("%s fails if no SV is named", (choice) => {
  const { code, cause } = rejectionOf(() => exercise(choice, null, network.sv(0)));
  expect(code).toBe("DAML_FAILURE");
  expect(cause).toMatch(/: no SV party provided$/);
});

describe.each(choices)("%s", (choice) => {
  test("fails for a party that is no SV", () => {
    expectUnmet("SV party is an actual SV", () => exercise(choice, outsider, outsider));
  });

  test("fails if another party acts in an SV's name", () => {
    expectUnauthorized(() => exercise(choice, network.sv(1), outsider));
    expectUnauthorized(() => exercise(choice, network.sv(1), network.sv(0)));
  });

  test("gets past the check of who acts if an SV acts for itself", () => {
    const { cause } = rejectionOf(() => exercise(choice, network.sv(1), network.sv(1)));
    expect(cause).not.toContain("SV party");
    expect(cause).not.toContain(`exercise of ${choice}`);
  });
});

test("an SV that was offboarded is an SV no longer", () => {
  const smaller = new DsoFixture();
  const gone = smaller.sv(3);
  smaller.offboardSv(gone);
  const argument = { staleConfirmationCid: smaller.dsoRules };
  expectUnmet("SV party is an actual SV", () =>
    smaller.bySv("DsoRules_ExpireStaleConfirmation", argument, gone),
  );
});
