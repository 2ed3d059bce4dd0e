// Every operation of the JSON Ledger API, about Alice, called by each kind of caller: its rule decides the answer.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuthRule } from "../../packages/api/src/auth-rule.ts";
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { type LedgerOperation as Id, readingRights, requestsAbout } from "../participant/ledger-requests.ts";
import { everythingOf } from "../participant/preferences.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";
import {
  type Sent,
  STRANGERS,
  type Statuses,
  type Stranger,
  send,
  tokenOf,
  withoutToken,
} from "./strangers.ts";

const USERS = { right: "alice", other: "bob", admin: SERVICE_USER };
const COIN = "#splice-amulet:Splice.Amulet:Amulet";
const ENTRY = "#splice-amulet-name-service:Splice.Ans:AnsEntry";

let network: LocalNetwork;
let url: string;
let parties: { readonly alice: string; readonly bob: string };
/** Alice, her coin, and the entry of her name. */
let own: { readonly party: string; readonly coin: string; readonly entry: string };

beforeAll(async () => {
  network = await LocalNetwork.start();
  const [alice, bob] = [await network.makeUser("alice"), await network.makeUser("bob")];
  parties = { alice: alice.party, bob: bob.party };
  url = network.net.nodes["app-user"].ledgerUrl;
  const validator = await network.startValidator(["alice", "bob"], "two-wallets");
  const wallet = validatorClient(validator.url, alice.token);
  await wallet.tap({ body: { amount: "20" } });
  await network.buy(wallet, "alice");
  const [coin, entry] = await Promise.all([COIN, ENTRY].map((template) => findContract(template)));
  own = { party: alice.party, coin: coin ?? "", entry: entry ?? "" };
});
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

/** Archives nothing: callers with the right are told that a name cannot be ended before its time. */
function endName({ party, entry }: Pick<typeof own, "party" | "entry">, actor = party) {
  const ExerciseCommand = {
    templateId: ENTRY,
    contractId: entry,
    choice: "AnsEntry_Expire",
    choiceArgument: { actor },
  };
  return { commandId: crypto.randomUUID(), actAs: [party], commands: [{ ExerciseCommand }] };
}

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

/** The name has not ended: a caller who may act as Alice gets that error from the ledger. */
const tooEarly: Statuses = { "right user": 400, admin: 400 };
const nothingThere: Statuses = { "right user": 404, admin: 404 };
const lookupIds = Object.keys(ledgerApi.endpoints).filter((id) =>
  /^get(Contract|Update(ById|ByOffset)|Transaction.*)$/.test(id),
);
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
  const call = (stranger: Stranger) => {
    const { party, coin: contractId } = own;
    const subject = { party, user: "alice", contractId, submission: () => endName(own) };
    return send(url, endpoint, requestsAbout(subject)[id], tokenOf(stranger, USERS));
  };

  test("has a rule in this test", () => {
    expect(byRule[endpoint.auth], `the rule ${endpoint.auth} needs a row here`).toBeDefined();
  });

  test("answers every caller by its rule; a refused caller sees and changes nothing", async () => {
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

describe("Bob, acting as himself,", () => {
  const bob = () => network.ledger("app-user", tokenOf("other user", USERS));
  const answer = (id: Id, sent: Sent) =>
    send(url, ledgerApi.endpoints[id], sent, tokenOf("other user", USERS));

  test("Bob sees nothing of Alice's", async () => {
    const { offset } = await bob().getLedgerEnd();
    const seen = [
      await bob().listActiveContracts({
        body: { activeAtOffset: offset, eventFormat: everythingOf(parties.bob) },
      }),
      await bob().listUpdates({
        body: {
          beginExclusive: 0,
          endInclusive: offset,
          updateFormat: {
            includeTransactions: {
              eventFormat: everythingOf(parties.bob),
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
      body: { contractId: own.coin, eventFormat: everythingOf(parties.bob) },
    });
    expect(events.status).toBe(404);
  });

  test("Bob moves nothing of Alice's", async () => {
    const before = await network.ledger().getLedgerEnd();
    for (const actor of [parties.bob, parties.alice]) {
      const { status } = await answer("submitAndWait", {
        body: endName({ ...own, party: parties.bob }, actor),
      });
      expect(status).toBe(404);
    }
    const archive = {
      ...endName({ ...own, party: parties.bob }),
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

  test("cannot grant himself rights, nor list those of others", async () => {
    const body = { userId: "bob", rights: readingRights(parties.alice) };
    const params = { "user-id": "bob" };
    expect((await answer("grantUserRights", { params, body })).status).toBe(403);
    expect((await answer("listParties", {})).status).toBe(403);
    expect((await answer("getUser", { params: { "user-id": "nobody" } })).status).toBe(403);
    expect((await answer("listUserRights", { params })).status).toBe(200);
  });
});
