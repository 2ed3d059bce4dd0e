import type { Api } from "../endpoint.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { registryOperations } from "./operations.ts";

export const registryApi = {
  name: "registry",
  title: "Token standard registry",
  version: "1.0.0",
  description:
    "The coin as an instrument of the token standard: its metadata, the factories of its transfers and allocations, " +
    "and the contexts of their choices. Contexts and disclosed contracts go into a submission as they are.",
  basePath: "",
  dialect: "splice",
  tags: { registry: "The token standard." },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints: registryOperations,
} as const satisfies Api;
