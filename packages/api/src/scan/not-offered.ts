/** Operations of Splice's scan that this one answers with 501. */
import { z } from "zod";
import { defineEndpoints, empty } from "../endpoint.ts";

const byPrefix = { method: "GET", params: z.object({ domain_id_prefix: z.string() }) } as const;

const deprecated = { tags: ["deprecated"], deprecated: true } as const;

export const scanNotOffered = defineEndpoints({
  tags: ["internal", "scan"],
  auth: "none",
  summary: "Not offered",
  success: empty,
  errors: [429, 501, 503],
})({
  getAcsSnapshot: {
    method: "GET",
    path: "/v0/acs/{party}",
    params: z.object({ party: z.string() }),
    ...deprecated,
  },
  getUpdatesBefore: { method: "POST", path: "/v0/backfilling/updates-before" },
  getImportUpdates: { method: "POST", path: "/v0/backfilling/import-updates", tags: ["scan"] },
  getSynchronizerIdentities: { ...byPrefix, path: "/v0/synchronizer-identities/{domain_id_prefix}" },
  getSynchronizerBootstrappingTransactions: {
    ...byPrefix,
    path: "/v0/synchronizer-bootstrapping-transactions/{domain_id_prefix}",
  },
});
