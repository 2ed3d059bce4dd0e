/** An API of probes alone, for a port of its own. */
import type { Api } from "../endpoint.ts";
import { healthEndpoints } from "./health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "./rejections.ts";

export function healthApi(basePath: Api["basePath"]) {
  return {
    name: "health",
    title: "Health API",
    version: "0.1.0",
    description: "Whether the node is alive and ready.",
    basePath,
    dialect: "splice",
    tags: { health: "Liveness, readiness, version." },
    errorBody: SpliceError,
    maxBodyBytes: SPLICE_MAX_BODY_BYTES,
    endpoints: healthEndpoints("health"),
  } as const satisfies Api;
}
