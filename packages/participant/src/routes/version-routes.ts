/** The participant's version, limits and health. */
import { type Api, ledgerApi } from "@callsign/api";
import { type FindReady, missingHeader, Reply, readyTextAt } from "@callsign/node";
import { MAX_PARTIES_PAGE_SIZE, MAX_RIGHTS_PER_USER, MAX_USERS_PAGE_SIZE } from "../limits/limits.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

/** The Canton version of this API; clients accept 3.4 and 3.5. */
const VERSION = "3.5.0";

const VERSION_AND_LIMITS = {
  version: VERSION,
  features: {
    experimental: { staticTime: { supported: false }, commandInspectionService: { supported: false } },
    userManagement: {
      supported: true,
      maxRightsPerUser: MAX_RIGHTS_PER_USER,
      maxUsersPageSize: MAX_USERS_PAGE_SIZE,
    },
    partyManagement: { maxPartiesPageSize: MAX_PARTIES_PAGE_SIZE },
    offsetCheckpoint: {
      maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
    },
    packageFeature: { maxVettedPackagesPageSize: 100 },
  },
};
const VERSION_TEXT = JSON.stringify(VERSION_AND_LIMITS);

/** The version is the same for as long as the process runs. */
export function readyVersion(api: Api): FindReady {
  return readyTextAt(api, ledgerApi.endpoints.getVersion, () => VERSION_TEXT);
}

export function versionRoutes({ missing }: Pick<LedgerApiParts, "missing">) {
  return {
    getVersion: () => VERSION_AND_LIMITS,
    isLive: () => undefined,
    isReady: () => {
      const reason = missing();
      if (reason === null) return "[+] ledger ok (SERVING)\nreadyz check passed\n";
      const headers = missingHeader(reason);
      return new Reply("[-] ledger failed (NOT_SERVING)\nreadyz check failed\n", { status: 503, headers });
    },
  } satisfies Partial<LedgerHandlers>;
}
