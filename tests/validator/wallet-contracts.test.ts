// Coins, payments of applications, rewards, featured apps and delegations of a wallet, as its API shows and moves them.

import type { Command, ContractWithState } from "@callsign/api";
import {
  AcceptedAppPayment,
  AmuletRules,
  AppPaymentRequest,
  AppRewardCoupon,
  BuyTrafficRequest,
  type ContractId,
  decimalFromUnits,
  FeaturedAppRight,
  formatDecimal,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  type PayloadOf,
  parseDecimal,
  SubscriptionInitialPayment,
  scanJson,
  type Time,
  ValidatorLivenessActivityRecord,
} from "@callsign/ledger";
import type { NodeName } from "@callsign/localnet";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, exercise } from "../../packages/validator/src/ledger/commands.ts";
import { outcomeOf, statusOf } from "../support/call-outcome.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

const HOUR = 3_600_000_000n;
const UNIT = 10_000_000_000n;

let network: LocalNetwork;
let validator: Validator;
let dso: PartyId;
let operator: PartyId;
let bob: PartyId;
let operators: ValidatorClient;
let bobs: ValidatorClient;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const made = await network.makeUser("bob");
  // This validator records its liveness.
  validator = await network.startValidator(["app-user", "bob"], "hosting", { pausedAutomations: [] });
  operator = validator.operatorParty() as PartyId;
  bob = made.party as PartyId;
  operators = validatorClient(validator.url, network.net.nodes["app-user"].token);
  bobs = validatorClient(validator.url, made.token);
  dso = (await bobs.scanProxyGetDsoPartyId()).dso_party_id as PartyId;
});
afterAll(() => network?.close());

const inTime = (microseconds: bigint) => (network.net.now() + microseconds) as Time;

async function quiet(): Promise<void> {
  await validator.idle();
  await network.net.settle();
  // The network's own validators may have done something that concerns this one's wallets.
  await validator.idle();
}

/** Submits as the administrator, unless another token is given. */
async function submit(
  actAs: readonly PartyId[],
  commands: readonly Command[],
  token?: string,
  disclosed: readonly ContractWithState[] = [],
  node: NodeName = "app-user",
) {
  const disclosedContracts = disclosed.map(({ contract, domain_id }) => ({
    templateId: contract.template_id,
    contractId: contract.contract_id,
    createdEventBlob: contract.created_event_blob,
    synchronizerId: domain_id ?? "",
  }));
  const content = { actAs: [...actAs], commands: [...commands], disclosedContracts };
  await network.ledger(node, token).submitAndWait({ body: { commandId: crypto.randomUUID(), ...content } });
  await quiet();
}

const units = (text: string): bigint => {
  const parsed = parseDecimal(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const sumOf = (texts: readonly string[]) =>
  formatDecimal(decimalFromUnits(texts.reduce((sum, text) => sum + units(text), 0n)));

const idsOf = (contracts: readonly { readonly contract_id: string }[]) =>
  contracts.map(({ contract_id }) => contract_id);

describe("payments of applications", () => {
  async function ask(amount: bigint, description: string): Promise<string> {
    const request = {
      sender: bob,
      receiverAmounts: [{ receiver: operator, amount: { amount: amount * UNIT, unit: "AmuletUnit" } }],
      ...{ provider: operator, dso, expiresAt: inTime(HOUR), description },
    } as unknown as PayloadOf<typeof AppPaymentRequest>;
    await submit([bob, operator], [create(AppPaymentRequest, request)]);
    const [made] = (await bobs.listAppPaymentRequests()).payment_requests;
    if (made === undefined) throw new Error("the request is not listed");
    expect(made.contract.payload).toMatchObject({ sender: bob, description });
    return made.contract.contract_id;
  }
  const by = (contract_id: string) => ({ params: { contract_id } });

  test("without coin a request is refused at once with the amount that is missing, and stays", async () => {
    const request = by(await ask(300n, "too much"));
    const { status, body } = await outcomeOf(bobs.acceptAppPaymentRequest(request));
    expect([status, body]).toEqual([400, { error: expect.stringContaining("300.0 more is needed") }]);
    expect((await bobs.getBalance()).effective_locked_qty).toBe("0.0000000000");
    const { amulet_rules } = await bobs.scanProxyGetAmuletRules();
    const shown = await bobs.getAppPaymentRequest(request);
    expect(shown.domain_id).toBe(amulet_rules.domain_id);
    expect((await bobs.listAppPaymentRequests()).payment_requests).toEqual([shown]);
    await bobs.rejectAppPaymentRequest(request);
    expect((await bobs.listAppPaymentRequests()).payment_requests).toEqual([]);
    expect(await network.listActive(AppPaymentRequest, bob)).toEqual([]);
    const calls = [
      bobs.getAppPaymentRequest(request),
      bobs.acceptAppPaymentRequest(request),
      bobs.rejectAppPaymentRequest(request),
    ];
    // The repeated rejection gets its first answer.
    expect(await Promise.all(calls.map(statusOf))).toEqual([404, 404, 200]);
  });

  test("accepted at once and again, a request locks its coin once; the receiver does not see it in its wallet", async () => {
    await bobs.tap({ body: { amount: "5" } });
    const request = by(await ask(30n, "coffee"));
    expect((await operators.listAppPaymentRequests()).payment_requests).toEqual([]);
    expect(await statusOf(operators.acceptAppPaymentRequest(request))).toBe(404);
    const [first, second] = await Promise.all([
      bobs.acceptAppPaymentRequest(request),
      bobs.acceptAppPaymentRequest(request),
    ]);
    expect(second).toEqual(first);
    expect(await bobs.acceptAppPaymentRequest(request)).toEqual(first);
    expect(await bobs.getBalance()).toMatchObject({
      effective_unlocked_qty: "970.0000000000",
      effective_locked_qty: "30.0000000000",
    });
    const { accepted_app_payments } = await bobs.listAcceptedAppPayments();
    expect(idsOf(accepted_app_payments.map(({ contract }) => contract))).toEqual([
      first.accepted_payment_contract_id,
    ]);
    expect(accepted_app_payments[0]?.contract.payload).toMatchObject({
      sender: bob,
      reference: request.params.contract_id,
      amuletReceiverAmounts: [{ receiver: operator, amuletAmount: "30.0" }],
    });
    expect((await operators.listAcceptedAppPayments()).accepted_app_payments).toEqual([]);
    expect((await bobs.listAppPaymentRequests()).payment_requests).toEqual([]);
  });

  test("the coins that are listed add up to the balance, with their fees, on the network's synchronizer", async () => {
    const { amulets, locked_amulets } = await bobs.list();
    const balance = await bobs.getBalance();
    expect(amulets.map(({ effective_amount }) => effective_amount)).toEqual(["970.0000000000"]);
    expect(locked_amulets.map(({ effective_amount }) => effective_amount)).toEqual(["30.0000000000"]);
    const { amulet_rules } = await bobs.scanProxyGetAmuletRules();
    for (const { contract, round } of [...amulets, ...locked_amulets]) {
      expect([contract.domain_id, round]).toEqual([amulet_rules.domain_id, balance.round]);
      expect(contract.contract.created_event_blob).not.toBe("");
    }
    expect(amulets[0]?.contract.contract.payload).toMatchObject({ owner: bob, dso });
    expect(locked_amulets[0]?.contract.contract.payload).toMatchObject({ amulet: { owner: bob, dso } });
    expect(amulets[0]?.accrued_holding_fee).toBe("0.0000000000");
    expect((await operators.list()).locked_amulets).toEqual([]);
  });

  test("a payment that the receiver gives back is forgotten, and its coin is free", async () => {
    const { amulet_rules } = await bobs.scanProxyGetAmuletRules();
    const { open_mining_rounds } = await bobs.scanProxyGetOpenAndIssuingMiningRounds();
    const round = open_mining_rounds[0] as ContractWithState;
    const [payment] = await network.listActive(AcceptedAppPayment, bob);
    const context = {
      amuletRules: amulet_rules.contract.contract_id as ContractId,
      openMiningRound: round.contract.contract_id as ContractId,
      featuredAppRight: null,
    };
    const command = exercise(
      AcceptedAppPayment,
      payment?.contractId as ContractId,
      "AcceptedAppPayment_Reject",
      { context },
    );
    await submit([operator], [command], undefined, [amulet_rules, round]);
    expect((await bobs.listAcceptedAppPayments()).accepted_app_payments).toEqual([]);
    const again = by(payment?.payload.reference ?? "");
    expect(await statusOf(bobs.acceptAppPaymentRequest(again))).toBe(404);
    expect((await bobs.getBalance()).effective_unlocked_qty).toBe("1000.0000000000");
  });
});

describe("the right of a featured app", () => {
  const rightsOf = async (party: PartyId) =>
    (await network.listActive(FeaturedAppRight, party)).map(({ contractId }) => contractId);
  const isFeatured = async (client: ValidatorClient) => (await client.userStatus()).has_featured_app_right;

  test("granted twice at once and again, it is one right, and the user's alone", async () => {
    expect(await isFeatured(bobs)).toBe(false);
    const granted = await Promise.all([bobs.selfGrantFeatureAppRight(), bobs.selfGrantFeatureAppRight()]);
    granted.push(await bobs.selfGrantFeatureAppRight({ body: null }));
    expect(await rightsOf(bob)).toEqual([granted[0]?.contract_id]);
    expect(new Set(granted.map(({ contract_id }) => contract_id)).size).toBe(1);
    expect([await isFeatured(bobs), await isFeatured(operators)]).toEqual([true, false]);
    expect((await bobs.getValidatorUserInfo()).featured).toBe(false);
    await operators.selfGrantFeatureAppRight();
    expect((await bobs.getValidatorUserInfo()).featured).toBe(true);
  });

  test("activity of the app becomes a coupon, which its beneficiary's wallet lists", async () => {
    const [right] = await rightsOf(bob);
    const marker = {
      templateId: "#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight",
      contractId: right ?? "",
      choice: "FeaturedAppRight_CreateActivityMarker",
      choiceArgument: { beneficiaries: [{ beneficiary: bob, weight: "1.0" }] },
    };
    await submit([bob], [{ ExerciseCommand: marker }]);
    await network.net.moveClock(60_000_000n);
    await quiet();
    const [coupon] = await network.listActive(AppRewardCoupon, bob);
    const { app_reward_coupons } = await bobs.listAppRewardCoupons();
    expect(idsOf(app_reward_coupons)).toEqual([coupon?.contractId]);
    // A dollar, at half a cent a coin.
    expect(app_reward_coupons[0]?.payload).toMatchObject({ featured: true, amount: "200.0" });
    expect((await operators.listAppRewardCoupons()).app_reward_coupons).toEqual([]);
  });

  test("cancelled, every right is gone, however many there are; cancelling again is allowed", async () => {
    const { amulet_rules } = await bobs.scanProxyGetAmuletRules();
    const more = {
      templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
      contractId: amulet_rules.contract.contract_id,
      choice: "AmuletRules_DevNet_FeatureApp",
      choiceArgument: { provider: bob },
    };
    await submit([bob], [{ ExerciseCommand: more }, { ExerciseCommand: more }], undefined, [amulet_rules]);
    expect(await rightsOf(bob)).toHaveLength(3);
    await bobs.cancelFeaturedAppRights();
    expect(await rightsOf(bob)).toEqual([]);
    expect([await isFeatured(bobs), await isFeatured(operators)]).toEqual([false, true]);
    await bobs.cancelFeaturedAppRights();
  });
});

describe("rewards of validators", () => {
  /** The price is burned. */
  async function buyTraffic(endUserParty: PartyId): Promise<void> {
    const { contract } = (await bobs.scanProxyGetAmuletRules()).amulet_rules;
    const rules = AmuletRules.record.fromJson(contract.payload, scanJson);
    const { activeSynchronizer, fees } = rules.configSchedule.initialValue.decentralizedSynchronizer;
    const { participantId } = await network.ledger().getParticipantId();
    const request = {
      ...{ dso, endUserParty, expiresAt: inTime(HOUR), trackingId: "burn", migrationId: 0n },
      ...{ trafficAmount: fees.minTopupAmount, memberId: `PAR::${participantId}` },
      synchronizerId: activeSynchronizer,
    };
    await submit([endUserParty], [create(BuyTrafficRequest, request)]);
  }

  test("the operator lists its liveness, and the coupons for what its users burned", async () => {
    const before = units((await bobs.getBalance()).effective_unlocked_qty);
    await buyTraffic(bob);
    const burned = before - units((await bobs.getBalance()).effective_unlocked_qty);
    expect(burned).toBeGreaterThan(0n);
    const records = await network.listActive(ValidatorLivenessActivityRecord, operator);
    const { validator_liveness_activity_records } = await operators.listValidatorLivenessActivityRecords();
    expect(records.length).toBeGreaterThan(0);
    expect(idsOf(validator_liveness_activity_records)).toEqual(records.map(({ contractId }) => contractId));
    const { validator_reward_coupons } = await operators.listValidatorRewardCoupons();
    expect(validator_reward_coupons.map(({ payload }) => [payload["user"], payload["dso"]])).toEqual([
      [bob, dso],
    ]);
    expect(units(String(validator_reward_coupons[0]?.payload["amount"]))).toBe(burned);
    expect(await bobs.listValidatorRewardCoupons()).toEqual({ validator_reward_coupons: [] });
    expect(await bobs.listValidatorLivenessActivityRecords()).toEqual({
      validator_liveness_activity_records: [],
    });
  });

  test("a first payment that nobody has collected is listed for its sender", async () => {
    const none = `00${"ab".repeat(32)}` as ContractId;
    const payment = {
      subscriptionData: { sender: bob, receiver: operator, provider: operator, dso, description: "" },
      payData: {
        paymentAmount: { amount: UNIT, unit: "USDUnit" },
        paymentInterval: { microseconds: HOUR },
        paymentDuration: { microseconds: HOUR },
      },
      ...{ targetAmount: UNIT, lockedAmulet: none, round: { number: 1n }, reference: none },
    } as unknown as PayloadOf<typeof SubscriptionInitialPayment>;
    await submit([bob, operator], [create(SubscriptionInitialPayment, payment)]);
    const { initial_payments } = await bobs.listSubscriptionInitialPayments();
    expect(initial_payments.map(({ payload }) => payload)).toMatchObject([{ reference: none }]);
    expect((await operators.listSubscriptionInitialPayments()).initial_payments).toEqual([]);
  });

  test("as coins grow older, their fees are those of the balance", async () => {
    await network.net.moveClock(TICK);
    await network.net.moveClock(TICK);
    await quiet();
    const { amulets } = await bobs.list();
    const { total_holding_fees, effective_unlocked_qty } = await bobs.getBalance();
    expect(sumOf(amulets.map(({ accrued_holding_fee }) => accrued_holding_fee))).toBe(total_holding_fees);
    expect(sumOf(amulets.map(({ effective_amount }) => effective_amount))).toBe(effective_unlocked_qty);
  });
});

describe("minting delegations", () => {
  const terms = (beneficiary: PartyId, ofDso = dso) =>
    ({
      ...{ beneficiary, delegate: bob, dso: ofDso, amuletMergeLimit: 10n },
      expiresAt: inTime(24n * HOUR),
    }) as PayloadOf<typeof MintingDelegation>;
  const propose = (beneficiary: PartyId, ofDso = dso) =>
    submit(
      [beneficiary],
      [create(MintingDelegationProposal, { delegation: terms(beneficiary, ofDso) })],
      undefined,
      [],
      beneficiary === operator ? "app-user" : "app-provider",
    );
  const by = (contract_id: string) => ({ params: { contract_id } });
  const listed = async () => (await bobs.listMintingDelegationProposals()).proposals;
  const delegations = async () => (await bobs.listMintingDelegations()).delegations;

  test("proposals are listed page by page, each with whether its beneficiary is hosted here", async () => {
    await propose(operator);
    const beneficiary = (await network.party("app-provider")) as PartyId;
    await propose(beneficiary);
    await propose(operator);
    // A proposal that names another DSO is nobody's.
    await propose(beneficiary, beneficiary);
    const all = await bobs.listMintingDelegationProposals();
    expect(all.next_page_token).toBe(null);
    expect(all.proposals.map(({ beneficiary_hosted }) => beneficiary_hosted)).toEqual([true, false, true]);
    expect(all.proposals[1]?.contract.payload).toMatchObject({ delegation: { beneficiary, dso } });
    const pages: string[] = [];
    let after: bigint | undefined;
    for (let page = 0; page < 3; page++) {
      const query = { limit: 1, ...(after === undefined ? {} : { after }) };
      const { proposals, next_page_token } = await bobs.listMintingDelegationProposals({ query });
      pages.push(...idsOf(proposals.map(({ contract }) => contract)));
      expect(next_page_token === null).toBe(page === 2);
      after = BigInt(next_page_token ?? 0);
    }
    expect(pages).toEqual(idsOf(all.proposals.map(({ contract }) => contract)));
    for (const limit of [0, 1001])
      expect(await statusOf(bobs.listMintingDelegationProposals({ query: { limit } }))).toBe(400);
    expect((await operators.listMintingDelegationProposals()).proposals).toEqual([]);
  });

  test("an accepted proposal replaces the beneficiary's delegations, and nobody else accepts it", async () => {
    const [first, other, second] = (await listed()).map(({ contract }) => contract.contract_id);
    if (first === undefined || other === undefined || second === undefined)
      throw new Error("too few proposals");
    expect(await statusOf(operators.acceptMintingDelegationProposal(by(first)))).toBe(404);
    await bobs.acceptMintingDelegationProposal(by(first));
    const accepted = await bobs.acceptMintingDelegationProposal(by(other));
    expect(await delegations()).toHaveLength(2);
    await submit([operator, bob], [create(MintingDelegation, terms(operator))]);
    expect(await delegations()).toHaveLength(3);
    const last = await bobs.acceptMintingDelegationProposal(by(second));
    expect(
      (await delegations()).map(({ contract, beneficiary_hosted }) => [
        contract.contract_id,
        beneficiary_hosted,
      ]),
    ).toEqual([
      [accepted.contract_id, false],
      [last.contract_id, true],
    ]);
    expect(await listed()).toEqual([]);
    expect(await network.listActive(MintingDelegation, bob)).toHaveLength(2);
    expect(await bobs.acceptMintingDelegationProposal(by(second))).toEqual(last);
    expect(await network.listActive(MintingDelegation, bob)).toHaveLength(2);
  });

  test("a proposal and a delegation are rejected, once", async () => {
    await propose(operator);
    const [proposal] = await listed();
    const [, ended] = await delegations();
    const [asked, stood] = [by(proposal?.contract.contract_id ?? ""), by(ended?.contract.contract_id ?? "")];
    expect(await statusOf(operators.rejectMintingDelegationProposal(asked))).toBe(404);
    expect(await statusOf(operators.rejectMintingDelegation(stood))).toBe(404);
    await bobs.rejectMintingDelegationProposal(asked);
    await bobs.rejectMintingDelegation(stood);
    expect(await listed()).toEqual([]);
    expect(await delegations()).toHaveLength(1);
    await bobs.rejectMintingDelegationProposal(asked);
    await bobs.rejectMintingDelegation(stood);
    expect(await statusOf(bobs.acceptMintingDelegationProposal(asked))).toBe(404);
  });
});
