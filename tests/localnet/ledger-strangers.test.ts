// Every operation of the JSON Ledger API, called by everybody, about Alice: its rule decides who is answered.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuthRule } from "../../packages/api/src/auth-rule.ts";
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { eachRead, lookupIds, readRequests } from "../participant/read-requests.ts";
import { WalletNetwork, walletAt } from "../validator/wallet-network.ts";
import {
  type Sent,
  STRANGERS,
  type Statuses,
  type Stranger,
  send,
  tokenOf,
  withoutToken,
} from "./strangers.ts";

type Id = keyof typeof ledgerApi.endpoints;

const USERS = { right: "alice", other: "bob", admin: SERVICE_USER };
const ENTRY = "#splice-amulet-name-service:Splice.Ans:AnsEntry";
const COIN = "#splice-amulet:Splice.Amulet:Amulet";

let network: WalletNetwork;
let url: string;
let parties: { readonly alice: string; readonly bob: string };
/** Alice's coin, and the entry of her name. */
let own: { readonly coin: string; readonly entry: string };

beforeAll(async () => {
  network = await WalletNetwork.start();
  const [alice, bob] = [await network.makeUser("alice"), await network.makeUser("bob")];
  parties = { alice: alice.party, bob: bob.party };
  url = network.net.nodes["app-user"].ledgerUrl;
  const validator = await network.startValidator(["alice", "bob"], "two-wallets");
  const wallet = walletAt(validator.url, alice.token);
  await wallet.tap({ body: { amount: "20" } });
  await network.buy(wallet, "alice");
  const [coin, entry] = await Promise.all([COIN, ENTRY].map((template) => findContract(template)));
  own = { coin: coin ?? "", entry: entry ?? "" };
}, 60_000);
afterAll(() => network?.close());

async function findContract(templateId: string): Promise<string> {
  const client = network.ledger("app-user", tokenOf("right user", USERS));
  const { offset } = await client.getLedgerEnd();
  const identifierFilter = { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } };
  const found = await client.listActiveContracts({
    body: {
      activeAtOffset: offset,
      eventFormat: {
        filtersByParty: { [parties.alice]: { cumulative: [{ identifierFilter }] } },
        verbose: false,
      },
    },
  });
  const [first] = found.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent.contractId] : [],
  );
  return first ?? "";
}

const format = (party = parties.alice) => ({
  filtersByParty: { [party]: { cumulative: [] } },
  verbose: false,
});
const rights = () => [{ kind: { CanReadAs: { value: { party: parties.alice } } } }];
const aboutAlice = { params: { "user-id": "alice" } };

/** Archives nothing: a name cannot be ended before its time, and that is what is answered to those who may. */
function commands(actAs: string, actor = actAs) {
  const ExerciseCommand = {
    templateId: ENTRY,
    contractId: own.entry,
    choice: "AnsEntry_Expire",
    choiceArgument: { actor },
  };
  return { commandId: crypto.randomUUID(), actAs: [actAs], commands: [{ ExerciseCommand }] };
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
function move() {
  const value = { contractId: own.entry, source: "a::1220", target: "b::1220" };
  const moves = [{ command: { UnassignCommand: { value } } }];
  return { reassignmentCommands: { commandId: "move", submitter: parties.alice, commands: moves } };
}

const requests: Readonly<Record<Id, () => Sent>> = {
  getVersion: () => ({}),
  isLive: () => ({}),
  isReady: () => ({}),
  listParties: () => ({}),
  allocateParty: () => ({ body: { partyIdHint: `more-${crypto.randomUUID()}`, userId: "alice" } }),
  getParticipantId: () => ({}),
  getParties: () => ({ params: { party: parties.alice } }),
  updatePartyDetails: () => ({
    params: { party: parties.alice },
    body: {
      partyDetails: { party: parties.alice, localMetadata: { annotations: { colour: "blue" } } },
      updateMask: { paths: ["local_metadata.annotations"] },
    },
  }),
  allocateExternalParty: () => ({ body: { userId: "alice" } }),
  generateExternalPartyTopology: () => ({ body: {} }),
  listUsers: () => ({}),
  updateUser: () => ({ ...aboutAlice, body: { user: { id: "alice" }, updateMask: { paths: ["id"] } } }),
  deleteUser: () => ({ params: { "user-id": "nobody" } }),
  updateUserIdentityProviderId: () => ({ ...aboutAlice, body: { userId: "alice" } }),
  createUser: () => ({ body: { user: { id: `u-${crypto.randomUUID()}` }, rights: rights() } }),
  getUser: () => aboutAlice,
  getAuthenticatedUser: () => ({}),
  listUserRights: () => aboutAlice,
  grantUserRights: () => ({ ...aboutAlice, body: { userId: "alice", rights: rights() } }),
  revokeUserRights: () => ({ ...aboutAlice, body: { userId: "alice", rights: rights() } }),
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
  submitAndWait: () => ({ body: commands(parties.alice) }),
  submitAndWaitForTransaction: () => ({ body: { commands: commands(parties.alice) } }),
  submitAndWaitForTransactionTree: () => ({ body: commands(parties.alice) }),
  ...eachRead((id) => () => readRequests(parties.alice)[id]),
  // Without a format, which the body of a GET would have.
  getActiveContractsPageByGet: () => ({}),
  listCompletions: () => ({ body: { userId: "alice", parties: [parties.alice] } }),
  getLedgerEnd: () => ({}),
  getLatestPrunedOffsets: () => ({}),
  listActiveContracts: () => ({ body: { activeAtOffset: 1, eventFormat: format() } }),
  listConnectedSynchronizers: () => ({ query: { party: parties.alice } }),
  listUpdates: () => ({
    body: {
      beginExclusive: 0,
      updateFormat: {
        includeTransactions: {
          eventFormat: format(),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    },
  }),
  getEventsByContractId: () => ({ body: { contractId: own.coin, eventFormat: format() } }),
  listPackages: () => ({}),
  getPackageStatus: () => ({ params: { "package-id": "unknown" } }),
  getPackage: () => ({ params: { "package-id": "unknown" } }),
  uploadPackage: () => ({}),
  uploadDar: () => ({}),
  validateDar: () => ({}),
  listVettedPackages: () => ({ body: {} }),
  listVettedPackagesByGet: () => ({}),
  updateVettedPackages: () => ({ body: vetNothing }),
  updateVettedPackagesByPost: () => ({ body: vetNothing }),
  getPreferredPackageVersion: () => ({
    query: { parties: parties.alice, "package-name": "splice-amulet" },
  }),
  getPreferredPackages: () => ({
    body: { packageVettingRequirements: [{ parties: [parties.alice], packageName: "splice-amulet" }] },
  }),
  prepareSubmission: () => ({
    body: { ...commands(parties.alice), synchronizerId: "", packageIdSelectionPreference: [] },
  }),
  executeSubmission: () => ({ body: execution }),
  executeSubmissionAndWait: () => ({ body: execution }),
  executeSubmissionAndWaitForTransaction: () => ({ body: execution }),
  submitAsync: () => ({ body: commands(parties.alice) }),
  submitReassignment: () => ({ body: move() }),
  submitAndWaitForReassignment: () => ({ body: move() }),
};

const everybody = Object.fromEntries(STRANGERS.map((stranger) => [stranger, 200])) as Statuses;
const known: Statuses = { ...everybody, ...withoutToken(401), "unknown user": 403 };

const byRule: Readonly<Partial<Record<AuthRule, Statuses>>> = {
  // A token that does not hold is as good as none.
  "ledger:none": { ...everybody, "unknown user": 403 },
  "ledger:public": known,
  "ledger:public-or-operate-as": { ...known, "other user": 403 },
  "ledger:admin": { ...known, "other user": 403, "right user": 403 },
  "ledger:admin-or-idp-admin": { ...known, "other user": 403, "right user": 403 },
  "ledger:admin-or-idp-admin-or-self": { ...known, "other user": 403 },
  "ledger:admin-or-idp-admin-or-operate-as": { ...known, "other user": 403 },
  "ledger:grant-rights": { ...known, "other user": 403, "right user": 403 },
  "ledger:act-as": { ...known, "other user": 403 },
  "ledger:act-as-submitter": { ...known, "other user": 403 },
  "ledger:prepare": { ...known, "other user": 403 },
  "ledger:read-as": { ...known, "other user": 403 },
  "ledger:read-contract": { ...known, "other user": 403 },
  "ledger:read-completions-of-parties": { ...known, "other user": 403 },
  "ledger:read-own-completions": { ...known, "other user": 403, admin: 403 },
};

/** The name is not over: who may act as Alice is told so by the ledger. */
const tooEarly: Statuses = { "right user": 400, admin: 400 };
const nothingThere: Statuses = { "right user": 404, admin: 404 };
const exceptions: Readonly<Partial<Record<Id, Statuses>>> = {
  // A user may make parties for himself, of which at most none.
  allocateParty: { "right user": 403 },
  allocateExternalParty: { "right user": 501, admin: 501 },
  generateExternalPartyTopology: { "right user": 501, "other user": 501, admin: 501 },
  deleteUser: { admin: 404 },
  getIdentityProviderConfig: { admin: 404 },
  updateIdentityProviderConfig: { admin: 404 },
  deleteIdentityProviderConfig: { admin: 404 },
  submitAndWait: tooEarly,
  submitAsync: tooEarly,
  submitReassignment: { "right user": 400, admin: 400 },
  submitAndWaitForReassignment: { "right user": 400, admin: 400 },
  getPackage: { "right user": 404, "other user": 404, admin: 404 },
  uploadPackage: { admin: 501 },
  uploadDar: { admin: 501 },
  validateDar: { admin: 501 },
  prepareSubmission: { "right user": 501, admin: 501 },
  executeSubmission: { "right user": 501, "other user": 501, admin: 501 },
  executeSubmissionAndWait: { "right user": 501, "other user": 501, admin: 501 },
  executeSubmissionAndWaitForTransaction: { "right user": 501, "other user": 501, admin: 501 },
  submitAndWaitForTransaction: tooEarly,
  submitAndWaitForTransactionTree: tooEarly,
  ...Object.fromEntries(lookupIds.map((id) => [id, nothingThere])),
  getActiveContractsPageByGet: { "right user": 400, "other user": 400, admin: 400 },
};

async function picture(): Promise<unknown> {
  const admin = network.ledger();
  return [
    network.net.svs[0]?.replica.state.head.sequence,
    await admin.listUserRights({ params: { "user-id": "alice" } }),
    await admin.listParties(),
    await admin.getUser({ params: { "user-id": "alice" } }),
  ];
}

describe.each(Object.values<Endpoint>(ledgerApi.endpoints))("$id", (endpoint) => {
  const id = endpoint.id as Id;
  const call = (stranger: Stranger) => send(url, endpoint, requests[id](), tokenOf(stranger, USERS));

  test("has a rule and a request in this test", () => {
    expect(byRule[endpoint.auth], `the rule ${endpoint.auth} needs a row here`).toBeDefined();
    expect(requests[id], "the operation needs a request here").toBeDefined();
  });

  test("answers everybody as its rule says; who is refused sees and changes nothing", async () => {
    const statuses: Record<string, number> = {};
    const before = await picture();
    for (const stranger of STRANGERS.filter((each) => each !== "right user" && each !== "admin")) {
      const { status, text } = await call(stranger);
      statuses[stranger] = status;
      if (status >= 400) {
        expect(text).not.toContain(own.coin);
        expect(Object.keys(JSON.parse(text))).toContain("code");
      }
    }
    expect(await picture()).toEqual(before);
    statuses["right user"] = (await call("right user")).status;
    statuses["admin"] = (await call("admin")).status;
    expect(statuses).toEqual({ ...byRule[endpoint.auth], ...exceptions[id] });
  });
});

describe("Bob, who names himself,", () => {
  const bob = () => network.ledger("app-user", tokenOf("other user", USERS));
  const answer = (id: Id, sent: Sent) =>
    send(url, ledgerApi.endpoints[id], sent, tokenOf("other user", USERS));

  test("sees nothing of Alice's", async () => {
    const { offset } = await bob().getLedgerEnd();
    const seen = [
      await bob().listActiveContracts({
        body: { activeAtOffset: offset, eventFormat: format(parties.bob) },
      }),
      await bob().listUpdates({
        body: {
          beginExclusive: 0,
          endInclusive: offset,
          updateFormat: {
            includeTransactions: {
              eventFormat: format(parties.bob),
              transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
            },
          },
        },
      }),
    ];
    expect(
      JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toMatch(new RegExp(`${own.coin}|${own.entry}|${parties.alice}`));
    const events = await answer("getEventsByContractId", {
      body: { contractId: own.coin, eventFormat: format(parties.bob) },
    });
    expect(events.status).toBe(404);
  });

  test("moves nothing of Alice's", async () => {
    const before = await network.ledger().getLedgerEnd();
    for (const actor of [parties.bob, parties.alice]) {
      const { status } = await answer("submitAndWait", { body: commands(parties.bob, actor) });
      expect(status).toBe(404);
    }
    const archive = {
      ...commands(parties.bob),
      commands: [
        {
          ExerciseCommand: {
            templateId: COIN,
            contractId: own.coin,
            choice: "Archive",
            choiceArgument: {},
          },
        },
      ],
    };
    expect((await answer("submitAndWait", { body: archive })).status).toBe(404);
    const asAlice = { ...archive, userId: "alice" };
    expect((await answer("submitAndWait", { body: asAlice })).status).toBe(403);
    const readsToo = { ...archive, readAs: [parties.alice] };
    expect((await answer("submitAndWait", { body: readsToo })).status).toBe(403);
    expect(await network.ledger().getLedgerEnd()).toEqual(before);
    expect(await findContract(ENTRY)).toBe(own.entry);
  });

  test("cannot give himself rights, nor see whose there are", async () => {
    const body = { userId: "bob", rights: rights() };
    const params = { "user-id": "bob" };
    expect((await answer("grantUserRights", { params, body })).status).toBe(403);
    expect((await answer("listParties", {})).status).toBe(403);
    expect((await answer("getUser", { params: { "user-id": "nobody" } })).status).toBe(403);
    expect((await answer("listUserRights", { params })).status).toBe(200);
  });
});
