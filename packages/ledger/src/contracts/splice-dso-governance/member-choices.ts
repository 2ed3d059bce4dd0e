/**
 * Adding and offboarding SVs. A party operates a node once: an offboarded party cannot come back.
 * On a network for development an SV of the same name may be taken over by another party; elsewhere a name
 * that is in use is refused.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { int64 } from "../../values/int64.ts";
import type { PartyId } from "../../values/party-id.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { withKey, withoutKey } from "./keyed-map.ts";
import { requireNeverOperated, svInfo } from "./members.ts";
import { createContractsOfSv, createContractsOfSvParty } from "./sv-contracts.ts";

export const memberChoices = {
  DsoRules_AddSv: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract, argument }) => {
      const { newSvParty: sv, newSvName: name, joinedAsOfRound } = argument;
      requireNeverOperated(contract, sv);
      const rules = withNameFree(contract, name);
      const { dso, config } = rules;
      // The contracts of a name are still there if the name was an SV's before.
      const isKnownName = rules.offboardedSvs.some(([, info]) => info.name === name);
      if (!isKnownName) createContractsOfSv(update, { dso, svName: name, joinedAsOfRound });
      createContractsOfSvParty(update, {
        dso,
        sv,
        svName: name,
        synchronizerNodes: [],
        amuletPrice: null,
        config,
      });
      const info = {
        name,
        joinedAsOfRound,
        svRewardWeight: argument.newSvRewardWeight,
        participantId: argument.newSvParticipantId,
      };
      return { newDsoRules: update.create(DsoRules, { ...rules, svs: withKey(rules.svs, sv, info) }) };
    },
  },
  DsoRules_OffboardSv: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract, argument: { sv } }) => {
      requireThat("There is more than one sv", contract.svs.length > 1);
      const rules = offboard(contract, sv);
      const [first] = rules.svs;
      const isDelegate = sv === rules.dsoDelegate && first !== undefined;
      const newDsoRules = update.create(
        DsoRules,
        isDelegate ? { ...rules, dsoDelegate: first[0], epoch: int64(rules.epoch + 1n) } : rules,
      );
      return { newDsoRules };
    },
  },
} satisfies SomeChoiceRules<typeof DsoRules>;

function offboard(rules: DsoRules, sv: PartyId): DsoRules {
  const { name, participantId } = svInfo(rules, sv) ?? abort("Not a sv");
  return {
    ...rules,
    svs: withoutKey(rules.svs, sv),
    offboardedSvs: withKey(rules.offboardedSvs, sv, { name, participantId }),
  };
}

function withNameFree(rules: DsoRules, name: string): DsoRules {
  const holder = rules.svs.find(([, info]) => info.name === name)?.[0];
  if (!rules.isDevNet) requireThat("SV is not currently onboarded", holder === undefined);
  return holder === undefined ? rules : offboard(rules, holder);
}
