// The development fund over HTTP: the SVs vote for a manager, who gives coupons, once each, and takes them back.

import {
  type ContractId,
  DevelopmentFundCoupon,
  formatInstant,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exercise } from "../../packages/validator/src/ledger/commands.ts";
import { outcomeOf, statusOf } from "../support/call-outcome.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

const HOUR = 3_600_000_000n;

let network: LocalNetwork;
let validator: Validator;
let operator: PartyId;
let bob: PartyId;
let operators: ValidatorClient;
let bobs: ValidatorClient;
/** A stranger to the fund. */
let carols: ValidatorClient;

beforeAll(async () => {
  // Nobody mints coupons, so that they stay.
  const pausedAutomations = ["record-liveness", "collect-rewards"] as const;
  network = await LocalNetwork.start({ pausedAutomations: [...pausedAutomations] });
  const made = await network.makeUser("bob");
  const other = await network.makeUser("carol");
  validator = await network.startValidator(["app-user", "bob", "carol"], "hosting", {
    pausedAutomations: [...pausedAutomations],
  });
  operator = validator.operatorParty() as PartyId;
  bob = made.party as PartyId;
  operators = validatorClient(validator.url, network.net.nodes["app-user"].token);
  bobs = validatorClient(validator.url, made.token);
  carols = validatorClient(validator.url, other.token);
});
afterAll(() => network?.close());

const inTime = (microseconds: bigint) => Number(network.net.now() + microseconds);

const giftOf = (amount: string, change: object = {}) => ({
  body: { beneficiary: operator as string, amount, expiresAt: inTime(HOUR), reason: "tools", ...change },
});

async function quiet(): Promise<void> {
  await validator.idle();
  await network.net.settle();
  // The network's own validators may have done something that concerns this one's wallets.
  await validator.idle();
}

async function fund() {
  const answer = await network.scan().listUnclaimedDevelopmentFundCoupons();
  return answer["unclaimed-development-fund-coupons"].map(({ contract }) => contract);
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const { status, body } = await outcomeOf(call);
  expect(status).toBe(400);
  return (body as { readonly error: string }).error;
}

const listed = async (client: ValidatorClient) =>
  (await client.listActiveDevelopmentFundCoupons()).active_development_fund_coupons;

test("without a manager nobody gives a coupon", async () => {
  expect(await refusalOf(bobs.allocateDevelopmentFundCoupon(giftOf("1")))).toMatch(/no manager/);
  expect(await listed(bobs)).toEqual([]);
});

test("the SVs vote for a manager; others are told who that is, and the manager how much is missing", async () => {
  const { contract } = (await bobs.scanProxyGetAmuletRules()).amulet_rules;
  const { configSchedule } = contract.payload as unknown as { configSchedule: { initialValue: object } };
  const baseConfig = configSchedule.initialValue;
  const newConfig = { ...baseConfig, optDevelopmentFundManager: bob };
  const amuletRulesAction = { tag: "CRARC_SetConfig", value: { newConfig, baseConfig } };
  const action = { tag: "ARC_AmuletRules", value: { amuletRulesAction } } as never;
  const { sv_party_id: requester } = await network.sv(1).getDsoInfo();
  const expiration = { microseconds: String(HOUR) };
  await network
    .sv(1)
    .createVoteRequest({ body: { requester, action, url: "", description: "", expiration } });
  await quiet();
  const [request] = (await network.sv(1).listDsoRulesVoteRequests()).dso_rules_vote_requests;
  const vote = { vote_request_contract_id: request?.contract_id ?? "", is_accepted: true };
  for (const sv of [2, 3])
    await network.sv(sv).castVote({ body: { ...vote, reason_url: "", reason_description: "" } });
  await quiet();
  expect(await refusalOf(operators.allocateDevelopmentFundCoupon(giftOf("1")))).toContain(bob);
  const empty = await refusalOf(bobs.allocateDevelopmentFundCoupon(giftOf("1.5")));
  expect(empty).toContain("has 0.0000000000, and 1.5000000000 more is needed");
});

test("a coupon is given once: a repeated request gets the first answer, and one in flight is refused", async () => {
  for (let i = 0; i < 3; i++) await network.net.moveClock(TICK);
  await quiet();
  const before = await fund();
  expect(before.length).toBeGreaterThan(0);
  const gift = giftOf("5", { expiresAt: inTime(2n * HOUR) });
  const atOnce = [1, 2, 3].map(() => statusOf(bobs.allocateDevelopmentFundCoupon(gift)));
  expect(new Set(await Promise.all(atOnce))).toEqual(new Set([200, 429]));
  const made = await bobs.allocateDevelopmentFundCoupon(gift);
  expect(await bobs.allocateDevelopmentFundCoupon(gift)).toEqual(made);
  const { development_fund_coupon_contract_id: id, unclaimed_development_fund_coupon_contract_id: rest } =
    made;
  const coupons = await network.listActive(DevelopmentFundCoupon, bob);
  expect(coupons.map(({ contractId }) => contractId)).toEqual([id]);
  expect(coupons[0]?.payload).toMatchObject({ beneficiary: operator, fundManager: bob, reason: "tools" });
  await network.net.settle();
  expect((await fund()).map(({ contract_id }) => contract_id)).toContain(rest);
  const shown = await listed(bobs);
  expect(shown.map(({ contract_id, payload }) => [contract_id, payload["amount"]])).toEqual([[id, "5.0"]]);
  expect(await listed(operators)).toEqual(shown);
});

test("coupons are listed by the time they expire", async () => {
  await bobs.allocateDevelopmentFundCoupon(giftOf("3", { expiresAt: inTime(3n * HOUR) }));
  await bobs.allocateDevelopmentFundCoupon(giftOf("1"));
  const amounts = (await listed(bobs)).map(({ payload }) => payload["amount"]);
  expect(amounts).toEqual(["1.0", "5.0", "3.0"]);
});

test("the manager takes a coupon back into the fund, once; the beneficiary may not", async () => {
  const [coupon] = await listed(bobs);
  const withdrawal = { params: { contract_id: coupon?.contract_id ?? "" }, body: { reason: "a slip" } };
  expect(await refusalOf(operators.withdrawDevelopmentFundCoupon(withdrawal))).toContain(bob);
  const withdrawn = await bobs.withdrawDevelopmentFundCoupon(withdrawal);
  await network.net.settle();
  const back = (await fund()).find(
    ({ contract_id }) => contract_id === withdrawn.unclaimed_development_fund_coupon_contract_id,
  );
  expect(back?.payload["amount"]).toBe("1.0");
  expect(await listed(bobs)).toHaveLength(2);
  // The manager's repeated call gets the first answer.
  expect(await bobs.withdrawDevelopmentFundCoupon(withdrawal)).toEqual(withdrawn);
  for (const client of [operators, carols])
    expect(await statusOf(client.withdrawDevelopmentFundCoupon(withdrawal))).toBe(404);
  const [left] = await listed(bobs);
  const others = { ...withdrawal, params: { contract_id: left?.contract_id ?? "" } };
  expect(await statusOf(carols.withdrawDevelopmentFundCoupon(others))).toBe(404);
  expect(await listed(carols)).toEqual([]);
});

async function historyOf(client: ValidatorClient, limit = 1000, after?: number | null) {
  const query = { limit, ...(typeof after === "number" ? { after: BigInt(after) } : {}) };
  return await client.listDevelopmentFundCouponHistory({ query });
}

describe("the history of coupons", () => {
  const expiresAt = () => inTime(HOUR / 2n);

  test("tells how each ended, the last first, to the manager and the beneficiary alone", async () => {
    const [rejected] = await listed(operators);
    const choice = "DevelopmentFundCoupon_Reject";
    const command = exercise(DevelopmentFundCoupon, rejected?.contract_id as ContractId, choice, {
      reason: "no, thanks",
    });
    await network.submit([operator], [command]);
    // A payment mints the beneficiary's coupons.
    await operators.tap({ body: { amount: "5" } });
    await network.buy(operators, "minted");
    expect((await operators.getBalance()).effective_unlocked_qty).toBe("803.0000000000");
    const until = expiresAt();
    await bobs.allocateDevelopmentFundCoupon(giftOf("2", { expiresAt: until }));
    await network.net.moveClock(HOUR);
    await quiet();
    const { development_fund_coupon_history: history } = await historyOf(bobs);
    const shared = { beneficiary: operator, fund_manager: bob, reason: "tools" };
    expect(history).toMatchObject([
      { ...shared, amount: "2.0000000000", status: "expired", rejection_or_withdrawal_reason: null },
      { ...shared, amount: "3.0000000000", status: "claimed", rejection_or_withdrawal_reason: null },
      { ...shared, amount: "5.0000000000", status: "rejected", rejection_or_withdrawal_reason: "no, thanks" },
      { ...shared, amount: "1.0000000000", status: "withdrawn", rejection_or_withdrawal_reason: "a slip" },
    ]);
    expect(history[0]?.expiresAt).toBe(formatInstant(BigInt(until) as Time));
    // As texts, a whole second comes behind its parts.
    for (const { createdAt, archivedAt } of history)
      expect(Date.parse(archivedAt) - Date.parse(createdAt)).toBeGreaterThan(0);
    expect(await listed(bobs)).toEqual([]);
    expect(await historyOf(operators)).toEqual(await historyOf(bobs));
    expect(await historyOf(carols)).toEqual({ development_fund_coupon_history: [], next_page_token: null });
  });

  test("comes in pages, and a validator that begins now reads it from its participant", async () => {
    const all = await historyOf(bobs);
    const first = await historyOf(bobs, 3);
    const second = await historyOf(bobs, 3, first.next_page_token);
    const pages = [...first.development_fund_coupon_history, ...second.development_fund_coupon_history];
    expect(pages).toEqual(all.development_fund_coupon_history);
    expect(await historyOf(bobs, 3, second.next_page_token)).toEqual({
      development_fund_coupon_history: [],
      next_page_token: null,
    });
    for (const limit of [0, 1001]) expect(await statusOf(historyOf(bobs, limit))).toBe(400);
    const late = await network.startValidator(["app-user", "bob"], "late");
    const { token } = network.net.nodes["app-user"];
    expect(await historyOf(validatorClient(late.url, token))).toEqual(all);
  });
});

test.each<[string, object]>([
  ["a beneficiary that is no party", { beneficiary: "nobody" }],
  ["nothing", { amount: "0" }],
  ["an amount that is none", { amount: "1e3" }],
  ["a time that is past", { expiresAt: 1 }],
  ["half a character", { reason: "\ud800" }],
  ["a reason without end", { reason: "x".repeat(4001) }],
])("a coupon with %s is refused, and the fund stays as it is", async (_, change) => {
  const before = await fund();
  await refusalOf(bobs.allocateDevelopmentFundCoupon(giftOf("1", change)));
  expect(await fund()).toEqual(before);
});
