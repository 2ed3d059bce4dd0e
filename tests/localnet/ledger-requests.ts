/** A request for every operation of the JSON Ledger API, about one user's party and its contracts. */
import type { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { EXECUTE_NOTHING, VET_NOTHING } from "../participant/empty-requests.ts";
import { eachRead, readRequests } from "../participant/read-requests.ts";
import type { Sent } from "./strangers.ts";

export type LedgerOperation = keyof typeof ledgerApi.endpoints;

export const ENTRY = "#splice-amulet-name-service:Splice.Ans:AnsEntry";

/** Alice, her coin, and the entry of her name. */
export interface Subject {
  readonly party: string;
  readonly coin: string;
  readonly entry: string;
}

export const formatOf = (party: string) => ({
  filtersByParty: { [party]: { cumulative: [] } },
  verbose: false,
});
export const readingRights = (party: string) => [{ kind: { CanReadAs: { value: { party } } } }];
const aboutAlice = { params: { "user-id": "alice" } };

/** Archives nothing: callers with the right are told that a name cannot be ended before its time. */
export function endName({ party, entry }: Pick<Subject, "party" | "entry">, actor = party) {
  const ExerciseCommand = {
    templateId: ENTRY,
    contractId: entry,
    choice: "AnsEntry_Expire",
    choiceArgument: { actor },
  };
  return { commandId: crypto.randomUUID(), actAs: [party], commands: [{ ExerciseCommand }] };
}

/** To a synchronizer that is not there. */
function move({ party, entry }: Subject) {
  const value = { contractId: entry, source: "a::1220", target: "b::1220" };
  const moves = [{ command: { UnassignCommand: { value } } }];
  return { reassignmentCommands: { commandId: "move", submitter: party, commands: moves } };
}

/** Made anew for each caller: some can be made once only. */
export const requests: Readonly<Record<LedgerOperation, (about: Subject) => Sent>> = {
  getVersion: () => ({}),
  isLive: () => ({}),
  isReady: () => ({}),
  listParties: () => ({}),
  allocateParty: () => ({ body: { partyIdHint: `more-${crypto.randomUUID()}`, userId: "alice" } }),
  getParticipantId: () => ({}),
  getParties: (about) => ({ params: { party: about.party } }),
  updatePartyDetails: (about) => ({
    params: { party: about.party },
    body: {
      partyDetails: { party: about.party, localMetadata: { annotations: { colour: "blue" } } },
      updateMask: { paths: ["local_metadata.annotations"] },
    },
  }),
  allocateExternalParty: () => ({ body: { userId: "alice" } }),
  generateExternalPartyTopology: () => ({ body: {} }),
  listUsers: () => ({}),
  updateUser: () => ({ ...aboutAlice, body: { user: { id: "alice" }, updateMask: { paths: ["id"] } } }),
  deleteUser: () => ({ params: { "user-id": "nobody" } }),
  updateUserIdentityProviderId: () => ({ ...aboutAlice, body: { userId: "alice" } }),
  createUser: (about) => ({
    body: { user: { id: `u-${crypto.randomUUID()}` }, rights: readingRights(about.party) },
  }),
  getUser: () => aboutAlice,
  getAuthenticatedUser: () => ({}),
  listUserRights: () => aboutAlice,
  grantUserRights: (about) => ({
    ...aboutAlice,
    body: { userId: "alice", rights: readingRights(about.party) },
  }),
  revokeUserRights: (about) => ({
    ...aboutAlice,
    body: { userId: "alice", rights: readingRights(about.party) },
  }),
  listIdentityProviderConfigs: () => ({}),
  createIdentityProviderConfig: () => {
    const id = crypto.randomUUID();
    const config = {
      identityProviderId: id,
      issuer: id,
      jwksUrl: "http://127.0.0.1:9/",
      isDeactivated: true,
    };
    return { body: { identityProviderConfig: config } };
  },
  getIdentityProviderConfig: () => ({ params: { "idp-id": "unknown" } }),
  updateIdentityProviderConfig: () => ({
    params: { "idp-id": "unknown" },
    body: { identityProviderConfig: { identityProviderId: "unknown" }, updateMask: { paths: ["audience"] } },
  }),
  deleteIdentityProviderConfig: () => ({ params: { "idp-id": "unknown" } }),
  submitAndWait: (about) => ({ body: endName(about) }),
  submitAndWaitForTransaction: (about) => ({ body: { commands: endName(about) } }),
  submitAndWaitForTransactionTree: (about) => ({ body: endName(about) }),
  ...eachRead((id) => (about: Subject) => readRequests(about.party)[id]),
  // Without a format, which the body of a GET would have.
  getActiveContractsPageByGet: () => ({}),
  listCompletions: (about) => ({ body: { userId: "alice", parties: [about.party] } }),
  getLedgerEnd: () => ({}),
  getLatestPrunedOffsets: () => ({}),
  listActiveContracts: (about) => ({ body: { activeAtOffset: 1, eventFormat: formatOf(about.party) } }),
  listConnectedSynchronizers: (about) => ({ query: { party: about.party } }),
  listUpdates: (about) => ({
    body: {
      beginExclusive: 0,
      updateFormat: {
        includeTransactions: {
          eventFormat: formatOf(about.party),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    },
  }),
  getEventsByContractId: (about) => ({
    body: { contractId: about.coin, eventFormat: formatOf(about.party) },
  }),
  listPackages: () => ({}),
  getPackageStatus: () => ({ params: { "package-id": "unknown" } }),
  getPackage: () => ({ params: { "package-id": "unknown" } }),
  uploadPackage: () => ({}),
  uploadDar: () => ({}),
  validateDar: () => ({}),
  listVettedPackages: () => ({ body: {} }),
  listVettedPackagesByGet: () => ({}),
  updateVettedPackages: () => ({ body: VET_NOTHING }),
  updateVettedPackagesByPost: () => ({ body: VET_NOTHING }),
  getPreferredPackageVersion: (about) => ({
    query: { parties: about.party, "package-name": "splice-amulet" },
  }),
  getPreferredPackages: (about) => ({
    body: { packageVettingRequirements: [{ parties: [about.party], packageName: "splice-amulet" }] },
  }),
  prepareSubmission: (about) => ({
    body: { ...endName(about), synchronizerId: "", packageIdSelectionPreference: [] },
  }),
  executeSubmission: () => ({ body: EXECUTE_NOTHING }),
  executeSubmissionAndWait: () => ({ body: EXECUTE_NOTHING }),
  executeSubmissionAndWaitForTransaction: () => ({ body: EXECUTE_NOTHING }),
  submitAsync: (about) => ({ body: endName(about) }),
  submitReassignment: (about) => ({ body: move(about) }),
  submitAndWaitForReassignment: (about) => ({ body: move(about) }),
};
