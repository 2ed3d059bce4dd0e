/**
 * Scan's answers on which enough scans agree. Some look different here than there: rules and rounds are read with
 * GET, whole and without a cache, and rounds are lists.
 */
import { z } from "zod";
import { defineEndpoints, json, mergeEndpoints } from "../endpoint.ts";
import { extHistory } from "../ext/history.ts";
import { extNames } from "../ext/names.ts";
import { registryOperations } from "../registry/operations.ts";
import { scanHoldings } from "../scan/holdings.ts";
import { DsoPartyId, scanNetwork } from "../scan/network.ts";
import { scanParties } from "../scan/parties.ts";
import { scanRoundsAndRules } from "../scan/rounds-and-rules.ts";
import { ContractWithState } from "../splice/contract.ts";
import {
  AnsRulesRequest,
  AnsRulesResponse,
  EntryList,
  EntryLookup,
  entryListQuery,
  nameParams,
  partyParams,
} from "../splice/entries.ts";
import { proxied } from "./proxied.ts";

const errors = [401, 502, 503] as const;
const lookupErrors = [400, 401, 404, 502, 503] as const;

/** These look as they do on scan. */
export const forwardedToScan = {
  lookupFeaturedAppRight: scanParties.lookupFeaturedAppRight,
  lookupTransferPreapprovalByParty: scanParties.lookupTransferPreapprovalByParty,
  lookupTransferCommandCounterByParty: scanParties.lookupTransferCommandCounterByParty,
  lookupTransferCommandStatus: scanParties.lookupTransferCommandStatus,
  listUnclaimedDevelopmentFundCoupons: scanRoundsAndRules.listUnclaimedDevelopmentFundCoupons,
  ...extNames,
  ...extHistory,
} as const;

const alike = proxied({
  ...forwardedToScan,
  getDsoInfo: scanNetwork.getDsoInfo,
  getHoldingsSummaryAt: scanHoldings.getHoldingsSummaryAt,
  ...registryOperations,
});

const different = defineEndpoints({ tags: ["scan-proxy"], auth: "user" })({
  scanProxyListAnsEntries: {
    method: "GET",
    path: "/v0/scan-proxy/ans-entries",
    summary: "Unexpired entries whose names start with a prefix, as scans agree",
    query: entryListQuery,
    success: json(EntryList),
    errors: [400, ...errors],
  },
  scanProxyLookupAnsEntryByName: {
    method: "GET",
    path: "/v0/scan-proxy/ans-entries/by-name/{name}",
    summary: "The entry of a name, as scans agree",
    params: nameParams,
    success: json(EntryLookup),
    errors: lookupErrors,
  },
  scanProxyLookupAnsEntryByParty: {
    method: "GET",
    path: "/v0/scan-proxy/ans-entries/by-party/{party}",
    summary: "The entry of a party, as scans agree",
    params: partyParams,
    success: json(EntryLookup),
    errors: lookupErrors,
  },
  scanProxyGetAnsRules: {
    method: "POST",
    path: "/v0/scan-proxy/ans-rules",
    summary: "The rules for names, always whole",
    body: AnsRulesRequest,
    bodyMayBeAbsent: true,
    success: json(AnsRulesResponse),
    errors: [400, ...errors],
  },
  scanProxyGetDsoPartyId: {
    method: "GET",
    path: "/v0/scan-proxy/dso-party-id",
    summary: "The party that operates the network",
    success: json(DsoPartyId),
    errors,
  },
  scanProxyGetAmuletRules: {
    method: "GET",
    path: "/v0/scan-proxy/amulet-rules",
    summary: "The rules of the coin, always whole",
    success: json(z.object({ amulet_rules: ContractWithState })),
    errors,
  },
  scanProxyGetOpenAndIssuingMiningRounds: {
    method: "GET",
    path: "/v0/scan-proxy/open-and-issuing-mining-rounds",
    summary: "The rounds that are open or issuing, each in ascending order",
    success: json(
      z.object({
        open_mining_rounds: z.array(ContractWithState),
        issuing_mining_rounds: z.array(ContractWithState),
      }),
    ),
    errors,
  },
});

export const validatorScanProxy = mergeEndpoints(different, alike);
