/** The SV application's API: how validators come in, and what the SV's operator sees and decides. */
import { type Api, mergeEndpoints } from "../endpoint.ts";
import { healthEndpoints } from "../splice/health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { svOnboarding } from "./onboarding.ts";
import { svOperator } from "./operator.ts";
import { svsOnboarding } from "./sv-onboarding.ts";
import { svVotes } from "./votes.ts";

export const svApi = {
  name: "sv",
  title: "SV API",
  version: "0.1.0",
  description:
    "The application of one SV: validators come in by its secrets, SVs by their tokens, and its operator votes.",
  basePath: "/api/sv",
  dialect: "splice",
  tags: {
    onboarding: "Secrets for validators, and what became of them; tokens of candidates that become SVs.",
    operator: "The network as the SV's operator sees it.",
    votes: "What SVs decide together.",
    health: "Liveness, readiness, version.",
  },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints: mergeEndpoints(svOnboarding, svsOnboarding, svOperator, svVotes, healthEndpoints("health")),
} as const satisfies Api;
