/** ValidatorTopUpState: when a validator last bought traffic for a member, so that it does not buy too often. */
import { implement } from "../../engine/template.ts";
import { ValidatorTopUpState } from "./declarations/traffic-purchases.ts";

export const validatorTopUpState = implement(ValidatorTopUpState, {
  signatories: ({ validator }) => [validator],
});
