/** Contracts of the DSO that have no choices: other choices create and archive them. */
import { implement } from "../../engine/template.ts";
import { BootstrapExternalPartyConfigStateInstruction } from "./declarations/dso-rules.ts";
import { ElectionRequest } from "./declarations/retired-choices.ts";

export const bootstrapExternalPartyConfigStateInstruction = implement(
  BootstrapExternalPartyConfigStateInstruction,
  { signatories: ({ dso }) => [dso] },
);

export const electionRequest = implement(ElectionRequest, {
  signatories: ({ dso }) => [dso],
});
