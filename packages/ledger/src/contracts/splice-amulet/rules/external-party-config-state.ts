/** ExternalPartyConfigState: what transfers prepared a day ahead refer to. It is replaced, never changed. */
import { implement } from "../../../engine/template.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";

export const externalPartyConfigState = implement(ExternalPartyConfigState, {
  signatories: ({ dso }) => [dso],
});
