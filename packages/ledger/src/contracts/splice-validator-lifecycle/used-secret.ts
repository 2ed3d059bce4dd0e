/** UsedSecret: the validator that used an onboarding secret, so that only this validator can use it again. */
import { implement } from "../../engine/template.ts";
import { UsedSecret } from "./declarations/validator-onboarding.ts";

export const usedSecret = implement(UsedSecret, { signatories: ({ sv }) => [sv] });
