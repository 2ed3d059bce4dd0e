/** A validator that was onboarded twice has several licenses; one of them is enough. */
import { ValidatorLicense } from "@callsign/ledger";
import { BATCH, MANY } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { cidsByOwner, mergeOldest } from "../merge-oldest.ts";

export const mergeLicenses = defineAutomation({
  name: "merge-licenses",
  subjects: ["licenses"],
  listPiles: ({ agenda }) =>
    agenda.rows.listCrowdedOwners(ValidatorLicense, 1, MANY).map((key) => ({ kind: "licenses", key })),
  decide: ({ facts, exercise }, { key }) => {
    const found = facts.listBy(ValidatorLicense, "ownerKey", key, BATCH);
    return [...cidsByOwner(found, ({ validator }) => validator).values()].flatMap((cids) =>
      mergeOldest(cids, 1, (validatorLicenseCids) =>
        exercise("DsoRules_MergeValidatorLicense", { validatorLicenseCids }),
      ),
    );
  },
});
