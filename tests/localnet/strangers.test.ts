// Every operation of the validator, called by each kind of caller: its rule decides, and no caller reads or moves another's contracts.

import {
  AppPaymentRequest,
  decimal,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuthRule } from "../../packages/api/src/auth-rule.ts";
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { PROXIED_EXCEPTIONS, proxiedRequests } from "./proxied-requests.ts";
import {
  type Sent,
  STRANGERS,
  type Statuses,
  type Stranger,
  send,
  tokenOf,
  withoutToken,
} from "./strangers.ts";

type Id = keyof typeof validatorApi.endpoints;

const USERS = { right: "alice", other: "bob", admin: SERVICE_USER };

let network: LocalNetwork;
let validator: Validator;
let url: string;
let alice: ValidatorClient;
/** Requests of an application, and delegations, of Alice. */
let asked: readonly string[];
let proposed: readonly string[];
let delegated: string;
let parties: { readonly alice: string; readonly bob: string; readonly carol: string };
let domain: string;
/**
 * Alice's: requests to read, to accept and to reject, and her subscriptions to change and to cancel; offers that she
 * accepts, rejects and withdraws; the same of the token standard.
 */
let own: Readonly<
  Record<
    | ("read" | "accept" | "reject" | "subscription" | "idle" | "toAccept" | "toReject" | "toWithdraw")
    | ("tokensToAccept" | "tokensToReject" | "tokensToWithdraw" | "allocated"),
    string
  >
>;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const [first, second] = [await network.makeUser("alice"), await network.makeUser("bob")];
  const third = await network.makeUser("carol");
  parties = { alice: first.party, bob: second.party, carol: third.party };
  validator = await network.startValidator(["alice", "bob", "carol"], "three-wallets");
  url = validator.url;
  alice = validatorClient(url, first.token);
  await alice.tap({ body: { amount: "20" } });
  await validatorClient(url, second.token).tap({ body: { amount: "20" } });
  const carol = validatorClient(url, third.token);
  await carol.tap({ body: { amount: "1" } });
  await network.tap("app-user", "10");
  await carol.createTransferPreapproval();
  domain = (await alice.scanProxyGetAmuletRules()).amulet_rules.domain_id ?? "";
  await network.buy(alice, "alice");
  const ask = async (name: string) =>
    (await alice.createAnsEntry({ body: { name, url: "", description: "" } })).subscriptionRequestCid;
  const { subscriptions } = await alice.listSubscriptions();
  const [{ subscription, state }] = subscriptions as [(typeof subscriptions)[number]];
  own = {
    read: await ask("to-read"),
    accept: await ask("to-accept"),
    reject: await ask("to-reject"),
    subscription: subscription.contract_id,
    idle: "idle" in state ? state.idle.contract_id : "",
    toAccept: (await carol.createTransferOffer({ body: offer("to-accept", parties.alice) }))
      .offer_contract_id,
    toReject: (await carol.createTransferOffer({ body: offer("to-reject", parties.alice) }))
      .offer_contract_id,
    toWithdraw: (await alice.createTransferOffer({ body: offer("offered") })).offer_contract_id,
    tokensToAccept: await offerTokens(carol, "to-accept", parties.alice),
    tokensToReject: await offerTokens(carol, "to-reject", parties.alice),
    tokensToWithdraw: await offerTokens(alice, "to-withdraw", await network.party("app-provider")),
    allocated: await allocate(alice),
  };
  await alice.createBuyTrafficRequest({ body: traffic("requested") });
  await makeOwnContracts();
});
afterAll(() => network?.close());

/** Bob is the application and the beneficiary: he sees these contracts on the ledger, and not in his wallet. */
async function makeOwnContracts(): Promise<void> {
  const [sender, receiver] = [parties.alice as PartyId, parties.bob as PartyId];
  const dso = (await alice.scanProxyGetDsoPartyId()).dso_party_id as PartyId;
  const expiresAt = (network.net.now() + DAY) as Time;
  const amount = { amount: decimal("1"), unit: "AmuletUnit" } as const;
  const request = { sender, provider: receiver, dso, expiresAt, description: "" };
  const receiverAmounts = [{ receiver, amount }];
  const terms = { delegate: sender, dso, expiresAt, amuletMergeLimit: 10n };
  const delegation = { ...terms, beneficiary: receiver };
  // The accepted proposal replaces the delegations of its beneficiary.
  const beneficiary = validator.operatorParty() as PartyId;
  const commands = [
    ...[1, 2].map(() => create(AppPaymentRequest, { ...request, receiverAmounts })),
    ...[1, 2].map(() => create(MintingDelegationProposal, { delegation })),
    create(MintingDelegation, { ...terms, beneficiary }),
  ];
  await network.submit([sender, receiver, beneficiary], commands);
  await validator.idle();
  const { payment_requests } = await alice.listAppPaymentRequests();
  asked = payment_requests.map(({ contract }) => contract.contract_id);
  const { proposals } = await alice.listMintingDelegationProposals();
  proposed = proposals.map(({ contract }) => contract.contract_id);
  delegated = (await alice.listMintingDelegations()).delegations[0]?.contract.contract_id ?? "";
}

const byContract = (contract_id = "") => ({ params: { contract_id } });

/** Of and for Carol: Bob and Alice may both make them. */
function offer(tracking_id: string, receiver_party_id: string = parties.carol) {
  const expires_at = Number(network.net.now()) + 86_400_000_000;
  return { receiver_party_id, amount: "1.0", description: "", expires_at, tracking_id };
}

function traffic(tracking_id: string) {
  const expires_at = Number(network.net.now()) + 86_400_000_000;
  const wanted = { receiving_validator_party_id: parties.carol, traffic_amount: 200_000, domain_id: domain };
  return { ...wanted, tracking_id, expires_at };
}

/** To a receiver without a preapproval: the transfer waits. */
async function offerTokens(wallet: ValidatorClient, id: string, receiver: string): Promise<string> {
  const { output } = await wallet.createTokenStandardTransfer({ body: offer(id, receiver) });
  return "transfer_instruction_cid" in output ? output.transfer_instruction_cid : "";
}

async function allocate(wallet: ValidatorClient): Promise<string> {
  const { output } = await wallet.allocateAmulet({ body: allocation("allocated") });
  return "allocation_cid" in output ? output.allocation_cid : "";
}

function allocation(id: string) {
  const now = Number(network.net.now());
  return {
    settlement: {
      executor: parties.carol,
      settlement_ref: { id },
      ...{ requested_at: now, allocate_before: now + 3_600_000_000, settle_before: now + 7_200_000_000 },
    },
    ...{ transfer_leg_id: "leg", transfer_leg: { receiver: parties.carol, amount: "1.0" } },
  };
}

/** The subjects of the calls: Alice and her contracts. */
const requests: Readonly<Record<Id, () => Sent>> = {
  createAnsEntry: () => ({ body: { name: "more", url: "", description: "" } }),
  listAnsEntries: () => ({}),
  takeUpAnsEntry: () => ({ body: { name: "alice" } }),
  setPrimaryName: () => ({ body: { name: "alice" } }),
  removePrimaryName: () => ({}),
  listNameRequests: () => ({}),
  userStatus: () => ({}),
  tap: () => ({ body: { amount: "1" } }),
  getBalance: () => ({}),
  listTransactions: () => ({ body: { page_size: 10 } }),
  listSubscriptionRequests: () => ({}),
  getSubscriptionRequest: () => ({ params: { contract_id: own.read } }),
  acceptSubscriptionRequest: () => ({ params: { contract_id: own.accept } }),
  rejectSubscriptionRequest: () => ({ params: { contract_id: own.reject } }),
  cancelSubscriptionRequest: () => ({ params: { contract_id: own.idle } }),
  listSubscriptions: () => ({}),
  setAutoRenewal: () => ({ params: { subscription_id: own.subscription }, body: { enabled: false } }),
  paySubscription: () => ({ params: { subscription_id: own.subscription } }),
  listSubscriptionInitialPayments: () => ({}),
  list: () => ({}),
  listAppPaymentRequests: () => ({}),
  getAppPaymentRequest: () => byContract(asked[0]),
  acceptAppPaymentRequest: () => byContract(asked[0]),
  rejectAppPaymentRequest: () => byContract(asked[1]),
  listAcceptedAppPayments: () => ({}),
  listAppRewardCoupons: () => ({}),
  listValidatorRewardCoupons: () => ({}),
  listValidatorFaucetCoupons: () => ({}),
  listValidatorLivenessActivityRecords: () => ({}),
  listSvRewardCoupons: () => ({}),
  selfGrantFeatureAppRight: () => ({}),
  cancelFeaturedAppRights: () => ({}),
  allocateDevelopmentFundCoupon: () => ({
    body: { beneficiary: parties.alice, amount: "1", expiresAt: 4_000_000_000_000_000, reason: "" },
  }),
  listActiveDevelopmentFundCoupons: () => ({}),
  listDevelopmentFundCouponHistory: () => ({ query: { limit: 10 } }),
  withdrawDevelopmentFundCoupon: () => ({ ...byContract(own.read), body: { reason: "" } }),
  listMintingDelegationProposals: () => ({}),
  acceptMintingDelegationProposal: () => byContract(proposed[0]),
  rejectMintingDelegationProposal: () => byContract(proposed[1]),
  listMintingDelegations: () => ({}),
  rejectMintingDelegation: () => byContract(delegated),
  createTransferOffer: () => ({ body: offer("asked") }),
  listTransferOffers: () => ({}),
  getTransferOfferStatus: () => ({ params: { tracking_id: "offered" } }),
  acceptTransferOffer: () => ({ params: { contract_id: own.toAccept } }),
  rejectTransferOffer: () => ({ params: { contract_id: own.toReject } }),
  withdrawTransferOffer: () => ({ params: { contract_id: own.toWithdraw } }),
  listAcceptedTransferOffers: () => ({}),
  createBuyTrafficRequest: () => ({ body: traffic("asked") }),
  getBuyTrafficRequestStatus: () => ({ params: { tracking_id: "requested" } }),
  createTransferPreapproval: () => ({}),
  transferPreapprovalSend: () => ({
    body: { receiver_party_id: parties.carol, amount: "1.0", deduplication_id: "sent" },
  }),
  createTokenStandardTransfer: () => ({ body: offer("tokens") }),
  listTokenStandardTransfers: () => ({}),
  acceptTokenStandardTransfer: () => byContract(own.tokensToAccept),
  rejectTokenStandardTransfer: () => byContract(own.tokensToReject),
  withdrawTokenStandardTransfer: () => byContract(own.tokensToWithdraw),
  listAmuletAllocations: () => ({}),
  allocateAmulet: () => ({ body: allocation("asked") }),
  withdrawAmuletAllocation: () => byContract(own.allocated),
  listAllocationRequests: () => ({}),
  rejectAllocationRequest: () => byContract(own.read),
  scanProxyListAnsEntries: () => ({ query: { page_size: 10 } }),
  scanProxyLookupAnsEntryByName: () => ({ params: { name: "alice.unverified.cns" } }),
  scanProxyLookupAnsEntryByParty: () => ({ params: { party: parties.alice } }),
  scanProxyGetAnsRules: () => ({ body: {} }),
  scanProxyGetDsoPartyId: () => ({}),
  scanProxyGetAmuletRules: () => ({}),
  scanProxyGetOpenAndIssuingMiningRounds: () => ({}),
  ...proxiedRequests(() => parties),
  getValidatorUserInfo: () => ({}),
  getShownNames: () => ({}),
  listAutomations: () => ({}),
  pauseAutomation: () => ({ params: { automation: "report-activity" }, body: { paused: false } }),
  register: () => ({}),
  onboardUser: () => ({ body: { name: "dora" } }),
  listUsers: () => ({}),
  offboardUser: () => ({ query: { username: "dora" } }),
  dumpParticipantIdentities: () => ({}),
  getDecentralizedSynchronizerConnectionConfig: () => ({}),
  getValidatorDomainDataSnapshot: () => ({ query: { timestamp: "2026-01-01T00:00:00Z" } }),
  lookupTransferPreapprovalByParty: () => ({ params: { "receiver-party": parties.alice } }),
  cancelTransferPreapprovalByParty: () => ({ params: { "receiver-party": parties.alice } }),
  listTransferPreapprovals: () => ({}),
  featureSupport: () => ({}),
  isReady: () => ({}),
  isLive: () => ({}),
  getHealthStatus: () => ({}),
  getVersion: () => ({}),
};

const everybody = Object.fromEntries(STRANGERS.map((stranger) => [stranger, 200])) as Statuses;

/** The administrator has no wallet here, but is a user of the participant. */
const byRule: Readonly<Partial<Record<AuthRule, Statuses>>> = {
  none: everybody,
  user: { ...everybody, ...withoutToken(401) },
  "wallet-user": { ...everybody, ...withoutToken(401), "unknown user": 403, admin: 404 },
  "validator-operator": {
    ...Object.fromEntries(STRANGERS.map((stranger) => [stranger, 403])),
    ...withoutToken(401),
    admin: 200,
  },
};

/** To Bob, Alice's contracts do not exist. */
const exceptions: Readonly<Partial<Record<Id, Statuses>>> = {
  ...PROXIED_EXCEPTIONS,
  getSubscriptionRequest: { "other user": 404 },
  acceptSubscriptionRequest: { "other user": 404 },
  rejectSubscriptionRequest: { "other user": 404 },
  cancelSubscriptionRequest: { "other user": 404 },
  setAutoRenewal: { "other user": 404 },
  getAppPaymentRequest: { "other user": 404 },
  acceptAppPaymentRequest: { "other user": 404 },
  rejectAppPaymentRequest: { "other user": 404 },
  acceptMintingDelegationProposal: { "other user": 404 },
  rejectMintingDelegationProposal: { "other user": 404 },
  rejectMintingDelegation: { "other user": 404 },
  getTransferOfferStatus: { "other user": 404 },
  acceptTransferOffer: { "other user": 404 },
  rejectTransferOffer: { "other user": 404 },
  withdrawTransferOffer: { "other user": 404 },
  acceptTokenStandardTransfer: { "other user": 404 },
  rejectTokenStandardTransfer: { "other user": 404 },
  withdrawTokenStandardTransfer: { "other user": 404 },
  withdrawAmuletAllocation: { "other user": 404 },
  // No application has asked for an allocation.
  rejectAllocationRequest: { "other user": 404, "right user": 404 },
  // Neither of them is the fund's manager, and it has given no coupon.
  allocateDevelopmentFundCoupon: { "other user": 400, "right user": 400 },
  withdrawDevelopmentFundCoupon: { "other user": 404, "right user": 404 },
  getBuyTrafficRequestStatus: { "other user": 404 },
  // The name is not cancelled.
  takeUpAnsEntry: { "other user": 404, "right user": 409 },
  setPrimaryName: { "other user": 404 },
  // A renewal is not due yet.
  paySubscription: { "other user": 404, "right user": 400 },
};

/** Last come a cancellation, since other calls need the request that it cancels, and a registration: it gives everybody a wallet. */
const order = (id: string) => ["cancelSubscriptionRequest", "register"].indexOf(id);
const endpoints = Object.values<Endpoint>(validatorApi.endpoints).sort((a, b) => order(a.id) - order(b.id));

async function picture(): Promise<unknown> {
  const { round: _, ...balance } = await alice.getBalance();
  return [
    balance,
    await alice.listAnsEntries(),
    await alice.listSubscriptionRequests(),
    await alice.listSubscriptions(),
    await alice.listAppPaymentRequests(),
    await alice.listMintingDelegationProposals(),
    await alice.listMintingDelegations(),
    await alice.listTransferOffers(),
    await alice.listAcceptedTransferOffers(),
    await alice.listTokenStandardTransfers(),
    await alice.listAmuletAllocations(),
  ];
}

const head = () => network.net.svs[0]?.replica.state.head.sequence;

describe.each(endpoints)("$id", (endpoint) => {
  const id = endpoint.id as Id;
  const call = (stranger: Stranger) =>
    send(`${url}/api/validator`, endpoint, requests[id](), tokenOf(stranger, USERS));

  test("has a rule and a request in this test", () => {
    expect(byRule[endpoint.auth], `the rule ${endpoint.auth} needs a row here`).toBeDefined();
    expect(requests[id], "the operation needs a request here").toBeDefined();
  });

  test("answers every caller by its rule, and changes nothing of Alice's for others", async () => {
    const expected = { ...byRule[endpoint.auth], ...exceptions[id] };
    await network.net.settle();
    await validator.idle();
    const before = await picture();
    const statuses: Record<string, number> = {};
    for (const stranger of STRANGERS.filter((each) => each !== "right user")) {
      const sequence = head();
      const { status, text } = await call(stranger);
      statuses[stranger] = status;
      // A wallet may have to do what was asked.
      if (status === 200 && endpoint.method !== "GET") {
        await validator.idle();
        await network.net.settle();
      }
      if (status >= 400) expect(head(), `${stranger} changed the ledger`).toBe(sequence);
      if (endpoint.auth === "wallet-user") {
        for (const secret of [parties.alice, ...Object.values(own), ...asked, ...proposed, delegated]) {
          if (!text.includes(secret)) continue;
          // A refusal may repeat the request.
          expect([stranger, status, text.includes('"payload"')]).toEqual([stranger, 404, false]);
        }
      }
    }
    expect(await picture()).toEqual(before);
    statuses["right user"] = (await call("right user")).status;
    expect(statuses).toEqual(expected);
  });
});

test("Bob's own calls took effect, and none of them on Alice's contracts", async () => {
  const token = tokenOf("other user", USERS) ?? "";
  const bob = validatorClient(url, token);
  const { subscription_requests } = await bob.listSubscriptionRequests();
  expect(subscription_requests.length).toBe(1);
  const ids = subscription_requests.map(({ contract_id }) => contract_id);
  expect(Object.values(own).filter((id) => ids.includes(id))).toEqual([]);
  expect(JSON.stringify(subscription_requests)).not.toContain(parties.alice);
  expect((await bob.listAnsEntries()).entries).toEqual([]);
});
