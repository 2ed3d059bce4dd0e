/** Who may call what: every operation of the table, with every kind of caller. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, formatPath, ledgerApi, type Right } from "../../packages/api/src/index.ts";
import { call, errorOf } from "./call.ts";
import { createPreference, everythingOf } from "./preferences.ts";
import { eachRead, type ReadRequest, readRequests } from "./read-requests.ts";
import {
  ADMIN,
  atEndOfFile,
  foundTestNetwork,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
  tokenFor,
} from "./test-network.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let alice: string;
let bob: string;

const right = {
  act: (party: string): Right => ({ kind: { CanActAs: { value: { party } } } }),
  read: (party: string): Right => ({ kind: { CanReadAs: { value: { party } } } }),
  execute: (party: string): Right => ({ kind: { CanExecuteAs: { value: { party } } } }),
  readAny: { kind: { CanReadAsAnyParty: { value: {} } } } as Right,
  admin: { kind: { ParticipantAdmin: { value: {} } } } as Right,
  idpAdmin: { kind: { IdentityProviderAdmin: { value: {} } } } as Right,
};

beforeAll(async () => {
  const { sequencers } = await foundTestNetwork(1, atEnd);
  participant = await newParticipant(sequencers, {}, atEnd);
  await ready(participant);
  alice = (await newActor(participant, "actor")).party;
  bob = (await newActor(participant, "other")).party;
  const users: Record<string, Right[]> = {
    plain: [],
    reader: [right.read(alice)],
    executor: [right.execute(alice)],
    "reader-of-any": [right.readAny],
    "idp-admin": [right.idpAdmin],
  };
  for (const [id, rights] of Object.entries(users)) {
    await participant.admin.createUser({ body: { user: { id }, rights } });
  }
  await participant.admin.createUser({
    body: { user: { id: "gone", isDeactivated: true }, rights: [right.admin] },
  });
});

/** `none`: without a token. The rest are users; `unknown` has a token and is none. */
const callers = [
  "none",
  "plain",
  "reader",
  "executor",
  "actor",
  "other",
  "reader-of-any",
  "idp-admin",
  ADMIN,
] as const;
type CallerName = (typeof callers)[number];

interface Case {
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

const vetNothing = { changes: [{ operation: { Vet: { value: { packages: [] } } } }] };
const execution = {
  preparedTransaction: "",
  partySignatures: { signatures: [] },
  deduplicationPeriod: { Empty: {} },
  submissionId: "s",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
};

/** To a synchronizer that is not there. */
function move(submitter: string, userId = "") {
  const value = { reassignmentId: "some", source: "a::1220", target: "b::1220" };
  const commands = [{ command: { AssignCommand: { value } } }];
  return { reassignmentCommands: { commandId: "move", submitter, userId, commands } };
}

/** One party's are its readers', everybody's those who may read as any. */
const lookups = eachRead((id) => (): readonly Case[] => [
  { ...asCase(readRequests(alice)[id]), allowed: ["reader", "actor", "reader-of-any"] },
  ...(id.startsWith("getTransactionTree")
    ? []
    : [{ ...asCase(readRequests(null)[id]), allowed: ["reader-of-any"] as const }]),
]);

function asCase({ query, ...request }: ReadRequest): Omit<Case, "allowed"> {
  return query === undefined ? request : { ...request, search: `?${new URLSearchParams(query)}` };
}

const cases: { readonly [Id in keyof typeof ledgerApi.endpoints]: () => readonly Case[] } = {
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
  updateVettedPackages: () => [{ body: vetNothing, allowed: admins }],
  updateVettedPackagesByPost: () => [{ body: vetNothing, allowed: admins }],
  getPreferredPackageVersion: () => [
    { search: `?parties=${encodeURIComponent(alice)}&package-name=splice-amulet`, allowed: users },
  ],
  getPreferredPackages: () => [
    {
      body: { packageVettingRequirements: [{ parties: [alice], packageName: "splice-amulet" }] },
      allowed: users,
    },
  ],
  prepareSubmission: () => [
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
  executeSubmission: () => [{ body: execution, allowed: users }],
  executeSubmissionAndWait: () => [{ body: execution, allowed: users }],
  executeSubmissionAndWaitForTransaction: () => [{ body: execution, allowed: users }],
  submitReassignment: () => [{ body: move(alice), allowed: ["actor"] }],
  submitAndWaitForReassignment: () => [
    { body: move(alice), allowed: ["actor"] },
    { body: move(alice, "other"), allowed: [] },
  ],
  submitAsync: () => [
    { body: createPreference(alice), allowed: ["actor"] },
    { body: { ...createPreference(alice), userId: "other" }, allowed: [] },
  ],
  getAuthenticatedUser: () => [{ allowed: users }],
  listConnectedSynchronizers: () => [
    { allowed: users },
    {
      search: `?party=${encodeURIComponent(alice)}`,
      allowed: ["reader", "executor", "actor", "reader-of-any", ADMIN],
    },
  ],
  listCompletions: () => [
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
  getParties: () => [
    { params: { party: alice }, allowed: ["reader", "executor", "actor", "reader-of-any", ADMIN] },
    {
      params: { party: alice },
      search: `?parties=${encodeURIComponent(bob)}`,
      allowed: ["reader-of-any", ADMIN],
    },
  ],
  updatePartyDetails: () => [
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
  grantUserRights: () => [
    { params: { "user-id": "plain" }, body: { rights: [] }, allowed: admins },
    { params: { "user-id": "plain" }, body: { rights: [right.execute(bob)] }, allowed: admins },
  ],
  revokeUserRights: () => [
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
  submitAndWait: () => [
    { body: createPreference(alice), allowed: ["actor"] },
    { body: { ...createPreference(alice), readAs: [bob] }, allowed: [] },
    { body: { ...createPreference(alice), userId: "other" }, allowed: [] },
  ],
  submitAndWaitForTransaction: () => [
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
  listActiveContracts: () => [
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
  listUpdates: () => [
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
  submitAndWaitForTransactionTree: () => [{ body: createPreference(alice), allowed: ["actor"] }],
  getEventsByContractId: () => [
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

async function ask(
  endpoint: Endpoint,
  { params = {}, search = "", body }: Case,
  authorization: string | null,
) {
  return call(participant.url + formatPath(endpoint.path, params) + search, {
    method: endpoint.method,
    ...(authorization === null ? {} : { authorization }),
    ...(body === undefined ? {} : { body }),
  });
}

/** Who may is told by these that it is not offered, or that there is nothing to do it with. */
const notHere: ReadonlyMap<string, readonly number[]> = new Map([
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
const endpoints = Object.values<Endpoint>(ledgerApi.endpoints);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (id, endpoint) => {
  test.each(callers)("called by %s", async (caller) => {
    const token = caller === "none" ? null : `Bearer ${await tokenFor(caller)}`;
    for (const given of cases[id as keyof typeof cases]()) {
      const answer = await ask(endpoint, given, token);
      if (given.allowed.includes(caller)) {
        expect(notHere.get(id) ?? [200, 404]).toContain(answer.status);
        continue;
      }
      const refused = errorOf(answer);
      expect([refused.status, refused.code, refused.errorCategory, refused.context]).toEqual([
        caller === "none" ? 401 : 403,
        "NA",
        -1,
        {},
      ]);
    }
  });

  test.each(["unknown", "gone"])("called with a valid token of a user who is %s", async (user) => {
    const [given] = cases[id as keyof typeof cases]();
    const refused = errorOf(await ask(endpoint, given ?? { allowed: [] }, `Bearer ${await tokenFor(user)}`));
    expect([refused.status, refused.code, refused.context]).toEqual([
      403,
      "NA",
      { ledger_api_error: "invalid token" },
    ]);
  });

  test("called with tokens that do not hold", async () => {
    const [given] = cases[id as keyof typeof cases]();
    const none = given?.allowed.includes("none") === true;
    for (const claims of [{ aud: "other" }, { exp: 1 }]) {
      const token = await tokenFor(ADMIN, claims);
      const answer = await ask(endpoint, given ?? { allowed: [] }, `Bearer ${token}`);
      if (none) expect(answer.status).toBe(200);
      else expect(errorOf(answer)).toMatchObject({ status: 401, code: "NA", context: {} });
    }
    const empty = errorOf(await ask(endpoint, given ?? { allowed: [] }, "Bearer "));
    expect(empty).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });
});

test("a subject that is no user id is told so", async () => {
  const authorization = `Bearer ${await tokenFor("who am i?")}`;
  const refused = errorOf(await call(`${participant.url}/v2/version`, { method: "GET", authorization }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  expect(refused.context).toMatchObject({ ledger_api_error: "invalid token" });
});
