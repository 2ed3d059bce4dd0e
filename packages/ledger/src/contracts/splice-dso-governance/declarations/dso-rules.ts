/** Splice.DsoRules and Splice.DsoBootstrap: the SVs' common rules. Members act, the DSO's authority follows. */
import { damlMap, list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { dsoGovernancePackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { Amulet, AmuletExpireV2Summary, LockedAmulet } from "../../splice-amulet/declarations/amulet.ts";
import { AmuletConfig } from "../../splice-amulet/declarations/amulet-config.ts";
import { OpenMiningRoundTriple } from "../../splice-amulet/declarations/amulet-rules.ts";
import { Round } from "../../splice-amulet/declarations/round-number.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRulesConfig,
} from "../../splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../splice-wallet-payments/declarations/subscriptions.ts";
import { ActionRequiringConfirmation } from "./confirmed-action.ts";
import { decidedChoices } from "./decided-choices.ts";
import { DsoRulesConfig } from "./dso-rules-config.ts";
import { retiredChoices } from "./retired-choices.ts";
import { rewardChoices } from "./reward-choices.ts";
import { onboardingChoices } from "./sv-onboarding.ts";
import { SvStatus } from "./sv-state.ts";
import { SynchronizerNodeConfig, SynchronizerNodeConfigMap } from "./synchronizer-config.ts";
import { upkeepChoices } from "./upkeep-choices.ts";
import { voteChoices } from "./vote-request.ts";

const place = { package: dsoGovernancePackage, module: "Splice.DsoRules" } as const;

const SvInfo = record("SvInfo", {
  name: text,
  joinedAsOfRound: Round,
  svRewardWeight: int64,
  participantId: text,
});

const TrafficState = record("TrafficState", { consumedTraffic: int64 });

export const Confirmation = declareTemplate({
  ...place,
  entity: "Confirmation",
  fields: { dso: party, confirmer: party, action: ActionRequiringConfirmation, expiresAt: time },
  choices: { Confirmation_Expire: consuming({}) },
});
export type Confirmation = ValueOf<(typeof Confirmation)["record"]>;

/** An amount the SVs voted to a beneficiary, until enough unclaimed rewards are found for it. */
export const UnallocatedUnclaimedActivityRecord = declareTemplate({
  ...place,
  entity: "UnallocatedUnclaimedActivityRecord",
  fields: { dso: party, beneficiary: party, amount: numeric, reason: text, expiresAt: time },
});

/** The SVs' decision to create the first two configuration states on a network that is older than they are. */
export const BootstrapExternalPartyConfigStateInstruction = declareTemplate({
  ...place,
  entity: "BootstrapExternalPartyConfigStateInstruction",
  fields: { dso: party },
});

/** The acting SV; it must be a member. Optional on the wire for historic reasons, but required. */
const sv = optional(party);

export const DsoRules = declareTemplate({
  ...place,
  entity: "DsoRules",
  fields: {
    dso: party,
    epoch: int64,
    svs: damlMap(party, SvInfo),
    offboardedSvs: damlMap(party, record("OffboardedSvInfo", { name: text, participantId: text })),
    dsoDelegate: party,
    config: DsoRulesConfig,
    initialTrafficState: damlMap(text, TrafficState),
    isDevNet: bool,
  },
  choices: {
    ...decidedChoices,
    DsoRules_ConfirmAction: nonConsuming(
      { confirmer: party, action: ActionRequiringConfirmation },
      record({ confirmation: contractId }),
    ),
    DsoRules_ExecuteConfirmedAction: nonConsuming({
      action: ActionRequiringConfirmation,
      amuletRulesCid: optional(contractId),
      confirmationCids: list(contractId),
      sv,
    }),
    DsoRules_ExpireStaleConfirmation: nonConsuming({ staleConfirmationCid: contractId, sv }),
    DsoRules_UpdateAmuletPriceVote: nonConsuming(
      { sv: party, voteCid: contractId, amuletPrice: numeric },
      record({ amuletPriceVote: contractId }),
    ),
    DsoRules_GarbageCollectAmuletPriceVotes: nonConsuming({
      nonSvVoteCids: list(contractId),
      duplicateVoteCids: list(list(contractId)),
      sv,
    }),
    ...voteChoices,
    ...rewardChoices,
    ...upkeepChoices,
    ...retiredChoices,
    ...onboardingChoices,
    DsoRules_SetSynchronizerNodeConfig: nonConsuming(
      {
        sv: party,
        synchronizerId: text,
        newNodeConfig: SynchronizerNodeConfig,
        nodeStateCid: contractId,
      },
      record({ svNodeState: contractId }),
    ),
    DsoRules_SubmitStatusReport: nonConsuming(
      { sv: party, previousReportCid: contractId, status: SvStatus },
      record({ newReport: contractId }),
    ),
    DsoRules_AdvanceOpenMiningRounds: nonConsuming(
      {
        amuletRulesCid: contractId,
        roundToArchiveCid: contractId,
        middleRoundCid: contractId,
        latestRoundCid: contractId,
        amuletPriceVoteCids: list(contractId),
        sv,
      },
      record({ summarizingRound: contractId, openRound: contractId }),
    ),
    DsoRules_UpdateExternalPartyConfigStates: nonConsuming(
      {
        amuletRulesCid: contractId,
        externalPartyConfigStateCid0: contractId,
        externalPartyConfigStateCid1: contractId,
        openMiningRoundTriple: OpenMiningRoundTriple,
        sv: party,
      },
      record({ newExternalPartyConfigStateCid: contractId }),
    ),
    DsoRules_BootstrapExternalPartyConfigState: nonConsuming({
      amuletRulesCid: contractId,
      instructionCid: contractId,
      openMiningRoundTriple: OpenMiningRoundTriple,
      sv: party,
    }),
    DsoRules_CollectEntryRenewalPayment: nonConsuming(
      {
        ansEntryContextCid: contractId,
        choiceArg: AnsEntryContext.choices.AnsEntryContext_CollectEntryRenewalPayment.argument,
        sv,
      },
      record({ ansEntry: contractId, subscriptionState: contractId }),
    ),
    DsoRules_ExpireAnsEntry: nonConsuming({
      ansEntryCid: contractId,
      choiceArg: AnsEntry.choices.AnsEntry_Expire.argument,
      sv,
    }),
    DsoRules_ExpireSubscription: nonConsuming({
      ansEntryContextCid: contractId,
      subscriptionIdleStateCid: contractId,
      choiceArg: SubscriptionIdleState.choices.SubscriptionIdleState_ExpireSubscription.argument,
      sv,
    }),
    DsoRules_TerminateSubscription: nonConsuming({
      ansEntryContextCid: contractId,
      terminatedSubscriptionCid: contractId,
      sv,
    }),
    DsoRules_Amulet_ExpireV2: nonConsuming(
      { cid: contractId, choiceArg: Amulet.choices.Amulet_ExpireV2.argument, sv },
      record({ expireSum: AmuletExpireV2Summary }),
    ),
    DsoRules_LockedAmulet_ExpireAmuletV2: nonConsuming(
      { cid: contractId, choiceArg: LockedAmulet.choices.LockedAmulet_ExpireAmuletV2.argument, sv },
      record({ expireSum: AmuletExpireV2Summary }),
    ),
  },
});
export type DsoRules = ValueOf<(typeof DsoRules)["record"]>;

export const DsoBootstrap = declareTemplate({
  package: dsoGovernancePackage,
  module: "Splice.DsoBootstrap",
  entity: "DsoBootstrap",
  fields: {
    dso: party,
    sv1Party: party,
    sv1Name: text,
    sv1RewardWeight: int64,
    sv1ParticipantId: text,
    sv1SynchronizerNodes: SynchronizerNodeConfigMap,
    round0Duration: RelTime,
    amuletConfig: AmuletConfig,
    amuletPrice: numeric,
    ansRulesConfig: AnsRulesConfig,
    config: DsoRulesConfig,
    initialTrafficState: damlMap(text, TrafficState),
    isDevNet: bool,
    initialRound: optional(int64),
  },
  choices: { DsoBootstrap_Bootstrap: consuming({}) },
});
export type DsoBootstrap = ValueOf<(typeof DsoBootstrap)["record"]>;
