import { expect, test } from "vitest";
import { type Endpoint, scanApi } from "../index.ts";

/** The stability that upstream's document promises for each operation, by the names of operations. */
const STABILITY: Readonly<Record<string, readonly string[]>> = {
  external: [
    ...["listAnsEntries", "lookupAnsEntryByName", "lookupAnsEntryByParty"],
    ...["getDsoInfo", "getDsoPartyId", "listDsoScans", "listDsoSequencers", "listValidatorLicenses"],
    ...["getMemberTrafficStatus", "getPartyToParticipant", "getOpenAndIssuingMiningRounds"],
    ...["getHoldingsSummaryAt", "getDateOfMostRecentSnapshotBefore", "getDateOfFirstSnapshotAfter"],
    "listUnclaimedDevelopmentFundCoupons",
  ],
  internal: [
    ...["getAnsRules", "getAmuletRules", "getSpliceInstanceNames", "getExternalPartyAmuletRules"],
    ...["listFeaturedAppRights", "lookupFeaturedAppRight", "listFeaturedAppRightsByProvider"],
    ...["lookupFeaturedAppRightByContractId", "lookupTransferPreapprovalByParty"],
    ...["lookupTransferCommandCounterByParty", "lookupTransferCommandStatus"],
    "listVoteRequestResults",
  ],
  deprecated: ["getRewardsCollected", "getAmuletConfigForRound"],
};

const endpoints: Readonly<Record<string, Endpoint>> = scanApi.endpoints;
const cases = Object.entries(STABILITY).flatMap(([tag, ids]) => ids.map((id) => [id, tag] as const));

test.each(cases)("%s is tagged %s, and as an operation of the scan where upstream's is", (id, tag) => {
  const isPlain = id === "getAmuletConfigForRound";
  expect(endpoints[id]?.tags).toEqual(isPlain ? [tag] : [tag, "scan"]);
});

test("every operation that has a version in its path is in the table", () => {
  const versioned = Object.entries(endpoints).filter(([, { path }]) => path.startsWith("/v0/"));
  expect(versioned.map(([id]) => id).sort()).toEqual(cases.map(([id]) => id).sort());
});
