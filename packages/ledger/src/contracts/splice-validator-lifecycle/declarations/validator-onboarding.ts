/** Splice.ValidatorOnboarding: the secret by which an SV lets a new validator in, and the record of its use. */
import { record } from "../../../daml/record.ts";
import { contractId, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { validatorLifecyclePackage } from "../../packages.ts";

const place = { package: validatorLifecyclePackage, module: "Splice.ValidatorOnboarding" } as const;

export const ValidatorOnboarding = declareTemplate({
  ...place,
  entity: "ValidatorOnboarding",
  fields: { sv: party, candidateSecret: text, expiresAt: time },
  choices: {
    ValidatorOnboarding_Match: consuming(
      { providedSecret: text, validator: party },
      record({ usedSecret: contractId }),
    ),
    ValidatorOnboarding_Expire: consuming({}),
  },
});

export const UsedSecret = declareTemplate({
  ...place,
  entity: "UsedSecret",
  fields: { sv: party, secret: text, validator: party },
});
