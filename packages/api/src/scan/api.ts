import { type Api, mergeEndpoints } from "../endpoint.ts";
import { extChanges } from "../ext/changes.ts";
import { extHistory } from "../ext/history.ts";
import { extLookups } from "../ext/lookups.ts";
import { extNames } from "../ext/names.ts";
import { healthEndpoints } from "../splice/health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { scanAcs } from "./acs.ts";
import { scanBackfilling } from "./backfilling.ts";
import { scanBulk } from "./bulk.ts";
import { scanCoinActivities } from "./coin-activities.ts";
import { scanDeprecated } from "./deprecated.ts";
import { scanHoldings } from "./holdings.ts";
import { scanMembers } from "./members.ts";
import { scanNames } from "./names.ts";
import { scanNetwork } from "./network.ts";
import { scanNotOffered } from "./not-offered.ts";
import { scanParties } from "./parties.ts";
import { RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "./record-time.ts";
import { scanRewardAccounting } from "./reward-accounting.ts";
import { scanRoundTotals } from "./round-totals.ts";
import { scanRoundsAndRules } from "./rounds-and-rules.ts";
import { scanSynchronizer } from "./synchronizer.ts";
import { scanFormerUpdates, scanUpdates } from "./updates.ts";
import { scanValidators } from "./validators.ts";
import { scanVotes } from "./votes.ts";

const endpoints = mergeEndpoints(
  scanNames,
  scanNetwork,
  scanSynchronizer,
  scanMembers,
  scanValidators,
  scanRoundsAndRules,
  scanParties,
  scanHoldings,
  scanAcs,
  scanVotes,
  scanUpdates,
  scanFormerUpdates,
  scanBackfilling,
  scanDeprecated,
  scanRoundTotals,
  scanCoinActivities,
  extNames,
  extHistory,
  extLookups,
  extChanges,
  scanRewardAccounting,
  scanBulk,
  scanNotOffered,
  healthEndpoints("scan"),
);

export const scanApi = {
  name: "scan",
  title: "Scan API",
  version: "0.0.1",
  description:
    "Public, read-only information of the network: names, rules, rounds, rewards. Every answer carries the record " +
    `time it stands at in ${RECORD_TIME_HEADER}; a request with a record time in ${WAIT_FOR_HEADER} is answered ` +
    "once that is reached, or with 503 after ten seconds.",
  basePath: "/api/scan",
  dialect: "splice",
  tags: {
    external: "Public; remains backward-compatible.",
    internal: "Not guaranteed stable or backward-compatible.",
    deprecated: "Will be removed in a future release.",
    scan: "Internal and external endpoints.",
    "pre-alpha": "Under active development, highly unstable, not for production.",
  },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;
