import type { scanNotOffered as operations } from "../../src/scan/not-offered.ts";
import { alice } from "./samples.ts";

const nothing = { response: undefined };
const byPrefix = { request: { params: { domain_id_prefix: "global-domain" } }, ...nothing };

export const scanNotOffered = {
  getAcsSnapshot: { request: { params: { party: alice } }, ...nothing },
  getUpdatesBefore: nothing,
  getImportUpdates: nothing,
  getSynchronizerIdentities: byPrefix,
  getSynchronizerBootstrappingTransactions: byPrefix,
} satisfies Record<keyof typeof operations, object>;
