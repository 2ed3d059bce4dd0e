/**
 * DsoBootstrap: how a network begins. Its one choice creates the rules of the coin, of external parties and of
 * names, the first rounds, and DsoRules with one SV and its contracts. Nothing else has to exist before.
 */
import { implement } from "../../engine/template.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyAmuletRules } from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import { DsoBootstrap, DsoRules } from "./declarations/dso-rules.ts";
import { createContractsOfSv, createContractsOfSvParty } from "./sv-contracts.ts";

export const dsoBootstrap = implement(DsoBootstrap, {
  signatories: ({ dso }) => [dso],
  observers: ({ sv1Party }) => [sv1Party],
  choices: {
    DsoBootstrap_Bootstrap: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract }) => {
        const { dso, sv1Party, sv1Name, amuletPrice, config, isDevNet } = contract;
        const amuletRulesCid = update.create(AmuletRules, {
          dso,
          configSchedule: { initialValue: contract.amuletConfig, futureValues: [] },
          isDevNet,
          contractStateSchemaVersion: null,
        });
        update.create(ExternalPartyAmuletRules, { dso });
        update.create(AnsRules, { dso, config: contract.ansRulesConfig });
        const { round0Duration, initialRound } = contract;
        const rounds = update.exercise(AmuletRules, amuletRulesCid, "AmuletRules_Bootstrap_Rounds", {
          amuletPrice,
          round0Duration,
          initialRound,
        });
        const joinedAsOfRound = rounds.initialRound ?? { number: 0n };
        const sv1 = {
          name: sv1Name,
          joinedAsOfRound,
          svRewardWeight: contract.sv1RewardWeight,
          participantId: contract.sv1ParticipantId,
        };
        update.create(DsoRules, {
          dso,
          epoch: 0n,
          svs: [[sv1Party, sv1]],
          offboardedSvs: [],
          dsoDelegate: sv1Party,
          config,
          initialTrafficState: contract.initialTrafficState,
          isDevNet,
        });
        createContractsOfSv(update, { dso, svName: sv1Name, joinedAsOfRound });
        createContractsOfSvParty(update, {
          dso,
          sv: sv1Party,
          svName: sv1Name,
          synchronizerNodes: contract.sv1SynchronizerNodes,
          amuletPrice,
          config,
        });
        return {};
      },
    },
  },
});
