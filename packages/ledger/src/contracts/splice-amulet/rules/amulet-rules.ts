/**
 * AmuletRules: everything that can be done with coin beyond unlocking it. The DSO signs the rules; a submission
 * discloses them, and its choices run with the DSO's authority in exactly the ways written here.
 */
import { requireThat } from "../../../engine/failure.ts";
import { implement } from "../../../engine/template.ts";
import { fetchAndArchive, fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { requireExpectedDso } from "../../checks/expected-dso.ts";
import { holdingFeeInCoin } from "../coin/expiring-amount.ts";
import { holdingTransactionMetadata } from "../coin/holding-metadata.ts";
import { Amulet, FeaturedAppRight } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { OpenMiningRound, SummarizingMiningRound } from "../declarations/round.ts";
import { activityMarkerChoices } from "../rewards/activity-marker-choices.ts";
import { developmentFundChoices } from "../rewards/development-fund-choices.ts";
import { unclaimedRewardChoices } from "../rewards/unclaimed-reward-choices.ts";
import { roundChoices } from "../rounds/round-choices.ts";
import { firstRounds, requireMayAdvance, roundAfter } from "../rounds/round-life-cycle.ts";
import { transferInstructionChoices } from "../tokens/expire-transfer-instructions.ts";
import { trafficChoices } from "../traffic/traffic-choices.ts";
import { preapprovalChoices } from "../transfers/preapproval-choices.ts";
import { executeTransfer, transferControllers } from "../transfers/transfer-engine.ts";
import { isValidAmuletConfig } from "./amulet-config-validity.ts";
import { createFirstConfigStates, replaceConfigState } from "./config-state-life-cycle.ts";
import { patchAmuletConfig } from "./patch-amulet-config.ts";
import { retiredChoices } from "./retired-choices.ts";

const dsoAlone = ({ dso }: AmuletRules) => [dso];
const requireDevNet = ({ isDevNet }: AmuletRules) => requireThat("isDevNet flag is true", isDevNet);

export const amuletRules = implement(AmuletRules, {
  signatories: dsoAlone,
  // The schedule only ever holds its first value: changes are voted on when they are due.
  ensure: ({ configSchedule: { initialValue, futureValues }, contractStateSchemaVersion }) =>
    isValidAmuletConfig(initialValue) &&
    futureValues.length === 0 &&
    (contractStateSchemaVersion ?? 0n) >= 0n,
  choices: {
    AmuletRules_Transfer: {
      controllers: (_rules, { transfer }) => transferControllers(transfer),
      exercise: ({ update, contract: { dso }, argument: { transfer, context, expectedDso } }) => {
        requireExpectedDso(dso, expectedDso);
        return executeTransfer(update, dso, transfer, context);
      },
    },
    ...preapprovalChoices,
    ...trafficChoices,
    ...roundChoices,
    ...unclaimedRewardChoices,
    ...developmentFundChoices,
    ...activityMarkerChoices,
    ...transferInstructionChoices,
    ...retiredChoices,
    AmuletRules_Mint: {
      controllers: ({ dso }, { receiver }) => [dso, receiver],
      exercise: ({ update, contract: rules, argument: { receiver, amount, openRound } }) => {
        requireDevNet(rules);
        const { dso } = rules;
        const round = fetchChecked(update, OpenMiningRound, openRound, forDso(dso));
        const ratePerRound = holdingFeeInCoin(round.transferConfigUsd.holdingFee, round.amuletPrice);
        const amulet = update.create(Amulet, {
          dso,
          owner: receiver,
          amount: { initialAmount: amount, createdAt: round.round, ratePerRound },
        });
        return { amuletSum: { amulet, amuletPrice: round.amuletPrice, round: round.round } };
      },
    },
    AmuletRules_DevNet_Tap: {
      controllers: (_rules, { receiver }) => [receiver],
      exercise: ({ update, contract: rules, argument, self }) => {
        requireDevNet(rules);
        const { amuletSum } = update.exercise(AmuletRules, self, "AmuletRules_Mint", argument);
        return {
          amuletSum,
          meta: holdingTransactionMetadata({ kind: "mint", reason: "tapped faucet" }),
        };
      },
    },
    AmuletRules_DevNet_FeatureApp: {
      controllers: (_rules, { provider }) => [provider],
      exercise: ({ update, contract: rules, argument: { provider } }) => {
        requireDevNet(rules);
        return { featuredAppRightCid: update.create(FeaturedAppRight, { dso: rules.dso, provider }) };
      },
    },
    AmuletRules_Bootstrap_Rounds: {
      controllers: dsoAlone,
      exercise: ({ update, contract: rules, argument, self }) => {
        requireThat("contractStateSchemaVersion is not set", rules.contractStateSchemaVersion === null);
        const { dso, configSchedule } = rules;
        const { amuletPrice, round0Duration } = argument;
        const initialRound = argument.initialRound ?? 0n;
        const setting = { dso, config: configSchedule.initialValue, amuletPrice, now: update.now };
        const [oldest, middle, latest] = firstRounds(setting, initialRound, round0Duration);
        const round0Cid = update.create(OpenMiningRound, oldest);
        const round1Cid = update.create(OpenMiningRound, middle);
        const round2Cid = update.create(OpenMiningRound, latest);
        update.exercise(AmuletRules, self, "AmuletRules_BootstrapExternalPartyConfigState", {
          openMiningRoundTriple: { round0Cid, round1Cid, round2Cid },
          expectedDso: dso,
        });
        return { openMiningRoundCid: round2Cid, initialRound: oldest.round };
      },
    },
    AmuletRules_AdvanceOpenMiningRounds: {
      controllers: dsoAlone,
      exercise: ({ update, contract: { dso, configSchedule }, argument }) => {
        const ofDso = forDso(dso);
        const oldest = fetchAndArchive(update, OpenMiningRound, argument.roundToArchiveCid, ofDso);
        const middle = fetchChecked(update, OpenMiningRound, argument.middleRoundCid, ofDso);
        const latest = fetchChecked(update, OpenMiningRound, argument.latestRoundCid, ofDso);
        requireMayAdvance(update.now, oldest, middle, latest);
        const { round, amuletPrice, issuanceConfig, tickDuration } = oldest;
        const summarizingRoundCid = update.create(SummarizingMiningRound, {
          dso,
          round,
          amuletPrice,
          issuanceConfig,
          tickDuration,
        });
        const config = configSchedule.initialValue;
        const next = roundAfter(latest, {
          dso,
          config,
          amuletPrice: argument.amuletPrice,
          now: update.now,
        });
        return { summarizingRoundCid, openRoundCid: update.create(OpenMiningRound, next) };
      },
    },
    AmuletRules_BootstrapExternalPartyConfigState: {
      controllers: dsoAlone,
      exercise: ({ update, contract: rules, argument: { openMiningRoundTriple, expectedDso } }) => {
        requireExpectedDso(rules.dso, expectedDso);
        createFirstConfigStates(update, rules, openMiningRoundTriple);
        return {};
      },
    },
    AmuletRules_UpdateExternalPartyConfigStates: {
      controllers: dsoAlone,
      exercise: ({ update, contract: rules, argument }) => ({
        newExternalPartyConfigStateCid: replaceConfigState(update, rules, {
          older: argument.externalPartyConfigStateCid0,
          newer: argument.externalPartyConfigStateCid1,
          rounds: argument.openMiningRoundTriple,
        }),
      }),
    },
    AmuletRules_Fetch: {
      controllers: (_rules, { p }) => [p],
      exercise: ({ contract: rules }) => rules,
    },
    AmuletRules_SetConfig: {
      controllers: dsoAlone,
      exercise: ({ update, contract: rules, argument: { newConfig, baseConfig } }) => {
        const initialValue = patchAmuletConfig(newConfig, baseConfig, rules.configSchedule.initialValue);
        const configSchedule = { initialValue, futureValues: [] };
        return { newAmuletRules: update.create(AmuletRules, { ...rules, configSchedule }) };
      },
    },
  },
});
