/**
 * ValidatorOnboarding: an SV's one-time secret for a validator that wants to join. Before the deadline the secret can
 * be used, once; from the deadline on it can only be thrown away. Only the SV sees and touches it.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../checks/deadline.ts";
import { UsedSecret, ValidatorOnboarding } from "./declarations/validator-onboarding.ts";

const DEADLINE = "ValidatorOnboarding.expiresAt";

export const validatorOnboarding = implement(ValidatorOnboarding, {
  signatories: ({ sv }) => [sv],
  choices: {
    ValidatorOnboarding_Match: {
      controllers: ({ sv }) => [sv],
      exercise: ({ update, contract: onboarding, argument: { providedSecret, validator } }) => {
        const { sv, candidateSecret: secret, expiresAt } = onboarding;
        requireWithinDeadline(DEADLINE, update.now, expiresAt);
        requireThat("provided secret matches the stored secret", providedSecret === secret);
        return { usedSecret: update.create(UsedSecret, { sv, secret, validator }) };
      },
    },
    ValidatorOnboarding_Expire: {
      controllers: ({ sv }) => [sv],
      exercise: ({ update, contract: { expiresAt } }) => {
        requireDeadlineExceeded(DEADLINE, update.now, expiresAt);
        return {};
      },
    },
  },
});
