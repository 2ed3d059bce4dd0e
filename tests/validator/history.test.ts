// The history of wallets: every change of their coin with its counterparties and reasons, adding up to the balance.

import { createClient, participantAdminApi, type TransactionItem } from "@callsign/api";
import type { PartyId, Time } from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { buyWithoutValidator } from "../localnet/own-commands.ts";
import { compareWithBalance, historyOf } from "../support/history.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";

type Person = "bob" | "carol" | "operator" | "provider";

let network: LocalNetwork;
let validator: Validator;
let tokens: { readonly bob: string; readonly carol: string };
let parties: Readonly<Record<"bob" | "carol" | "operator" | "provider" | "dso", PartyId>>;
let wallets: Readonly<Record<Person, ValidatorClient>>;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const [bob, carol] = [await network.makeUser("bob"), await network.makeUser("carol")];
  validator = await network.startValidator(["app-user", "bob", "carol"], "hosting");
  tokens = { bob: bob.token, carol: carol.token };
  wallets = {
    bob: validatorClient(validator.url, bob.token),
    carol: validatorClient(validator.url, carol.token),
    operator: validatorClient(validator.url, network.tokenOf("app-user")),
    provider: network.validator("app-provider"),
  };
  const { dso_party_id } = await wallets.bob.scanProxyGetDsoPartyId();
  parties = {
    bob: bob.party as PartyId,
    carol: carol.party as PartyId,
    operator: validator.operatorParty() as PartyId,
    provider: (await network.party("app-provider")) as PartyId,
    dso: dso_party_id as PartyId,
  };
}, 180_000);
afterAll(() => network?.close());

async function quiet(): Promise<void> {
  await validator.idle();
  await network.net.settle();
  await validator.idle();
}

const inTime = (microseconds: bigint) => (network.net.now() + microseconds) as Time;

/** One wallet offers coin to another, which accepts; the automation pays. */
async function send(from: Person, to: Person, amount: number, tracking_id: string) {
  const { offer_contract_id: contract_id } = await wallets[from].createTransferOffer({
    body: {
      ...{ receiver_party_id: parties[to], amount: `${amount}.0`, description: "thanks", tracking_id },
      expires_at: Number(inTime(HOUR)),
    },
  });
  await wallets[to].acceptTransferOffer({ params: { contract_id } });
  await quiet();
}

const shortened = (item: TransactionItem) => {
  const { choice } = item.transaction_subtype;
  if (item.transaction_type === "transfer") {
    const { sender, receivers, name } = item;
    return [choice, sender, receivers, name];
  }
  if (item.transaction_type === "balance_change")
    return [choice, ...item.receivers, item.name, item.refund_reason];
  return [choice, item.transaction_type];
};

const amountOf = (party: keyof typeof parties, amount: string) => ({
  party: parties[party],
  amount: `${amount}.0000000000`,
});

describe("names", () => {
  test("a name that is bought shows its payment, its lock and its burning", async () => {
    await wallets.bob.tap({ body: { amount: "5" } });
    await network.buy(wallets.bob, "bobs");
    await quiet();
    const items = await historyOf(wallets.bob);
    const name = "bobs.unverified.cns";
    expect(items.map(shortened)).toEqual([
      ["AnsRules_CollectInitialEntryPayment", amountOf("bob", "0"), [amountOf("dso", "0")], name],
      ["SubscriptionRequest_AcceptAndMakePayment", amountOf("bob", "-200"), [], name],
      ["AmuletRules_DevNet_Tap", amountOf("bob", "1000"), null, null],
    ]);
    expect(items[0]).toMatchObject({
      transaction_type: "transfer",
      transaction_subtype: {
        template_id: expect.stringMatching(/^[0-9a-f]{64}:Splice\.Ans:AnsRules$/),
        amulet_operation: null,
        interface_id: null,
      },
      event_id: expect.stringMatching(/^#1220[0-9a-f]{64}:\d+$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$/),
      holding_fees: "0.0000000000",
      app_rewards_used: "0.0000000000",
      description: null,
      transfer_instruction_cid: null,
    });
  });

  test("of two buyers of one name the loser gets the payment back, with the reason", async () => {
    await wallets.carol.tap({ body: { amount: "5" } });
    await wallets.provider.tap({ body: { amount: "5" } });
    const buyers = [wallets.carol, wallets.provider];
    const asked = await Promise.all(
      buyers.map((buyer) => buyer.createAnsEntry({ body: { name: "wanted", url: "", description: "" } })),
    );
    await Promise.all(
      buyers.map((buyer, i) =>
        buyer.acceptSubscriptionRequest({ params: { contract_id: asked[i]?.subscriptionRequestCid ?? "" } }),
      ),
    );
    await quiet();
    const isCarols = (await network.owner("wanted.unverified.cns")) === parties.carol;
    const loser = isCarols ? "provider" : "carol";
    const [refund] = await historyOf(wallets[loser]);
    expect(refund && shortened(refund)).toEqual([
      "SubscriptionInitialPayment_Reject",
      amountOf(loser, "200"),
      "wanted.unverified.cns",
      "lost_race",
    ]);
  });

  test("a payment for a name that is not valid is given back, with the reason", async () => {
    await buyWithoutValidator(network, "app-provider", { name: "Not A Name" });
    await quiet();
    const [refund] = await historyOf(wallets.provider);
    expect(refund && shortened(refund)).toEqual([
      "SubscriptionInitialPayment_Reject",
      amountOf("provider", "200"),
      "Not A Name",
      "invalid_name",
    ]);
    const { requests } = await wallets.provider.listNameRequests({});
    expect(requests[0]).toMatchObject({
      ...{ name: "Not A Name", state: "given_back", reason: "invalid_name" },
      explanation: "The payment was given back. The name breaks the rules for names.",
      refund: { amount: "200.0000000000" },
    });
  });
});

test("a transfer shows each side the other", async () => {
  await send("bob", "carol", 30, "first");
  const [paid] = await historyOf(wallets.bob);
  expect(paid && shortened(paid)).toEqual([
    "AcceptedTransferOffer_Complete",
    amountOf("bob", "-30"),
    [amountOf("carol", "30")],
    null,
  ]);
  const [received] = await historyOf(wallets.carol);
  expect(received).toEqual(paid);
});

describe("pages", () => {
  test("of any size give the same items once, newest first", async () => {
    const whole = await historyOf(wallets.bob);
    expect(whole.length).toBeGreaterThan(3);
    expect(await historyOf(wallets.bob, 1)).toEqual(whole);
    expect(await historyOf(wallets.bob, 2)).toEqual(whole);
    expect(whole.map(({ date }) => Date.parse(date)).toSorted((a, b) => b - a)).toEqual(
      whole.map(({ date }) => Date.parse(date)),
    );
    expect(new Set(whole.map(({ event_id }) => event_id)).size).toBe(whole.length);
  });

  test("behind an event of somebody else, or behind none, are empty", async () => {
    const [others] = await historyOf(wallets.provider);
    for (const begin_after_id of [others?.event_id ?? "", "#1220ff:0", "nonsense", "x".repeat(5000)])
      expect(await wallets.bob.listTransactions({ body: { page_size: 10, begin_after_id } })).toEqual({
        items: [],
      });
  });
});

test("a life of random payments adds up to the balance at every step, for every wallet", async () => {
  const random = new Random(seed);
  let turn = 0;
  const { connectedSynchronizers } = await network.ledger().listConnectedSynchronizers({ query: {} });
  const domain_id = connectedSynchronizers[0]?.synchronizerId ?? "";
  const person = () => random.pick(["bob", "carol"] as const);
  const amount = () => random.between(1, 40);
  const deeds = random.shuffle([
    () => wallets[person()].tap({ body: { amount: `${random.between(1, 9)}.${random.between(1, 9)}` } }),
    () => wallets.provider.tap({ body: { amount: "3" } }),
    () => network.buy(wallets[person()], `life-${turn}`),
    () => send("bob", "operator", amount(), `to-operator-${turn}`),
    () => send("provider", "carol", amount(), `from-another-validator-${turn}`),
    () => send("carol", "provider", amount(), `to-another-validator-${turn}`),
    () => wallets.bob.createTransferPreapproval(),
    () =>
      wallets.operator.createBuyTrafficRequest({
        body: {
          ...{ receiving_validator_party_id: parties.operator, domain_id, traffic_amount: 200_000 },
          ...{ tracking_id: `traffic-${turn}`, expires_at: Number(inTime(HOUR)) },
        },
      }),
    () => network.net.moveClock(61n * DAY),
    () => network.net.moveClock(20n * MINUTE),
  ]);
  for (const wallet of Object.values(wallets)) await wallet.tap({ body: { amount: "9" } });
  for (const deed of deeds) {
    turn++;
    await deed();
    await quiet();
    for (const [who, wallet] of Object.entries(wallets)) {
      const { sum, balance } = await compareWithBalance(wallet);
      expect(sum, `${who} after ${deed} in turn ${turn}`).toBe(balance);
    }
  }
  const seen = new Set(
    (await Promise.all(Object.values(wallets).map((wallet) => historyOf(wallet))))
      .flat()
      .map(({ transaction_subtype: { choice } }) => choice),
  );
  for (const choice of [
    ...["AmuletRules_BuyMemberTraffic", "AmuletRules_CreateTransferPreapproval"],
    ...["AnsRules_CollectEntryRenewalPayment", "WalletAppInstall_ExecuteBatch"],
  ])
    expect(seen).toContain(choice);
}, 180_000);

describe("kept and built anew", () => {
  test("a validator without data reads the same history and outcomes from the participant", async () => {
    const late = await network.startValidator(["app-user", "bob", "carol"], "late");
    for (const who of ["bob", "carol"] as const)
      expect(await historyOf(validatorClient(late.url, tokens[who]))).toEqual(await historyOf(wallets[who]));
    const tracked = { params: { tracking_id: "first" } };
    const status = await validatorClient(late.url, tokens.bob).getTransferOfferStatus(tracked);
    expect(status).toMatchObject({ status: "completed" });
    expect(status).toEqual(await wallets.bob.getTransferOfferStatus(tracked));
    await late.close();
  });

  test("a wallet that comes later has its past, too", async () => {
    const grown = await network.startValidator(["app-user", "carol"], "grown");
    await grown.close();
    const again = await network.startValidator(["app-user", "bob", "carol"], "grown");
    const [bobs, carols] = [tokens.bob, tokens.carol].map((token) => validatorClient(again.url, token));
    if (bobs === undefined || carols === undefined) throw new Error("no wallets");
    expect(await historyOf(bobs)).toEqual(await historyOf(wallets.bob));
    expect(await historyOf(carols)).toEqual(await historyOf(wallets.carol));
    await again.close();
  });

  test("the history outlives the updates that the participant prunes", async () => {
    const before = await historyOf(wallets.bob);
    const baseUrl = `${network.net.nodes["app-user"].ledgerUrl}/api/participant-admin`;
    const token = () => network.net.serviceToken;
    const admin = createClient(participantAdminApi, { fetch, baseUrl, token });
    const { offset } = await network.ledger().getLedgerEnd();
    await wallets.bob.tap({ body: { amount: "1" } });
    await admin.prune({ body: { offset } });
    const after = await historyOf(wallets.bob);
    expect(after.slice(1)).toEqual(before);
    // A validator without data has what the participant still has.
    const late = await network.startValidator(["app-user", "bob", "carol"], "after-prune");
    expect(await historyOf(validatorClient(late.url, tokens.bob))).toEqual(after.slice(0, 1));
    await late.close();
  });
});
