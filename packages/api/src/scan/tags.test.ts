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
  ],
  deprecated: ["getRewardsCollected", "getAmuletConfigForRound"],
};

const endpoints: Readonly<Record<string, Endpoint>> = scanApi.endpoints;
const cases = Object.entries(STABILITY).flatMap(([tag, ids]) => ids.map((id) => [id, tag] as const));

test.each(cases)("%s is tagged %s", (id, tag) => {
  expect(endpoints[id]?.tags[0]).toBe(tag);
});

test("lookups of names are external operations of the scan", () => {
  const lookups = Object.values(endpoints).filter(({ path }) => path.startsWith("/v0/ans-entries"));
  expect(lookups.map(({ tags }) => tags)).toEqual(lookups.map(() => ["external", "scan"]));
  expect(lookups).toHaveLength(3);
});
