/** Onboarding of SVs: a candidate shows a token to a sponsor, a quorum of the SVs confirms it, and the candidate joins. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";

const StartRequest = z
  .object({
    /** A JWT that the candidate signed with its own key, which the SVs have approved. */
    token: z.string(),
  })
  .meta({ id: "StartSvOnboardingRequest" });

/** The fields beyond `state` are there as far as the candidate has come. */
const OnboardingStatus = z
  .object({
    state: z.enum(["unknown", "requested", "confirmed", "completed"]),
    name: orNull(z.string()),
    /** Of the request, the confirmation, or the DSO's rules. */
    contract_id: orNull(z.string()),
    /** The parties of the SVs that have confirmed the request. */
    confirmed_by: orNull(z.array(z.string())),
    required_num_confirmations: orNull(z.int()),
  })
  .meta({ id: "GetSvOnboardingStatusResponse" });
export type SvOnboardingStatus = z.output<typeof OnboardingStatus>;

export const svsOnboarding = defineEndpoints({ tags: ["onboarding"], auth: "none" })({
  startSvOnboarding: {
    method: "POST",
    path: "/v0/onboard/sv/start",
    summary: "Asks the SVs to take in the candidate that signed the token",
    description: "The same candidate may ask again: that changes nothing, and is answered alike.",
    body: StartRequest,
    success: empty,
    errors: [400, 401, 409, 500, 503],
  },
  getSvOnboardingStatus: {
    method: "GET",
    path: "/v0/onboard/sv/status/{candidate_party_id_or_name}",
    summary: "How far a candidate has come",
    params: z.object({ candidate_party_id_or_name: z.string() }),
    success: json(OnboardingStatus),
    errors: [400, 500, 503],
  },
});
