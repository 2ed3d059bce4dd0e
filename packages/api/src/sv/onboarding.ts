/** Onboarding of validators: the SV hands out secrets, each good for one validator and for two days at most. */
import { z } from "zod";
import { defineEndpoints, empty, json, text } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { limitParameter, MAX_PAGE_SIZE } from "../splice/page-size.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const OngoingOnboarding = z
  .object({
    /** As a validator is configured with it. */
    encoded_secret: z.string(),
    contract: Contract,
    party_hint: orNull(z.string()),
  })
  .meta({ id: "ValidatorOnboarding" });
export type OngoingOnboarding = z.output<typeof OngoingOnboarding>;

const PrepareRequest = z
  .object({
    /** In seconds: 1 to 172800, which is 48 hours. */
    expires_in: z.int(),
    /** The only party hint that the secret will be good for. */
    party_hint: orNull(z.string()),
  })
  .meta({ id: "PrepareValidatorOnboardingRequest" });

const OnboardRequest = z
  .object({
    party_id: z.string(),
    secret: z.string(),
    version: orNull(z.string()),
    contact_point: orNull(z.string()),
    party_hint: orNull(z.string()),
  })
  .meta({ id: "OnboardValidatorRequest" });
export type OnboardRequest = z.output<typeof OnboardRequest>;

const ONBOARDING_STATES = ["unused", "used", "expired"] as const;

/** A secret's life, without the secret. */
const OnboardingRecord = z
  .object({
    contract_id: z.string(),
    /** The first hex digits of the secret's SHA-256: tells secrets apart without showing them. */
    fingerprint: z.string(),
    state: z.enum(ONBOARDING_STATES),
    party_hint: orNull(z.string()),
    made_at: dateTime,
    /** From then on it is refused. */
    expires_at: dateTime,
    /** The time of its use. */
    used_at: orNull(dateTime),
    /** The validator's party. */
    used_by: orNull(z.string()),
  })
  .meta({ id: "ValidatorOnboardingRecord" });
export type OnboardingRecord = z.output<typeof OnboardingRecord>;

/** From a page's `next_page_token`. */
const after = orNull(int64Parameter);
const limit = limitParameter.default(MAX_PAGE_SIZE);

export const svOnboarding = defineEndpoints({ tags: ["onboarding"] })({
  onboardValidator: {
    method: "POST",
    path: "/v0/onboard/validator",
    summary: "Makes the party a validator, for a secret of this SV",
    description:
      "The same party may send the same secret again: that changes nothing, and is answered alike.",
    auth: "none",
    body: OnboardRequest,
    success: empty,
    errors: [400, 401, 429, 500, 503],
  },
  devNetOnboardValidatorPrepare: {
    method: "POST",
    path: "/v0/devnet/onboard/validator/prepare",
    summary: "A secret for whoever asks, on a network for development",
    auth: "none",
    success: text,
    errors: [429, 500, 501, 503],
  },
  prepareValidatorOnboarding: {
    method: "POST",
    path: "/v0/admin/validator/onboarding/prepare",
    summary: "A new secret for a validator",
    auth: "sv-operator",
    body: PrepareRequest,
    success: json(z.object({ secret: z.string() }).meta({ id: "PrepareValidatorOnboardingResponse" })),
    errors: [400, 401, 403, 429, 500, 503],
  },
  withdrawValidatorOnboarding: {
    method: "POST",
    path: "/v0/admin/validator/onboarding/withdraw",
    summary: "Takes back a secret that nobody has used",
    auth: "sv-operator",
    body: z.object({ contract_id: z.string() }).meta({ id: "WithdrawValidatorOnboardingRequest" }),
    success: empty,
    errors: [400, 401, 403, 404, 503],
  },
  listOngoingValidatorOnboardings: {
    method: "GET",
    path: "/v0/admin/validator/onboarding/ongoing",
    summary: "The secrets that nobody has used yet",
    auth: "sv-operator",
    success: json(z.object({ ongoing_validator_onboardings: z.array(OngoingOnboarding) })),
    errors: [401, 403, 503],
  },
  listValidatorOnboardings: {
    method: "GET",
    path: "/v0/admin/validator/onboarding/all",
    summary: "What became of the secrets, newest first; the secrets themselves are not shown",
    auth: "sv-operator",
    query: z.object({ state: orNull(z.enum(ONBOARDING_STATES)), after, limit }),
    success: json(
      z.object({ validator_onboardings: z.array(OnboardingRecord), next_page_token: orNull(int64) }),
    ),
    errors: [400, 401, 403, 503],
  },
  listValidatorLicenses: {
    method: "GET",
    path: "/v0/admin/validator/licenses",
    summary: "Who is a validator, newest first",
    auth: "sv-operator",
    query: z.object({ after, limit }),
    success: json(z.object({ validator_licenses: z.array(Contract), next_page_token: orNull(int64) })),
    errors: [400, 401, 403, 503],
  },
});
