/** A request for every operation of the JSON Ledger API, about one user, its party and a contract. */
import type { ledgerApi } from "../../packages/api/src/index.ts";
import { everythingOf } from "./preferences.ts";

export type LedgerOperation = keyof typeof ledgerApi.endpoints;

export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface Subject {
  readonly party: string;
  /** A user who may act as the party. */
  readonly user: string;
  readonly contractId: string;
  /** The body of a submission as the party; a new one with each call. */
  readonly submission: () => object;
}

export const EXECUTE_NOTHING = {
  preparedTransaction: "",
  partySignatures: { signatures: [] },
  deduplicationPeriod: { Empty: {} },
  submissionId: "s",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
};
const VET_NOTHING = { changes: [{ operation: { Vet: { value: { packages: [] } } } }] };
export const SHORT_LIST = { limit: "1", stream_idle_timeout_ms: "1" };
const EVERY_PARTY = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } };

export const readingRights = (party: string) => [{ kind: { CanReadAs: { value: { party } } } }];

/** Some requests can be sent once only: each call makes new ones. */
export function requestsAbout(about: Subject): Readonly<Record<LedgerOperation, RequestParts>> {
  const { party, user, contractId } = about;
  const aboutUser = { params: { "user-id": user } };
  const rights = readingRights(party);
  const unknownProvider = { params: { "idp-id": "unknown" } };
  const unknownPackage = { params: { "package-id": "unknown" } };
  const id = crypto.randomUUID();
  // To a synchronizer that is not there.
  const value = { contractId, source: "a::1220", target: "b::1220" };
  const moves = [{ command: { UnassignCommand: { value } } }];
  const move = { reassignmentCommands: { commandId: "move", submitter: party, commands: moves } };
  return {
    getVersion: {},
    isLive: {},
    isReady: {},
    listParties: {},
    allocateParty: { body: { partyIdHint: `more-${id}`, userId: user } },
    getParticipantId: {},
    getParties: { params: { party } },
    updatePartyDetails: {
      params: { party },
      body: {
        partyDetails: { party, localMetadata: { annotations: { colour: "blue" } } },
        updateMask: { paths: ["local_metadata.annotations"] },
      },
    },
    allocateExternalParty: { body: { userId: user } },
    generateExternalPartyTopology: { body: {} },
    listUsers: {},
    updateUser: { ...aboutUser, body: { user: { id: user }, updateMask: { paths: ["id"] } } },
    deleteUser: { params: { "user-id": "nobody" } },
    updateUserIdentityProviderId: { ...aboutUser, body: { userId: user } },
    createUser: { body: { user: { id: `u-${id}` }, rights } },
    getUser: aboutUser,
    getAuthenticatedUser: {},
    listUserRights: aboutUser,
    grantUserRights: { ...aboutUser, body: { userId: user, rights } },
    revokeUserRights: { ...aboutUser, body: { userId: user, rights } },
    listIdentityProviderConfigs: {},
    createIdentityProviderConfig: {
      body: {
        identityProviderConfig: {
          ...{ identityProviderId: id, issuer: id },
          ...{ jwksUrl: "http://127.0.0.1:9/", isDeactivated: true },
        },
      },
    },
    getIdentityProviderConfig: unknownProvider,
    updateIdentityProviderConfig: {
      ...unknownProvider,
      body: {
        identityProviderConfig: { identityProviderId: "unknown" },
        updateMask: { paths: ["audience"] },
      },
    },
    deleteIdentityProviderConfig: unknownProvider,
    submitAndWait: { body: about.submission() },
    submitAndWaitForTransaction: { body: { commands: about.submission() } },
    submitAndWaitForTransactionTree: { body: about.submission() },
    submitAsync: { body: about.submission() },
    submitReassignment: { body: move },
    submitAndWaitForReassignment: { body: move },
    prepareSubmission: {
      body: { ...about.submission(), synchronizerId: "", packageIdSelectionPreference: [] },
    },
    executeSubmission: { body: EXECUTE_NOTHING },
    executeSubmissionAndWait: { body: EXECUTE_NOTHING },
    executeSubmissionAndWaitForTransaction: { body: EXECUTE_NOTHING },
    listCompletions: { query: SHORT_LIST, body: { userId: user, parties: [party] } },
    getLedgerEnd: {},
    getLatestPrunedOffsets: {},
    listConnectedSynchronizers: { query: { party } },
    // Without a format, which the body of a GET would have.
    getActiveContractsPageByGet: {},
    ...lookups(party, contractId),
    listPackages: {},
    getPackageStatus: unknownPackage,
    getPackage: unknownPackage,
    uploadPackage: {},
    uploadDar: {},
    validateDar: {},
    listVettedPackages: { body: {} },
    listVettedPackagesByGet: {},
    updateVettedPackages: { body: VET_NOTHING },
    updateVettedPackagesByPost: { body: VET_NOTHING },
    getPreferredPackageVersion: { query: { parties: party, "package-name": "splice-amulet" } },
    getPreferredPackages: {
      body: { packageVettingRequirements: [{ parties: [party], packageName: "splice-amulet" }] },
    },
  };
}

/** Reads of contracts and updates. `party`: null for those of every party, where they can be asked for. */
export function lookups(party: string | null, contractId: string) {
  const parties = party === null ? [] : [party];
  const eventFormat = party === null ? EVERY_PARTY : everythingOf(party);
  const transactionFormat = { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" };
  const updateFormat = { includeTransactions: transactionFormat };
  const older = { beginExclusive: 0, filter: eventFormat, verbose: true };
  const updateId = `1220${"ab".repeat(32)}`;
  const offset = 1_000_000;
  const formatOrParties = party === null ? { transactionFormat } : { requestingParties: parties };
  const ofParties = { query: { parties: party ?? "p" } };
  return {
    listCompletionsOfParties: { query: SHORT_LIST, body: { parties } },
    listActiveContracts: { body: { activeAtOffset: 0, eventFormat } },
    getActiveContractsPage: { body: { eventFormat } },
    getContract: { body: { contractId: `00${"00".repeat(32)}`, queryingParties: parties } },
    getEventsByContractId: { body: { contractId, eventFormat } },
    listUpdates: { query: SHORT_LIST, body: { beginExclusive: 0, updateFormat } },
    listFlatUpdates: { query: SHORT_LIST, body: older },
    listTransactionTrees: { query: SHORT_LIST, body: older },
    getUpdatesPage: { body: { updateFormat } },
    getUpdateById: { body: { updateId, updateFormat } },
    getUpdateByOffset: { body: { offset, updateFormat } },
    getTransactionById: { body: { updateId, transactionFormat } },
    getTransactionByOffset: { body: { offset, ...formatOrParties } },
    getTransactionTreeById: { params: { "update-id": updateId }, ...ofParties },
    getTransactionTreeByOffset: { params: { offset: String(offset) }, ...ofParties },
  } satisfies Partial<Record<LedgerOperation, RequestParts>>;
}
