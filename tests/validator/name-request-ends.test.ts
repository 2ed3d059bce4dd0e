// Requests for names that nobody answers, that no SV decides, or that their user takes back: how each ended, over HTTP.

import type { Command, NameRequest } from "@callsign/api";
import { type ContractId, type PartyId, SubscriptionInitialPayment, TakeUpRequest } from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { create, exercise } from "../../packages/validator/src/ledger/commands.ts";
import { findCoinContext, submitAsUser } from "../localnet/own-commands.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;
let alice: PartyId;

beforeAll(async () => {
  // No SV collects or rejects a first payment.
  network = await LocalNetwork.start({ pausedAutomations: ["record-liveness", "decide-first-payments"] });
  wallet = network.validator();
  alice = (await network.party("app-user")) as PartyId;
});
afterAll(() => network?.close());

async function request(name: string): Promise<string> {
  return (await network.request("app-user", { name })).subscriptionRequestCid;
}

async function findRequest(id: string): Promise<NameRequest | undefined> {
  return (await wallet.listNameRequests({})).requests.find((each) => each.id === id);
}

async function latestRequest(): Promise<NameRequest | undefined> {
  return (await wallet.listNameRequests({})).requests[0];
}

const submit = (command: Command, disclosed: Parameters<typeof submitAsUser>[3] = []) =>
  submitAsUser(network, { node: "app-user", party: alice }, command, disclosed);

/** Asks to take up an entry that does not exist. */
async function takeUp() {
  const { dso_party_id } = await wallet.scanProxyGetDsoPartyId();
  return create(TakeUpRequest, {
    ...{ dso: dso_party_id as PartyId, user: alice, name: "alice.unverified.cns" },
    entry: `00${"a".repeat(64)}ca101220${"a".repeat(64)}` as ContractId,
    payData: {
      paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" },
      paymentInterval: { microseconds: 90n * DAY },
      paymentDuration: { microseconds: 30n * DAY },
    },
  });
}

test("a payment that nobody collects expires, and the request shows the refund", async () => {
  await network.tap("app-user", "10");
  const id = await request("uncollected");
  const accepted = await network.accept("app-user", id);
  expect(await findRequest(id)).toMatchObject({ state: "paid", endedAt: null, refund: null });
  await network.net.moveClock(HOUR);
  const [amuletRules, round] = await findCoinContext(network);
  const transferContext = {
    amuletRules: amuletRules.contract_id as ContractId,
    openMiningRound: round.contract_id as ContractId,
    featuredAppRight: null,
  };
  const payment = accepted.initial_payment_contract_id as ContractId;
  const choice = "SubscriptionInitialPayment_Expire";
  const argument = { actor: alice, transferContext };
  await submit(exercise(SubscriptionInitialPayment, payment, choice, argument), [amuletRules, round]);
  await network.settle();
  const ended = await findRequest(id);
  expect(ended).toMatchObject({
    ...{ purpose: "purchase", name: "uncollected.unverified.cns", state: "expired", reason: "not_collected" },
    explanation: "The payment was given back. Nobody collected the payment before its lock ran out.",
    payment: { amount: "200.0000000000" },
    refund: { amount: "200.0000000000", at: ended?.endedAt },
  });
});

test("a request that nobody answers is withdrawn by the SVs", async () => {
  const id = await request("forgotten");
  await network.net.moveClock(31n * DAY);
  expect(await findRequest(id)).toMatchObject({ state: "waiting_for_payment", endedAt: null });
  await network.net.moveClock(31n * DAY);
  expect(await findRequest(id)).toMatchObject({
    ...{ purpose: "purchase", name: "forgotten.unverified.cns", state: "withdrawn", reason: null },
    explanation: "The SVs withdrew the subscription request, because nobody answered it.",
    ...{ endedAt: expect.any(String), payment: null, refund: null },
  });
});

test("a take-up that the SVs cannot accept is refused", async () => {
  await submit(await takeUp());
  await network.settle();
  expect(await latestRequest()).toMatchObject({
    ...{ purpose: "take_up", name: "alice.unverified.cns", state: "refused", reason: null },
    explanation:
      "The SVs could not accept the request: the entry had ended, had a subscription, or the terms had changed.",
    ...{ endedAt: expect.any(String), payment: null, refund: null },
  });
});

test("a take-up that the holder withdraws is shown as withdrawn by the holder", async () => {
  const asked = await takeUp();
  if (!("CreateCommand" in asked)) throw new Error("not a creation");
  const withdrawal = { choice: "TakeUpRequest_Withdraw", choiceArgument: {} };
  await submit({ CreateAndExerciseCommand: { ...asked.CreateCommand, ...withdrawal } });
  await network.settle();
  expect(await latestRequest()).toMatchObject({
    ...{ purpose: "take_up", state: "withdrawn", reason: null },
    explanation: "The holder withdrew the request.",
    ...{ endedAt: expect.any(String), payment: null, refund: null },
  });
});
