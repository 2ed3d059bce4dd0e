// Coin from one validator's wallet to another's: by offers, by preapprovals; and traffic that a wallet buys on request.

import { HttpError } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { formatInstant, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let alices: ValidatorClient;
let bobs: ValidatorClient;
let alice: string;
let bob: string;
let domain: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  [alices, bobs] = [network.validator("app-user"), network.validator("app-provider")];
  [alice, bob] = [await network.party("app-user"), await network.party("app-provider")];
  domain = (await alices.scanProxyGetAmuletRules()).amulet_rules.domain_id ?? "";
  await alices.tap({ body: { amount: "50" } });
});
afterAll(() => network?.close());

const says = (text: string | RegExp) => ({ error: expect.stringMatching(text) });
const inTime = (microseconds: bigint) => Number(network.net.now() + microseconds);

function offer(change: Partial<Parameters<ValidatorClient["createTransferOffer"]>[0]["body"]> = {}) {
  return {
    body: {
      receiver_party_id: bob,
      amount: "10.0",
      description: "for the tickets",
      expires_at: inTime(HOUR),
      tracking_id: fresh("offer"),
      ...change,
    },
  };
}

async function offered(change: Parameters<typeof offer>[0] = {}) {
  const request = offer(change);
  const { offer_contract_id: contract_id } = await alices.createTransferOffer(request);
  await network.settle();
  return {
    request,
    byContract: { params: { contract_id } },
    tracking: { params: { tracking_id: request.body.tracking_id } },
  };
}

/** The coins of both wallets, once both have seen every update and have no task left. */
async function coins(): Promise<readonly [number, number]> {
  await network.settle();
  return [
    Number((await alices.getBalance()).effective_unlocked_qty),
    Number((await bobs.getBalance()).effective_unlocked_qty),
  ];
}

describe("a transfer offer", () => {
  test("shows to both, is accepted by the receiver, and then paid by the sender's wallet", async () => {
    const [alicesCoin, bobsCoin] = await coins();
    const { request, byContract, tracking } = await offered();
    const [seen] = (await bobs.listTransferOffers()).offers;
    expect(seen).toEqual({
      template_id: expect.stringMatching(/^[0-9a-f]{64}:Splice\.Wallet\.TransferOffer:TransferOffer$/),
      contract_id: byContract.params.contract_id,
      payload: {
        sender: alice,
        receiver: bob,
        dso: expect.stringMatching(/^DSO::/),
        amount: { amount: "10.0", unit: "AmuletUnit" },
        description: "for the tickets",
        expiresAt: formatInstant(timeFromMicros(BigInt(request.body.expires_at))),
        trackingId: request.body.tracking_id,
      },
      created_event_blob: expect.stringMatching(/./),
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await alices.listTransferOffers()).offers).toEqual([seen]);
    const { contract_id } = byContract.params;
    expect(await alices.getTransferOfferStatus(tracking)).toEqual({
      status: "created",
      transaction_id: expect.stringMatching(/^1220[0-9a-f]{64}$/),
      contract_id,
    });
    const accepted = await bobs.acceptTransferOffer(byContract);
    expect(await coins()).toEqual([alicesCoin - 10, bobsCoin + 10]);
    expect(await bobs.acceptTransferOffer(byContract)).toEqual(accepted);
    expect(await alices.listTransferOffers()).toEqual({ offers: [] });
    expect(await bobs.listAcceptedTransferOffers()).toEqual({ accepted_offers: [] });
    expect(await alices.getTransferOfferStatus(tracking)).toMatchObject({ status: "completed" });
  });

  test("waits as accepted for a sender without the coin, and both see it", async () => {
    const { byContract, tracking } = await offered({ amount: "1000000.0" });
    const { accepted_offer_contract_id: contract_id } = await bobs.acceptTransferOffer(byContract);
    await network.settle();
    for (const wallet of [alices, bobs])
      expect((await wallet.listAcceptedTransferOffers()).accepted_offers).toMatchObject([{ contract_id }]);
    expect(await alices.getTransferOfferStatus(tracking)).toMatchObject({ status: "accepted", contract_id });
    await network.net.moveClock(2n * HOUR);
    await network.settle();
    expect(await bobs.listAcceptedTransferOffers()).toEqual({ accepted_offers: [] });
    expect(await alices.getTransferOfferStatus(tracking)).toEqual({
      status: "failed",
      failure_kind: "expired",
      withdrawn_reason: null,
    });
  });

  test("is rejected by the receiver alone and withdrawn by the sender alone, once", async () => {
    const [rejected, withdrawn] = [await offered(), await offered()];
    const before = await coins();
    for (const attempt of [
      () => alices.acceptTransferOffer(rejected.byContract),
      () => alices.rejectTransferOffer(rejected.byContract),
      () => bobs.withdrawTransferOffer(withdrawn.byContract),
    ])
      expect((await outcomeOf(attempt())).status).toBe(404);
    await bobs.rejectTransferOffer(rejected.byContract);
    await alices.withdrawTransferOffer(withdrawn.byContract);
    await network.settle();
    // The repeated calls get their first answer; any other answer comes too late.
    await bobs.rejectTransferOffer(rejected.byContract);
    await alices.withdrawTransferOffer(withdrawn.byContract);
    expect((await outcomeOf(bobs.acceptTransferOffer(rejected.byContract))).status).toBe(404);
    expect((await outcomeOf(bobs.acceptTransferOffer(withdrawn.byContract))).status).toBe(404);
    expect(await alices.listTransferOffers()).toEqual({ offers: [] });
    expect(await coins()).toEqual(before);
    expect(await alices.getTransferOfferStatus(rejected.tracking)).toEqual({
      status: "failed",
      failure_kind: "rejected",
      withdrawn_reason: null,
    });
    expect(await alices.getTransferOfferStatus(withdrawn.tracking)).toEqual({
      status: "failed",
      failure_kind: "withdrawn",
      withdrawn_reason: "Withdrawn by sender",
    });
  });

  test("repeated, gets the first answer, also after its end; other content under its tracking id is refused", async () => {
    const { request, byContract } = await offered();
    const again = async () => (await alices.createTransferOffer(request)).offer_contract_id;
    expect(await again()).toBe(byContract.params.contract_id);
    expect((await alices.listTransferOffers()).offers).toHaveLength(1);
    const other = { body: { ...request.body, amount: "11.0" } };
    const inUse = {
      status: 409,
      body: says(`Transfer offer with trackingId ${request.body.tracking_id} already exists`),
    };
    expect(await outcomeOf(alices.createTransferOffer(other))).toEqual(inUse);
    // Another wallet's ids are its own.
    await bobs.createTransferOffer({ body: { ...request.body, receiver_party_id: alice } });
    await alices.withdrawTransferOffer(byContract);
    expect(await again()).toBe(byContract.params.contract_id);
    await network.settle();
    const [bobsOffer] = (await alices.listTransferOffers()).offers;
    await alices.rejectTransferOffer({ params: { contract_id: bobsOffer?.contract_id ?? "" } });
    // The answer is known for a day, the tracking id for ever.
    await network.net.moveClock(8n * DAY);
    await network.settle();
    expect(await outcomeOf(alices.createTransferOffer(request))).toEqual(inUse);
  });

  test("that nobody could accept is refused at once", async () => {
    const past = { status: 400, body: says(/expires_at: .* is over/) };
    expect(await outcomeOf(alices.createTransferOffer(offer({ expires_at: inTime(-HOUR) })))).toEqual(past);
    const nobody = offer({ receiver_party_id: `nobody::1220${"ab".repeat(32)}` });
    expect((await outcomeOf(alices.createTransferOffer(nobody))).status).toBe(404);
    expect(await alices.listTransferOffers()).toEqual({ offers: [] });
    const unknown = await outcomeOf(alices.getTransferOfferStatus({ params: { tracking_id: "never used" } }));
    expect(unknown).toEqual({
      status: 404,
      body: { error: "Couldn't find transfer offer with tracking id never used" },
    });
  });
});

describe("a preapproval", () => {
  const send = (amount: string, deduplication_id: string, description?: string) =>
    alices.transferPreapprovalSend({
      body: { receiver_party_id: bob, amount, deduplication_id, ...(description && { description }) },
    });

  test("is needed before coin can be sent", async () => {
    expect(await outcomeOf(send("1.0", "early"))).toEqual({
      status: 400,
      body: says(/has no transfer preapproval/),
    });
  });

  test("that the validator cannot pay for yet is told with the missing coin, and created when there is coin", async () => {
    const { status, body } = await outcomeOf(bobs.createTransferPreapproval());
    expect([status, body]).toEqual([429, says(/too little coin to pay .*: [0-9.]+ more is needed/)]);
    await bobs.tap({ body: { amount: "5" } });
    await network.settle();
    expect(await outcomeOf(bobs.createTransferPreapproval())).toEqual({
      status: 409,
      body: { transfer_preapproval_contract_id: expect.stringMatching(/^00/) },
    });
  });

  test("is created once, however often it is asked for at once", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => alices.createTransferPreapproval().catch((error: HttpError) => error)),
    );
    const made = answers.filter((answer) => !(answer instanceof HttpError));
    expect(made).toHaveLength(1);
    for (const answer of answers)
      if (answer instanceof HttpError) expect([answer.status, answer.body]).toEqual([409, made[0]]);
  });

  test("lets coin come in one step, once for each deduplication id", async () => {
    const [alicesCoin, bobsCoin] = await coins();
    await send("7.5", "first", "for the tickets");
    await send("7.5", "first", "for the tickets");
    expect(await coins()).toEqual([alicesCoin - 7.5, bobsCoin + 7.5]);
    const other = await outcomeOf(send("8.5", "first", "for the tickets"));
    expect(other).toEqual({ status: 409, body: says("Transfer with deduplication_id first already exists") });
    await send("8.5", "second");
    expect(await coins()).toEqual([alicesCoin - 16, bobsCoin + 16]);
  });

  test("asks for no more coin than there is: the missing amount is told, and the id stays free", async () => {
    const [alicesCoin, bobsCoin] = await coins();
    const { status, body } = await outcomeOf(send(`${alicesCoin + 3}`, "large"));
    expect([status, body]).toEqual([400, says("^Not enough coin: 3.0 more is needed")]);
    await send("1.0", "large");
    expect(await coins()).toEqual([alicesCoin - 1, bobsCoin + 1]);
  });
});

describe("a request to buy traffic", () => {
  const request = (
    change: Partial<Parameters<ValidatorClient["createBuyTrafficRequest"]>[0]["body"]> = {},
  ) => ({
    body: {
      receiving_validator_party_id: bob,
      domain_id: domain,
      traffic_amount: 200_000,
      tracking_id: fresh("traffic"),
      expires_at: inTime(HOUR),
      ...change,
    },
  });

  async function trafficOfBob(): Promise<number> {
    const { participant_id: member_id } = await network
      .scan()
      .getPartyToParticipant({ params: { domain_id: domain, party_id: bob } });
    const { traffic_status } = await network
      .scan()
      .getMemberTrafficStatus({ params: { domain_id: domain, member_id } });
    return traffic_status.actual.total_limit;
  }

  test("is paid by the wallet for the participant of the party, once", async () => {
    const [before, [alicesCoin]] = [await trafficOfBob(), await coins()];
    const asked = request();
    const { request_contract_id } = await alices.createBuyTrafficRequest(asked);
    expect(await alices.createBuyTrafficRequest(asked)).toEqual({ request_contract_id });
    // 0.2 MB × 16.67 $ ÷ 0.005 $.
    expect((await coins())[0]).toBeCloseTo(alicesCoin - 666.8, 4);
    expect(await trafficOfBob()).toBe(before + 200_000);
    expect(await alices.getBuyTrafficRequestStatus({ params: asked.body })).toEqual({
      status: "completed",
      transaction_id: expect.stringMatching(/^1220[0-9a-f]{64}$/),
    });
    const other = { body: { ...asked.body, traffic_amount: 300_000 } };
    expect(await outcomeOf(alices.createBuyTrafficRequest(other))).toEqual({
      status: 409,
      body: says(`Buy traffic request with trackingId ${asked.body.tracking_id} already exists`),
    });
  });

  test.each([
    ["of no bytes", { traffic_amount: 0 }, "trafficAmount must be positive"],
    ["of too few bytes", { traffic_amount: 199_999 }, "sells 200000 bytes or more"],
    [
      "for another synchronizer",
      { domain_id: `other::1220${"ab".repeat(32)}` },
      "is no synchronizer of this network",
    ],
    [
      "for a party that nobody hosts",
      { receiving_validator_party_id: "nobody::1220" },
      "Could not find participant hosting nobody::1220 on domain",
    ],
    [
      "beyond the wallet's coin",
      { traffic_amount: 1_000_000_000 },
      "^Not enough coin: [0-9.]+ more is needed",
    ],
  ])("%s is refused at once", async (_, change, text) => {
    const asked = request(change);
    expect(await outcomeOf(alices.createBuyTrafficRequest(asked))).toEqual({ status: 400, body: says(text) });
    expect(await outcomeOf(alices.getBuyTrafficRequestStatus({ params: asked.body }))).toEqual({
      status: 404,
      body: { error: `Couldn't find buy traffic request with tracking id ${asked.body.tracking_id}` },
    });
  });
});
