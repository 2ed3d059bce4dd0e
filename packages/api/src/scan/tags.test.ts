import { expect, test } from "vitest";
import { type Endpoint, scanApi } from "../index.ts";

/** The stability that upstream's document promises for each operation, by the names of operations. */
const STABILITY: Readonly<Record<string, readonly string[]>> = {
  external: [
    ...["getDsoInfo", "getValidatorFaucetsByValidator", "listDsoScans"],
    ...["listValidatorLicenses", "listDsoSequencers", "getPartyToParticipant"],
    ...["getPartyToParticipantV1", "getMemberTrafficStatus", "getClosedRounds"],
    ...["getOpenAndIssuingMiningRounds", "getUpdateHistoryV2", "getUpdateByIdV2"],
    ...["getUpdateByHash", "getDateOfMostRecentSnapshotBefore"],
    ...["getDateOfFirstSnapshotAfter", "getAcsSnapshotAtV1", "forceAcsSnapshotNow"],
    ...["getHoldingsStateAtV1", "getHoldingsSummaryAt", "listAnsEntries"],
    ...["lookupAnsEntryByParty", "lookupAnsEntryByName", "getDsoPartyId", "getEventHistory"],
    ...["getEventById", "listUnclaimedDevelopmentFundCoupons"],
  ],
  internal: [
    ...["listSvBftSequencers", "getRollForwardLsu", "getActivePhysicalSynchronizerSerial"],
    ...["getAmuletRules", "getExternalPartyAmuletRules", "getAnsRules"],
    ...["listFeaturedAppRights", "lookupFeaturedAppRight", "listFeaturedAppRightsByProvider"],
    ...["lookupFeaturedAppRightByContractId", "getTopValidatorsByValidatorFaucets"],
    ...["lookupTransferPreapprovalByParty", "lookupTransferCommandCounterByParty"],
    ...["lookupTransferCommandStatus", "getMigrationSchedule", "getSynchronizerIdentities"],
    ...["getSynchronizerBootstrappingTransactions", "getSpliceInstanceNames"],
    ...["listAmuletPriceVotes", "listVoteRequestsByTrackingCid", "lookupDsoRulesVoteRequest"],
    ...["listDsoRulesVoteRequests", "listVoteRequestResults", "getMigrationInfo"],
    ...["getUpdatesBefore", "getBackfillingStatus", "featureSupport"],
    ...["getRewardAccountingEarliestAvailableRound", "getRewardAccountingActivityTotals"],
    ...["getRewardAccountingRootHash", "getRewardAccountingBatch"],
  ],
  deprecated: [
    ...["getRoundOfLatestData", "getRewardsCollected", "getTopProvidersByAppRewards"],
    ...["getTopValidatorsByValidatorRewards", "getTopValidatorsByPurchasedTraffic"],
    "listActivity",
  ],
  "pre-alpha": ["listBulkAcsSnapshotObjects", "listBulkUpdateHistoryObjects", "bulkStorageDownload"],
};

/** These carry the one tag. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  deprecated: [
    ...["getUpdateHistoryV1", "getUpdateByIdV1", "getAcsSnapshotAt", "getHoldingsStateAt"],
    ...["getAcsSnapshot", "getAggregatedRounds", "listRoundTotals", "listRoundPartyTotals"],
    ...["getAmuletConfigForRound", "listTransactionHistory", "getUpdateHistory"],
    "getUpdateById",
  ],
  scan: ["getImportUpdates"],
};

const endpoints: Readonly<Record<string, Endpoint>> = scanApi.endpoints;

function casesOf(table: typeof STABILITY) {
  return Object.entries(table).flatMap(([tag, ids]) => ids.map((id) => [id, tag] as const));
}

test.each(casesOf(STABILITY))("%s is tagged %s, and as an operation of the scan", (id, tag) => {
  expect(endpoints[id]?.tags).toEqual([tag, "scan"]);
});

test.each(casesOf(ALONE))("%s is tagged %s alone, as upstream's is", (id, tag) => {
  expect(endpoints[id]?.tags).toEqual([tag]);
});

test("every operation that has a version in its path is in the tables", () => {
  const versioned = Object.entries(endpoints).filter(([, { path }]) => /^\/v\d\//.test(path));
  const listed = [...casesOf(STABILITY), ...casesOf(ALONE)].map(([id]) => id);
  expect(versioned.map(([id]) => id).sort()).toEqual(listed.sort());
});
