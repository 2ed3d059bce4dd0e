/** The JSON Ledger API: its routes and streams over the participant's parts. */
import { ledgerApi } from "@callsign/api";
import { type MountedApi, type MountParts, mountApi } from "@callsign/node";
import type { LedgerCaller } from "./access/caller.ts";
import { UserQuota } from "./access/user-quota.ts";
import { type CheckpointIntervals, MAX_WAITING_LISTS_PER_USER } from "./limits/limits.ts";
import { commandRoutes } from "./routes/command-routes.ts";
import { contractRoutes } from "./routes/contract-routes.ts";
import { eventQueryRoutes } from "./routes/event-query-routes.ts";
import { externalPartyRoutes } from "./routes/external-party-routes.ts";
import { identityProviderRoutes } from "./routes/identity-provider-routes.ts";
import { interactiveRoutes } from "./routes/interactive-routes.ts";
import { listRoutes } from "./routes/list-routes.ts";
import { packageRoutes } from "./routes/package-routes.ts";
import { partyRoutes } from "./routes/party-routes.ts";
import { reassignmentRoutes } from "./routes/reassignment-routes.ts";
import type { LedgerApiParts } from "./routes/route-parts.ts";
import { stateRoutes } from "./routes/state-routes.ts";
import { synchronizerRoutes } from "./routes/synchronizer-routes.ts";
import { updateLookupRoutes } from "./routes/update-lookup-routes.ts";
import { updatePageRoutes } from "./routes/update-page-routes.ts";
import { userRoutes } from "./routes/user-routes.ts";
import { readyVersion, versionRoutes } from "./routes/version-routes.ts";
import { vettingRoutes } from "./routes/vetting-routes.ts";
import { ledgerStreams } from "./streams/ledger-streams.ts";

interface MountLedgerApiParts extends Omit<LedgerApiParts, "waiting"> {
  readonly intervals: CheckpointIntervals;
  readonly pathPrefix: string;
}

export function mountLedgerApi(
  given: MountLedgerApiParts,
  rules: Omit<MountParts<typeof ledgerApi.endpoints, LedgerCaller, LedgerCaller>, "handlers">,
): MountedApi {
  const parts = { ...given, waiting: new UserQuota(MAX_WAITING_LISTS_PER_USER, "waiting lists") };
  const handlers = {
    ...versionRoutes(parts),
    ...partyRoutes(parts),
    ...externalPartyRoutes(),
    ...userRoutes(parts),
    ...identityProviderRoutes(parts),
    ...commandRoutes(parts),
    ...stateRoutes(parts),
    ...synchronizerRoutes(parts),
    ...packageRoutes(parts),
    ...vettingRoutes(parts),
    ...interactiveRoutes(parts),
    ...reassignmentRoutes(parts),
    ...listRoutes(parts),
    ...updateLookupRoutes(parts),
    ...updatePageRoutes(parts),
    ...contractRoutes(parts),
    ...eventQueryRoutes(parts),
  };
  const api = { ...ledgerApi, basePath: readPathPrefix(parts.pathPrefix) };
  const mounted = mountApi(api, { ...rules, handlers, streams: ledgerStreams(parts) });
  return { ...mounted, findReady: readyVersion(api) };
}

/** Slashes at either end are optional. */
function readPathPrefix(given: string): "" | `/${string}` {
  const path = given.replace(/^\/+|\/+$/g, "");
  if (path === "") return "";
  if (/^[A-Za-z0-9._~/-]+$/.test(path)) return `/${path}`;
  throw new Error(`the path prefix ${given} has other signs than letters, digits, . _ ~ - and /`);
}
