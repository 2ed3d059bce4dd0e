/** Every operation of the table with requests for it, and who may make them. */
import type { Right } from "../../packages/api/src/index.ts";
import { ADMIN } from "../support/participants.ts";
import {
  type LedgerOperation,
  lookups,
  type RequestParts,
  requestsAbout,
  SHORT_LIST,
} from "./ledger-requests.ts";
import { createPreference, everythingOf, SOME_CONTRACT_ID } from "./preferences.ts";

export const right = {
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

/** The subjects of the requests. The user `actor` may act as Alice. */
export interface Parties {
  readonly alice: string;
  readonly bob: string;
}

export interface Case extends RequestParts {
  readonly allowed: readonly CallerName[];
}

const users = callers.filter((caller) => caller !== "none");
const readers = ["reader", "actor", "reader-of-any"] as const;
const operators = [...readers, "executor", "executor-of-any", ADMIN] as const;

/** The callers of the request about Alice. */
const allowed: Readonly<Record<LedgerOperation, readonly CallerName[]>> = {
  ...each(callers, "getVersion", "isLive", "isReady"),
  ...each(users, "getParticipantId", "getAuthenticatedUser", "generateExternalPartyTopology"),
  ...each(users, "getLedgerEnd", "getLatestPrunedOffsets", "getActiveContractsPageByGet"),
  ...each(users, "listPackages", "getPackageStatus", "getPackage"),
  ...each(users, "listVettedPackages", "listVettedPackagesByGet"),
  ...each(users, "getPreferredPackageVersion", "getPreferredPackages"),
  ...each(users, "executeSubmission", "executeSubmissionAndWait", "executeSubmissionAndWaitForTransaction"),
  ...each([ADMIN], "uploadPackage", "uploadDar", "validateDar"),
  ...each([ADMIN], "updateVettedPackages", "updateVettedPackagesByPost"),
  ...each([ADMIN], "listParties", "allocateParty", "updatePartyDetails"),
  ...each([ADMIN], "listUsers", "createUser", "updateUser", "deleteUser", "updateUserIdentityProviderId"),
  ...each([ADMIN], "grantUserRights", "revokeUserRights"),
  ...each([ADMIN], "listIdentityProviderConfigs", "createIdentityProviderConfig"),
  ...each([ADMIN], "getIdentityProviderConfig", "updateIdentityProviderConfig"),
  ...each([ADMIN], "deleteIdentityProviderConfig"),
  ...each(["actor", ADMIN], "getUser", "listUserRights", "allocateExternalParty"),
  ...each(operators, "listConnectedSynchronizers", "getParties"),
  ...each(["actor", "reader-of-any"], "listCompletions"),
  ...each(readers, "prepareSubmission", "listCompletionsOfParties", "getContract", "getEventsByContractId"),
  ...each(readers, "listActiveContracts", "getActiveContractsPage"),
  ...each(readers, "listUpdates", "listFlatUpdates", "listTransactionTrees", "getUpdatesPage"),
  ...each(readers, "getUpdateById", "getUpdateByOffset"),
  ...each(readers, "getTransactionById", "getTransactionByOffset"),
  ...each(readers, "getTransactionTreeById", "getTransactionTreeByOffset"),
  ...each(["actor"], "submitAndWait", "submitAndWaitForTransaction", "submitAndWaitForTransactionTree"),
  ...each(["actor"], "submitAsync", "submitReassignment", "submitAndWaitForReassignment"),
};

function each<Id extends LedgerOperation>(names: readonly CallerName[], ...ids: readonly Id[]) {
  return Object.fromEntries(ids.map((id) => [id, names])) as Record<Id, readonly CallerName[]>;
}

let made = 0;

/** Further requests, which other callers may make. */
function casesBeyond({ alice, bob }: Parties): Partial<Record<LedgerOperation, readonly Case[]>> {
  const actor = { params: { "user-id": "actor" } };
  const preference = () => createPreference(alice);
  const others = { ...preference(), userId: "other" };
  const ofOthers = [{ body: others, allowed: [] }];
  const move = { commandId: "move", submitter: alice, userId: "other", commands: [] };
  const topology = (given: object) => ({
    beginExclusive: 0,
    updateFormat: { includeTopologyEvents: { includeParticipantAuthorizationEvents: given } },
  });
  const ofAny = Object.entries(lookups(null, SOME_CONTRACT_ID))
    .filter(([id]) => !id.startsWith("getTransactionTree"))
    .map(([id, request]) => [id, [{ ...request, allowed: ["reader-of-any"] }]]);
  const any = Object.fromEntries(ofAny) as Partial<Record<LedgerOperation, readonly Case[]>>;
  return {
    ...any,
    prepareSubmission: [
      { body: { ...others, synchronizerId: "", packageIdSelectionPreference: [] }, allowed: [] },
    ],
    submitAndWaitForReassignment: [{ body: { reassignmentCommands: move }, allowed: [] }],
    submitAsync: ofOthers,
    submitAndWait: [...ofOthers, { body: { ...preference(), readAs: [bob] }, allowed: [] }],
    submitAndWaitForTransaction: [
      {
        body: {
          commands: preference(),
          transactionFormat: {
            eventFormat: everythingOf(bob),
            transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
          },
        },
        allowed: [],
      },
    ],
    listConnectedSynchronizers: [{ allowed: users }],
    listCompletions: [
      { query: SHORT_LIST, body: { parties: [alice] }, allowed: readers },
      { query: SHORT_LIST, body: { parties: [alice, bob] }, allowed: ["reader-of-any"] },
    ],
    allocateParty: [{ body: { partyIdHint: `made-${++made}` }, allowed: [ADMIN] }],
    getParties: [
      {
        ...{ params: { party: alice }, query: { parties: bob } },
        allowed: ["reader-of-any", "executor-of-any", ADMIN],
      },
    ],
    allocateExternalParty: [{ body: {}, allowed: [ADMIN] }],
    createUser: [{ body: { user: { id: `made-${++made}` }, rights: [right.admin] }, allowed: [ADMIN] }],
    grantUserRights: [
      { ...actor, body: { rights: [] }, allowed: [ADMIN] },
      { ...actor, body: { rights: [right.execute(bob)] }, allowed: [ADMIN] },
    ],
    revokeUserRights: [{ ...actor, body: { rights: [right.execute(bob)] }, allowed: [ADMIN] }],
    listActiveContracts: [
      ...(any.listActiveContracts ?? []),
      { body: { activeAtOffset: 0, filter: everythingOf(alice) }, allowed: readers },
    ],
    listUpdates: [
      ...(any.listUpdates ?? []),
      { query: SHORT_LIST, body: { beginExclusive: 0, filter: everythingOf(alice) }, allowed: readers },
      { query: SHORT_LIST, body: topology({ parties: [alice] }), allowed: readers },
      { query: SHORT_LIST, body: topology({}), allowed: ["reader-of-any"] },
    ],
  };
}

/** Called anew for each caller: some requests can be sent once only. The first is about Alice. */
export function casesOf(id: LedgerOperation, parties: Parties): readonly [Case, ...Case[]] {
  const subject = { party: parties.alice, user: "actor", contractId: SOME_CONTRACT_ID };
  const requests = requestsAbout({ ...subject, submission: () => createPreference(parties.alice) });
  return [{ ...requests[id], allowed: allowed[id] }, ...(casesBeyond(parties)[id] ?? [])];
}

/** Authorized callers get these errors: the operation is not offered, or its resource does not exist. */
export const notHere: Readonly<Partial<Record<LedgerOperation, number>>> = {
  allocateExternalParty: 501,
  generateExternalPartyTopology: 501,
  uploadPackage: 501,
  uploadDar: 501,
  validateDar: 501,
  prepareSubmission: 501,
  executeSubmission: 501,
  executeSubmissionAndWait: 501,
  executeSubmissionAndWaitForTransaction: 501,
  getActiveContractsPageByGet: 400,
  submitReassignment: 400,
  submitAndWaitForReassignment: 400,
};
