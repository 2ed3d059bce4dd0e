import { expect, test } from "vitest";
import { isAudited } from "./audited.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  ledgerApi,
  localNetworkApi,
  participantAdminApi,
  scanApi,
  sequencerApi,
  svApi,
  validatorApi,
} from "./index.ts";

test("users, rights, parties, identity providers, pruning, connections, secrets, votes and clocks are audited", () => {
  const apis = [ledgerApi, participantAdminApi, validatorApi, svApi, scanApi, sequencerApi, localNetworkApi];
  const audited = apis.flatMap(({ endpoints }) => Object.values<Endpoint>(endpoints)).filter(isAudited);
  expect(audited.map(({ id }) => id)).toEqual([
    ...["allocateParty", "updatePartyDetails", "allocateExternalParty"],
    ...["createUser", "updateUser", "deleteUser", "updateUserIdentityProviderId"],
    ...["grantUserRights", "revokeUserRights"],
    ...["createIdentityProviderConfig", "updateIdentityProviderConfig", "deleteIdentityProviderConfig"],
    ...["uploadPackage", "uploadDar", "updateVettedPackages", "updateVettedPackagesByPost"],
    ...["setPruningSchedule", "clearPruningSchedule", "prune", "setSequencerConnections"],
    ...["onboardValidator", "devNetOnboardValidatorPrepare", "prepareValidatorOnboarding"],
    ...["updateAmuletPriceVote", "createVoteRequest", "castVote"],
    ...["moveClock", "setScanBehaviour"],
  ]);
});
