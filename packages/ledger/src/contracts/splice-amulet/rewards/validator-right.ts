/** ValidatorRight: a user lets a validator claim the rewards for the user's burns. Either may end it. */
import { implement } from "../../../engine/template.ts";
import { ValidatorRight } from "../declarations/amulet.ts";

export const validatorRight = implement(ValidatorRight, {
  signatories: ({ user, validator }) => [user, validator],
  choices: {
    ValidatorRight_ArchiveAsValidator: { controllers: ({ validator }) => [validator], exercise: () => ({}) },
    ValidatorRight_ArchiveAsUser: { controllers: ({ user }) => [user], exercise: () => ({}) },
  },
});
