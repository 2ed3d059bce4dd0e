/** The SV application's API. So far it says of itself what every application does; onboarding comes on top. */
import type { Api } from "../endpoint.ts";
import { healthEndpoints } from "../splice/health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";

export const svApi = {
  name: "sv",
  title: "SV API",
  version: "0.1.0",
  description: "The application of one SV.",
  basePath: "/api/sv",
  dialect: "splice",
  tags: { health: "Liveness, readiness, version." },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints: healthEndpoints("health"),
} as const satisfies Api;
