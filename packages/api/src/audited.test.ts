import { expect, test } from "vitest";
import { apis } from "../testing/apis.ts";
import { isAudited } from "./audited.ts";
import type { Endpoint } from "./endpoint.ts";

test("users, rights, parties, identity providers, pruning, connections, secrets, automations, votes and clocks are audited", () => {
  const audited = apis.flatMap(({ api }) => Object.values<Endpoint>(api.endpoints)).filter(isAudited);
  expect(audited.map(({ id }) => id)).toEqual([
    ...["pauseAutomation", "register", "onboardUser", "offboardUser", "cancelTransferPreapprovalByParty"],
    ...["allocateParty", "updatePartyDetails", "allocateExternalParty"],
    ...["createUser", "updateUser", "deleteUser", "updateUserIdentityProviderId"],
    ...["grantUserRights", "revokeUserRights"],
    ...["createIdentityProviderConfig", "updateIdentityProviderConfig", "deleteIdentityProviderConfig"],
    ...["uploadPackage", "uploadDar", "updateVettedPackages", "updateVettedPackagesByPost"],
    ...["setPruningSchedule", "clearPruningSchedule", "prune", "setSequencerConnections"],
    ...["moveClock", "makeToken", "setScanBehaviour"],
    ...["saveSnapshot", "restoreSnapshot", "deleteSnapshot"],
    ...["onboardValidator", "devNetOnboardValidatorPrepare", "prepareValidatorOnboarding"],
    "withdrawValidatorOnboarding",
    "startSvOnboarding",
    ...["updateAmuletPriceVote", "pauseAutomation", "createVoteRequest", "castVote"],
  ]);
});
