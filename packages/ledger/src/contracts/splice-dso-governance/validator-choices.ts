/**
 * A sponsor makes somebody a validator. Nothing keeps two sponsors from doing so at once; licenses of the same
 * validator are merged afterwards.
 */
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { ValidatorLicense } from "../splice-amulet/declarations/validator-license.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { firstWithMost } from "./first-with-most.ts";
import { byMember, isMember } from "./members.ts";

export const validatorChoices = {
  DsoRules_OnboardValidator: {
    controllers: (_rules, { sponsor }) => [sponsor],
    exercise: ({ update, contract: rules, argument: { sponsor, validator, version, contactPoint } }) => {
      requireThat("Sponsor is an SV", isMember(rules, sponsor));
      const { now } = update;
      const validatorLicense = update.create(ValidatorLicense, {
        validator,
        sponsor,
        dso: rules.dso,
        faucetState: null,
        metadata: version === null ? null : { lastUpdatedAt: now, version, contactPoint: contactPoint ?? "" },
        lastActiveAt: now,
      });
      return { validatorLicense };
    },
  },
  DsoRules_MergeValidatorLicense: byMember(
    ({ update, contract: { dso }, argument: { validatorLicenseCids } }) => {
      requireThat("Number of validatorLicense contracts to merge is >= 2", validatorLicenseCids.length >= 2);
      const ofDso = forDso(dso);
      const licenses = validatorLicenseCids.map((cid) =>
        fetchAndArchive(update, ValidatorLicense, cid, ofDso),
      );
      const isOfOne = licenses.every(({ validator }) => validator === licenses[0]?.validator);
      requireThat("All validatorLicenses map to the same validator", isOfOne);
      // Only the last round matters, so that the validator does not report for it again.
      const latest = firstWithMost(licenses, ({ faucetState }) => faucetState?.lastReceivedFor.number ?? 0n);
      return { validatorLicense: update.create(ValidatorLicense, latest) };
    },
  ),
} satisfies SomeChoiceRules<typeof DsoRules>;
