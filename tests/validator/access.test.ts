// Access to operations by tokens, users and wallets; two users see and move only their own contracts.

import { type Endpoint, HttpError, type Right, validatorApi } from "@callsign/api";
import { makeToken, TOKEN_AUDIENCE } from "@callsign/localnet";
import { silentLog, systemHost } from "@callsign/node";
import { startValidator, type Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUTH } from "../../packages/localnet/src/tokens.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { signToken } from "../support/sign-token.ts";

let network: LocalNetwork;
let validator: Validator;
let bob: { readonly party: string; readonly token: string };

beforeAll(async () => {
  network = await LocalNetwork.start();
  bob = await network.makeUser("bob");
  await network.makeUser("carol");
  validator = await network.startValidator(["app-user", "bob"], "second-validator");
});
afterAll(() => network.close());

const endpoints: readonly Endpoint[] = Object.values(validatorApi.endpoints);
const guarded = endpoints.filter(({ auth }) => auth !== "none");
const forWallets = endpoints.filter(({ auth }) => auth === "wallet-user");
const cid = `00${"a".repeat(64)}ca101220${"a".repeat(64)}`;

function sendTo(url: string, { method, path }: Endpoint, headers: Record<string, string>, search = "") {
  const filled = path.replace(/\{(contract_id|subscription_id)\}/, cid).replace(/\{name\}/, "dso.cns");
  const target = `${url}/api/validator${filled.replace(/\{([a-z-]*party|provider_party_id)\}/, encodeURIComponent(bob.party))}${search}`;
  const body = method === "POST" ? { body: "{}" } : {};
  return fetch(target, { method, headers: { "content-type": "application/json", ...headers }, ...body });
}

const realms = {
  names: "ans",
  wallet: "wallet",
  "scan-proxy": "scan proxy",
  validator: "validator operator",
} as const;

test("every operation has a rule, and only health, the operator and the names that are shown need no token", async () => {
  const open = endpoints.filter(({ auth }) => auth === "none").map(({ id }) => id);
  expect(open.sort()).toEqual([
    "getHealthStatus",
    "getShownNames",
    "getValidatorUserInfo",
    "getVersion",
    "isLive",
    "isReady",
  ]);
  const response = await fetch(`${validator.url}/api/validator/v0/validator-user`);
  expect(await response.json()).toEqual({
    party_id: validator.operatorParty(),
    user_name: "ledger-api-user",
    featured: false,
  });
  const rules = new Set(guarded.map(({ auth }) => auth));
  expect(rules).toEqual(new Set(["user", "wallet-user", "validator-operator"]));
});

describe.each(guarded)("$id", (endpoint) => {
  test("without a token: 401 in plain text, with its realm", async () => {
    const response = await sendTo(validator.url, endpoint, {});
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const realm = endpoint.id === "register" ? "validator" : realms[endpoint.tags[0] as keyof typeof realms];
    expect(response.headers.get("www-authenticate")).toBe(`Bearer realm="splice ${realm} realm"`);
    expect(await response.text()).toBe(
      "The resource requires authentication, which was not supplied with the request",
    );
  });
});

const user = { sub: "app-user", aud: TOKEN_AUDIENCE };
const past = Math.floor(Date.now() / 1000) - 60;
test.each([
  ["signed with another secret", () => signToken(user, { secret: "other" })],
  ["not signed", () => signToken(user, { alg: "none" })],
  ["of another audience", () => signToken({ ...user, aud: "https://example.com" })],
  ["without an audience", () => signToken({ sub: "app-user" })],
  ["that has expired", () => signToken({ ...user, exp: past })],
  ["that names nobody", () => signToken({ aud: TOKEN_AUDIENCE })],
  ["that is none", () => "nonsense"],
])("a token %s is invalid", async (_, make) => {
  for (const endpoint of [validatorApi.endpoints.getBalance, validatorApi.endpoints.scanProxyGetDsoPartyId]) {
    const response = await sendTo(validator.url, endpoint, { authorization: `Bearer ${make()}` });
    expect(response.status).toBe(401);
    expect(await response.text()).toBe("The supplied authentication is invalid");
  }
});

test("the user stands in sub, or in the claim that wins over it; a token may come in the query", async () => {
  const claims = { ...user, "https://canton-network": { daml_user: "bob" } };
  expect((await validatorClient(validator.url, signToken(claims)).userStatus()).party_id).toBe(bob.party);
  const response = await sendTo(
    validator.url,
    validatorApi.endpoints.userStatus,
    {},
    `?access_token=${signToken(user)}`,
  );
  expect(response.status).toBe(200);
});

describe("a user whom the participant does not know", () => {
  test("may read what scans agree on, and learns that there is no wallet", async () => {
    const stranger = validatorClient(validator.url, await makeToken("stranger"));
    expect((await stranger.scanProxyGetDsoPartyId()).dso_party_id).toMatch(/^DSO::/);
    expect(await stranger.userStatus()).toEqual({
      party_id: "",
      user_onboarded: false,
      user_wallet_installed: false,
      has_featured_app_right: false,
    });
  });

  test.each(forWallets)("$id: 403", async (endpoint) => {
    const authorization = `Bearer ${await makeToken("stranger")}`;
    const response = await sendWithBody(endpoint, authorization);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: "Authorization Failed for stranger" });
  });
});

test.each(forWallets)("$id: 404 for a user without a wallet", async (endpoint) => {
  const response = await sendWithBody(endpoint, `Bearer ${await makeToken("carol")}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error:
      `No wallet found for user 'carol' for operation '${endpoint.id}'. ` +
      "Get one with POST /v0/register, or ask the operator for POST /v0/admin/users.",
  });
});

/** Sends a valid body: the caller's rights are checked after the request was parsed. */
function sendWithBody(endpoint: Endpoint, authorization: string): Promise<Response> {
  const bodies: Readonly<Record<string, object>> = {
    createAnsEntry: { name: "mine", url: "", description: "" },
    takeUpAnsEntry: { name: "mine" },
    setPrimaryName: { name: "mine" },
    tap: { amount: "1" },
    listTransactions: { page_size: 1 },
    setAutoRenewal: { enabled: false },
    createTransferOffer: {
      ...{ receiver_party_id: bob.party, amount: "1", description: "" },
      ...{ expires_at: 1, tracking_id: "mine" },
    },
    createBuyTrafficRequest: {
      ...{ receiving_validator_party_id: bob.party, domain_id: "", traffic_amount: 1 },
      ...{ expires_at: 1, tracking_id: "mine" },
    },
    allocateDevelopmentFundCoupon: { beneficiary: bob.party, amount: "1", expiresAt: 1, reason: "" },
    withdrawDevelopmentFundCoupon: { reason: "" },
    createTokenStandardTransfer: {
      ...{ receiver_party_id: bob.party, amount: "1", description: "" },
      ...{ expires_at: 1, tracking_id: "mine" },
    },
    allocateAmulet: {
      settlement: {
        ...{ executor: bob.party, settlement_ref: { id: "" } },
        ...{ requested_at: 1, allocate_before: 1, settle_before: 1 },
      },
      ...{ transfer_leg_id: "", transfer_leg: { receiver: bob.party, amount: "1" } },
    },
    transferPreapprovalSend: { receiver_party_id: bob.party, amount: "1", deduplication_id: "mine" },
  };
  const path = endpoint.path.replace(/\{(contract_id|subscription_id)\}/, cid);
  const search = endpoint.id === "listDevelopmentFundCouponHistory" ? "?limit=1" : "";
  return fetch(`${validator.url}/api/validator${path}${search}`, {
    method: endpoint.method,
    headers: { authorization, "content-type": "application/json" },
    ...(endpoint.method === "POST" ? { body: JSON.stringify(bodies[endpoint.id] ?? {}) } : {}),
  });
}

const ADMIN: Right = { kind: { ParticipantAdmin: { value: {} } } };
const actAs = (party: string): Right => ({ kind: { CanActAs: { value: { party } } } });

test.each<[string, 200 | 403, (operator: string) => { primaryParty: string; rights: Right[]; off?: true }]>([
  ["whole", 200, (own) => ({ primaryParty: own, rights: [ADMIN, actAs(own)] })],
  ["who-is-no-administrator", 403, (own) => ({ primaryParty: own, rights: [actAs(own)] })],
  ["who-may-not-act", 403, (own) => ({ primaryParty: own, rights: [ADMIN] })],
  ["who-acts-as-another", 403, (own) => ({ primaryParty: own, rights: [ADMIN, actAs(bob.party)] })],
  ["of-another-party", 403, (own) => ({ primaryParty: bob.party, rights: [ADMIN, actAs(own)] })],
  ["switched-off", 403, (own) => ({ primaryParty: own, rights: [ADMIN, actAs(own)], off: true })],
])("the operator's views are for an operator %s: %i", async (id, status, make) => {
  const { primaryParty, rights, off = false } = make(validator.operatorParty() ?? "");
  await network.ledger().createUser({ body: { user: { id, primaryParty, isDeactivated: off }, rights } });
  const headers = { authorization: `Bearer ${await makeToken(id)}` };
  const response = await fetch(`${validator.url}/api/validator/v0/admin/automations`, { headers });
  expect(response.status).toBe(status);
  if (status === 403) expect(await response.json()).toEqual({ error: `Authorization Failed for ${id}` });
});

test("a user who may act as another party than the wallet's: 403", async () => {
  const ledger = network.ledger();
  const rights = [actAs(bob.party)];
  const request = { params: { "user-id": "bob" }, body: { userId: "bob", rights } };
  const other = [actAs(validator.operatorParty() ?? "")];
  await ledger.grantUserRights({ ...request, body: { userId: "bob", rights: other } });
  await ledger.revokeUserRights(request);
  const wallet = validatorClient(validator.url, bob.token);
  await expect(wallet.getBalance()).rejects.toThrow(/status 403.*Authorization Failed for bob/);
  await ledger.grantUserRights(request);
  await ledger.revokeUserRights({ ...request, body: { userId: "bob", rights: other } });
  await wallet.getBalance();
});

test("a right that the participant revokes counts for five seconds more at most, one that it grants at once", async () => {
  let passedMilliseconds = 0;
  const { clock } = systemHost;
  const elapsedMilliseconds = () => clock.elapsedMilliseconds() + passedMilliseconds;
  const system = { ...systemHost, clock: { ...clock, elapsedMilliseconds } };
  const { url, close } = await network.startValidator(["app-user", "bob"], "granting-validator", { system });
  const wallet = validatorClient(url, bob.token);
  const ledger = network.ledger();
  const request = { params: { "user-id": "bob" }, body: { userId: "bob", rights: [actAs(bob.party)] } };
  for (let i = 0; i < 2; i++) {
    expect((await wallet.getBalance()).effective_unlocked_qty).toBe("0.0000000000");
    await ledger.revokeUserRights(request);
    passedMilliseconds += 5000;
    await expect(wallet.getBalance()).rejects.toThrow(/403.*Authorization Failed for bob/);
    await ledger.grantUserRights(request);
  }
  await close();
});

describe("two users of one validator", () => {
  let alices: ValidatorClient;
  let bobs: ValidatorClient;

  beforeAll(async () => {
    alices = validatorClient(validator.url, network.net.nodes["app-user"].token);
    bobs = validatorClient(validator.url, bob.token);
    await alices.tap({ body: { amount: "5" } });
    await bobs.tap({ body: { amount: "2" } });
    await network.buy(alices, "alice");
    await network.buy(bobs, "bob");
    await alices.createAnsEntry({ body: { name: "alice-two", url: "", description: "" } });
  });

  test("each sees what is their own", async () => {
    expect((await alices.getBalance()).effective_unlocked_qty).toBe("800.0000000000");
    expect((await bobs.getBalance()).effective_unlocked_qty).toBe("200.0000000000");
    const namesOf = async (wallet: ValidatorClient) =>
      (await wallet.listAnsEntries()).entries.map(({ name }) => name);
    expect(await namesOf(alices)).toEqual(["alice.unverified.cns"]);
    expect(await namesOf(bobs)).toEqual(["bob.unverified.cns"]);
    expect((await bobs.listSubscriptionRequests()).subscription_requests).toEqual([]);
    expect((await bobs.listSubscriptions()).subscriptions).toHaveLength(1);
    expect((await bobs.userStatus()).party_id).toBe(bob.party);
  });

  test("a call about another user's contracts is refused and changes nothing", async () => {
    const [request] = (await alices.listSubscriptionRequests()).subscription_requests;
    const [item] = (await alices.listSubscriptions()).subscriptions;
    if (request === undefined || item === undefined || !("idle" in item.state))
      throw new Error("nothing to try");
    const byRequest = { params: { contract_id: request.contract_id } };
    const byState = { params: { contract_id: item.state.idle.contract_id } };
    const bySubscription = { params: { subscription_id: item.subscription.contract_id } };
    const before = await picture(alices);
    const tries = [
      () => bobs.getSubscriptionRequest(byRequest),
      () => bobs.acceptSubscriptionRequest(byRequest),
      () => bobs.rejectSubscriptionRequest(byRequest),
      () => bobs.cancelSubscriptionRequest(byState),
      () => bobs.setAutoRenewal({ ...bySubscription, body: { enabled: false } }),
      () => bobs.paySubscription(bySubscription),
    ];
    for (const attempt of tries) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error instanceof HttpError && error.status).toBe(404);
    }
    await network.net.settle();
    expect(await picture(alices)).toEqual(before);
    expect((await bobs.getBalance()).effective_unlocked_qty).toBe("200.0000000000");
  });

  test("a name that one has asked for, the other may still ask for, with contracts of their own", async () => {
    const body = { name: "alice-two", url: "", description: "" };
    const [theirs, ours] = [await alices.createAnsEntry({ body }), await bobs.createAnsEntry({ body })];
    expect(ours.subscriptionRequestCid).not.toBe(theirs.subscriptionRequestCid);
    await bobs.rejectSubscriptionRequest({ params: { contract_id: ours.subscriptionRequestCid } });
    expect((await alices.createAnsEntry({ body })).subscriptionRequestCid).toBe(
      theirs.subscriptionRequestCid,
    );
  });
});

async function picture(wallet: ValidatorClient) {
  return [
    await wallet.getBalance(),
    await wallet.listAnsEntries(),
    await wallet.listSubscriptionRequests(),
    await wallet.listSubscriptions(),
  ];
}

test("a validator whose network is not there yet: alive, not ready, and no other path is known", async () => {
  const starting = await startValidator({
    dataFolder: temporaryFolder(),
    host: "127.0.0.1",
    port: 0,
    participantUrl: "http://127.0.0.1:9",
    scans: ["http://127.0.0.1:9/api/scan"],
    auth: AUTH,
    serviceUser: { userId: "ledger-api-user", token: () => "" },
    walletUsers: ["app-user"],
    operatorPartyHint: "nobody",
    log: silentLog,
  });
  try {
    const statusAt = async (path: string) => (await fetch(`${starting.url}/api/validator${path}`)).status;
    expect([await statusAt("/livez"), await statusAt("/readyz"), await statusAt("/version")]).toEqual([
      200, 503, 200,
    ]);
    expect(starting.isReady()).toBe(false);
    expect(starting.operatorParty()).toBeNull();
    for (const path of ["/api/validator/v0/wallet/balance", "/api/validator/v0/validator-user"]) {
      const unknown = await fetch(starting.url + path);
      expect(unknown.status).toBe(404);
      expect(await unknown.json()).toEqual({ error: `The requested resource could not be found: ${path}` });
    }
  } finally {
    await starting.close();
  }
});
