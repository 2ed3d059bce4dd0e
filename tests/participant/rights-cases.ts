/** Every operation of the table with requests for it, and who may make them. */
import type { ledgerApi, Right } from "../../packages/api/src/index.ts";
import { ADMIN } from "../support/participants.ts";
import { EXECUTE_NOTHING, VET_NOTHING } from "./empty-requests.ts";
import { createPreference, everythingOf } from "./preferences.ts";
import { eachRead, type ReadRequest, readRequests } from "./read-requests.ts";

export const right = {
  act: (party: string): Right => ({ kind: { CanActAs: { value: { party } } } }),
  read: (party: string): Right => ({ kind: { CanReadAs: { value: { party } } } }),
  execute: (party: string): Right => ({ kind: { CanExecuteAs: { value: { party } } } }),
  readAny: { kind: { CanReadAsAnyParty: { value: {} } } } as Right,
  executeAny: { kind: { CanExecuteAsAnyParty: { value: {} } } } as Right,
  admin: { kind: { ParticipantAdmin: { value: {} } } } as Right,
  idpAdmin: { kind: { IdentityProviderAdmin: { value: {} } } } as Right,
};

/** `none`: without a token. The rest are users; `unknown` has a token and is none. */
export const callers = [
  "none",
  "plain",
  "reader",
  "executor",
  "actor",
  "other",
  "reader-of-any",
  "executor-of-any",
  "idp-admin",
  ADMIN,
] as const;
type CallerName = (typeof callers)[number];

/** The subjects of the requests. */
export interface Parties {
  readonly alice: string;
  readonly bob: string;
}

export interface Case {
  readonly params?: Record<string, string>;
  readonly search?: string;
  readonly body?: unknown;
  readonly allowed: readonly CallerName[];
}

const everybody = callers;
const users = callers.filter((caller) => caller !== "none");
const admins: readonly CallerName[] = [ADMIN];
const updateMask = { paths: ["party"] };
const forAny = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } };
let made = 0;

/** Nobody's: its keys are nowhere. */
function newProvider() {
  const id = `made-${++made}`;
  return { identityProviderId: id, issuer: id, jwksUrl: "http://127.0.0.1:9/", isDeactivated: true };
}

/** To a synchronizer that is not there. */
function move(submitter: string, userId = "") {
  const value = { reassignmentId: "some", source: "a::1220", target: "b::1220" };
  const commands = [{ command: { AssignCommand: { value } } }];
  return { reassignmentCommands: { commandId: "move", submitter, userId, commands } };
}

/** One party's are its readers', everybody's those who may read as any. */
const lookups = eachRead((id) => ({ alice }: Parties): readonly Case[] => [
  { ...asCase(readRequests(alice)[id]), allowed: ["reader", "actor", "reader-of-any"] },
  ...(id.startsWith("getTransactionTree")
    ? []
    : [{ ...asCase(readRequests(null)[id]), allowed: ["reader-of-any"] as const }]),
]);

function asCase({ query, ...request }: ReadRequest): Omit<Case, "allowed"> {
  return query === undefined ? request : { ...request, search: `?${new URLSearchParams(query)}` };
}

/** Asked anew for each caller: some requests can be made once only. */
export const cases: {
  readonly [Id in keyof typeof ledgerApi.endpoints]: (about: Parties) => readonly Case[];
} = {
  getVersion: () => [{ allowed: everybody }],
  isLive: () => [{ allowed: everybody }],
  isReady: () => [{ allowed: everybody }],
  getParticipantId: () => [{ allowed: users }],
  getLedgerEnd: () => [{ allowed: users }],
  getLatestPrunedOffsets: () => [{ allowed: users }],
  listPackages: () => [{ allowed: users }],
  getPackageStatus: () => [{ params: { "package-id": "some" }, allowed: users }],
  getPackage: () => [{ params: { "package-id": "some" }, allowed: users }],
  uploadPackage: () => [{ allowed: admins }],
  uploadDar: () => [{ allowed: admins }],
  validateDar: () => [{ allowed: admins }],
  listVettedPackages: () => [{ body: {}, allowed: users }],
  listVettedPackagesByGet: () => [{ allowed: users }],
  updateVettedPackages: () => [{ body: VET_NOTHING, allowed: admins }],
  updateVettedPackagesByPost: () => [{ body: VET_NOTHING, allowed: admins }],
  getPreferredPackageVersion: ({ alice }) => [
    { search: `?parties=${encodeURIComponent(alice)}&package-name=splice-amulet`, allowed: users },
  ],
  getPreferredPackages: ({ alice }) => [
    {
      body: { packageVettingRequirements: [{ parties: [alice], packageName: "splice-amulet" }] },
      allowed: users,
    },
  ],
  prepareSubmission: ({ alice }) => [
    {
      body: { ...createPreference(alice), synchronizerId: "", packageIdSelectionPreference: [] },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    {
      body: {
        ...createPreference(alice),
        userId: "other",
        synchronizerId: "",
        packageIdSelectionPreference: [],
      },
      allowed: [],
    },
  ],
  executeSubmission: () => [{ body: EXECUTE_NOTHING, allowed: users }],
  executeSubmissionAndWait: () => [{ body: EXECUTE_NOTHING, allowed: users }],
  executeSubmissionAndWaitForTransaction: () => [{ body: EXECUTE_NOTHING, allowed: users }],
  submitReassignment: ({ alice }) => [{ body: move(alice), allowed: ["actor"] }],
  submitAndWaitForReassignment: ({ alice }) => [
    { body: move(alice), allowed: ["actor"] },
    { body: move(alice, "other"), allowed: [] },
  ],
  submitAsync: ({ alice }) => [
    { body: createPreference(alice), allowed: ["actor"] },
    { body: { ...createPreference(alice), userId: "other" }, allowed: [] },
  ],
  getAuthenticatedUser: () => [{ allowed: users }],
  listConnectedSynchronizers: ({ alice }) => [
    { allowed: users },
    {
      search: `?party=${encodeURIComponent(alice)}`,
      allowed: ["reader", "executor", "actor", "reader-of-any", "executor-of-any", ADMIN],
    },
  ],
  listCompletions: ({ alice, bob }) => [
    {
      search: "?stream_idle_timeout_ms=1",
      body: { parties: [alice] },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    {
      search: "?stream_idle_timeout_ms=1",
      body: { userId: "actor", parties: [alice] },
      allowed: ["actor", "reader-of-any"],
    },
    { search: "?stream_idle_timeout_ms=1", body: { parties: [alice, bob] }, allowed: ["reader-of-any"] },
  ],
  listParties: () => [{ allowed: admins }],
  allocateParty: () => [
    { body: { partyIdHint: `made-${++made}` }, allowed: admins },
    { body: { partyIdHint: `made-${++made}`, userId: "plain" }, allowed: admins },
  ],
  getParties: ({ alice, bob }) => [
    {
      params: { party: alice },
      allowed: ["reader", "executor", "actor", "reader-of-any", "executor-of-any", ADMIN],
    },
    {
      params: { party: alice },
      search: `?parties=${encodeURIComponent(bob)}`,
      allowed: ["reader-of-any", "executor-of-any", ADMIN],
    },
  ],
  updatePartyDetails: ({ alice }) => [
    { params: { party: alice }, body: { partyDetails: { party: alice }, updateMask }, allowed: admins },
  ],
  allocateExternalParty: () => [
    { body: {}, allowed: admins },
    { body: { userId: "plain" }, allowed: ["plain", ADMIN] },
  ],
  generateExternalPartyTopology: () => [{ body: {}, allowed: users }],
  listUsers: () => [{ allowed: admins }],
  updateUser: () => [
    {
      params: { "user-id": "plain" },
      body: { user: { id: "plain" }, updateMask: { paths: ["id"] } },
      allowed: admins,
    },
  ],
  deleteUser: () => [{ params: { "user-id": "nobody" }, allowed: admins }],
  updateUserIdentityProviderId: () => [
    { params: { "user-id": "plain" }, body: { userId: "plain" }, allowed: admins },
  ],
  createUser: () => [
    { body: { user: { id: `made-${++made}` }, rights: [] }, allowed: admins },
    { body: { user: { id: `made-${++made}` }, rights: [right.admin] }, allowed: admins },
  ],
  getUser: () => [{ params: { "user-id": "plain" }, allowed: ["plain", ADMIN] }],
  listUserRights: () => [{ params: { "user-id": "plain" }, allowed: ["plain", ADMIN] }],
  grantUserRights: ({ bob }) => [
    { params: { "user-id": "plain" }, body: { rights: [] }, allowed: admins },
    { params: { "user-id": "plain" }, body: { rights: [right.execute(bob)] }, allowed: admins },
  ],
  revokeUserRights: ({ bob }) => [
    { params: { "user-id": "plain" }, body: { rights: [right.execute(bob)] }, allowed: admins },
  ],
  listIdentityProviderConfigs: () => [{ allowed: admins }],
  createIdentityProviderConfig: () => [{ body: { identityProviderConfig: newProvider() }, allowed: admins }],
  getIdentityProviderConfig: () => [{ params: { "idp-id": "some" }, allowed: admins }],
  updateIdentityProviderConfig: () => [
    {
      params: { "idp-id": "some" },
      body: { identityProviderConfig: { identityProviderId: "some" }, updateMask: { paths: ["audience"] } },
      allowed: admins,
    },
  ],
  deleteIdentityProviderConfig: () => [{ params: { "idp-id": "some" }, allowed: admins }],
  submitAndWait: ({ alice, bob }) => [
    { body: createPreference(alice), allowed: ["actor"] },
    { body: { ...createPreference(alice), readAs: [bob] }, allowed: [] },
    { body: { ...createPreference(alice), userId: "other" }, allowed: [] },
  ],
  submitAndWaitForTransaction: ({ alice, bob }) => [
    { body: { commands: createPreference(alice) }, allowed: ["actor"] },
    {
      body: {
        commands: createPreference(alice),
        transactionFormat: {
          eventFormat: everythingOf(bob),
          transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
        },
      },
      allowed: [],
    },
  ],
  listActiveContracts: ({ alice }) => [
    {
      body: { activeAtOffset: 0, eventFormat: everythingOf(alice) },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    { body: { activeAtOffset: 0, eventFormat: forAny }, allowed: ["reader-of-any"] },
    {
      body: { activeAtOffset: 0, filter: everythingOf(alice) },
      allowed: ["reader", "actor", "reader-of-any"],
    },
  ],
  listUpdates: ({ alice }) => [
    {
      search: "?stream_idle_timeout_ms=1&limit=1",
      body: { beginExclusive: 0, filter: everythingOf(alice) },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    {
      search: "?stream_idle_timeout_ms=1&limit=1",
      body: {
        beginExclusive: 0,
        updateFormat: {
          includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [alice] } },
        },
      },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    {
      search: "?stream_idle_timeout_ms=1&limit=1",
      body: {
        beginExclusive: 0,
        updateFormat: { includeTopologyEvents: { includeParticipantAuthorizationEvents: {} } },
      },
      allowed: ["reader-of-any"],
    },
  ],
  ...lookups,
  // A format would stand in the body, which our requests have not in a GET.
  getActiveContractsPageByGet: () => [{ allowed: users }],
  submitAndWaitForTransactionTree: ({ alice }) => [{ body: createPreference(alice), allowed: ["actor"] }],
  getEventsByContractId: ({ alice }) => [
    {
      body: { contractId: `00${"00".repeat(32)}`, eventFormat: everythingOf(alice) },
      allowed: ["reader", "actor", "reader-of-any"],
    },
    {
      body: { contractId: `00${"00".repeat(32)}`, eventFormat: forAny },
      allowed: ["reader-of-any"],
    },
  ],
};

/** Authorized callers get these errors: the operation is not offered, or its resource does not exist. */
export const notHere: ReadonlyMap<string, readonly number[]> = new Map([
  ["allocateExternalParty", [501]],
  ["generateExternalPartyTopology", [501]],
  ["uploadPackage", [501]],
  ["uploadDar", [501]],
  ["validateDar", [501]],
  ["prepareSubmission", [501]],
  ["executeSubmission", [501]],
  ["executeSubmissionAndWait", [501]],
  ["executeSubmissionAndWaitForTransaction", [501]],
  ["getActiveContractsPageByGet", [400]],
  ["submitReassignment", [400]],
  ["submitAndWaitForReassignment", [400]],
]);
