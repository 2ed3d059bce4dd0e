/** UsedSecret: which validator came in by which secret, so that it can come again and nobody else can. */
import { implement } from "../../engine/template.ts";
import { UsedSecret } from "./declarations/validator-onboarding.ts";

export const usedSecret = implement(UsedSecret, { signatories: ({ sv }) => [sv], choices: {} });
