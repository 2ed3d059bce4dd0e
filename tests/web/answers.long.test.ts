// Answers of a wallet's owner: offers rejected, withdrawn and expired, payments asked for, traffic, delegations, a session's end.

import {
  AppPaymentRequest,
  type MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  type PayloadOf,
  type Time,
} from "@callsign/ledger";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { fresh } from "../support/fresh.ts";
import { countMarkup, tableOverflowOf } from "./support/inspect.ts";
import { MARKUP } from "./support/populate.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
let [user, shop, dso] = ["", "", ""] as PartyId[] as [PartyId, PartyId, PartyId];

beforeAll(async () => {
  const { network } = site;
  await network.tap("app-user", "100.0");
  user = (await network.party("app-user")) as PartyId;
  shop = (await network.makeUser("shop")).party as PartyId;
  // The participants' administrator submits for the shop.
  const rights = [{ kind: { CanActAs: { value: { party: shop } } } }];
  await network.ledger().grantUserRights({ params: { "user-id": SERVICE_USER }, body: { rights } });
  dso = (await network.validator().scanProxyGetDsoPartyId()).dso_party_id as PartyId;
});

const inTime = (microseconds: bigint) => (site.network.net.now() + microseconds) as Time;
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Coin that `app-user` offers to `app-provider`: locked until it is answered, or taken when it is accepted. */
async function offer(kind: "locked" | "unlocked", amount: string, description: string): Promise<void> {
  const body = {
    receiver_party_id: await site.network.party("app-provider"),
    ...{ amount, description, expires_at: Number(inTime(DAY)), tracking_id: fresh("offer") },
  };
  const sender = site.network.validator("app-user");
  await (kind === "locked"
    ? sender.createTokenStandardTransfer({ body })
    : sender.createTransferOffer({ body }));
  await site.network.settle();
}

/** The shop asks `app-user` for coin. */
async function askForPayment(amount: string, description: string): Promise<void> {
  const request: PayloadOf<typeof AppPaymentRequest> = {
    ...{ sender: user, provider: shop, dso, expiresAt: inTime(HOUR), description },
    receiverAmounts: [{ receiver: shop, amount: { amount: decimal(amount), unit: "AmuletUnit" } }],
  };
  await site.network.submit([user, shop], [create(AppPaymentRequest, request)]);
}

/** Other people's markup is on the page, as the text that it is. */
async function expectMarkupAsText(page: Page): Promise<void> {
  await page.getByText(MARKUP, { exact: true }).first().waitFor();
  expect(await countMarkup(page)).toBe(0);
  expect(await page.title()).not.toBe("1");
}

test("markup in the description of a name stays text on its owner's pages", async () => {
  await site.network.buy("app-user", {
    name: "markup",
    url: "https://example.com/%3Cb%3E",
    description: MARKUP,
  });
  const visitor = await site.visitAs("app-user", "/my-names");
  await visitor.page.getByRole("article", { name: "markup.unverified.cns" }).waitFor();
  for (const path of [
    "/my-names",
    "/wallet/subscriptions",
    "/wallet/history",
    "/names/markup.unverified.cns",
  ]) {
    await visitor.moveTo(path);
    await visitor.page.getByText("markup").first().waitFor();
    expect([path, await countMarkup(visitor.page)]).toEqual([path, 0]);
  }
});

test("locked coin is shown, and comes back when the receiver rejects the transfer", async () => {
  await offer("locked", "40.0", MARKUP);
  const sender = await site.visitAs("app-user", "/wallet");
  await sender.page.getByText("40 AMT", { exact: true }).waitFor();
  const receiver = await site.visitAs("app-provider", "/wallet/offers");
  await expectMarkupAsText(receiver.page);
  expect(await tableOverflowOf(receiver.page)).toBe(0);
  await receiver.page.getByRole("button", { name: "Reject" }).click();
  await receiver.page.getByText("Nobody offers you coin at present").waitFor();
  await sender.page.getByText("0 AMT", { exact: true }).waitFor();
  await sender.moveTo("/wallet/history");
  await expectMarkupAsText(sender.page);
  await sender.page.getByRole("row", { name: /Came back.*\+40\sAMT/ }).waitFor();
});

test("an offer that its sender withdraws is gone for the receiver, and one that expires pays nobody", async () => {
  await offer("unlocked", "2.0", MARKUP);
  await offer("locked", "5.0", "too late");
  const before = await site.network.unlocked("app-user");
  const sender = await site.visitAs("app-user", "/wallet/offers");
  const receiver = await site.visitAs("app-provider", "/wallet/offers");
  await expectMarkupAsText(receiver.page);
  expect(await tableOverflowOf(sender.page)).toBe(0);
  await sender.page
    .getByRole("row", { name: /2\sAMT/ })
    .getByRole("button", { name: "Withdraw" })
    .click();
  await receiver.page.getByRole("row", { name: /2\sAMT/ }).waitFor({ state: "detached" });
  expect(await site.network.unlocked("app-user")).toBe(before);
  await site.network.forward(1, HOUR);
  await site.network.settle();
  await receiver.page.getByText("Nobody offers you coin at present").waitFor();
  await sender.page.getByText("You offer nobody coin at present").waitFor();
  expect(await site.network.locked("app-user")).toBe(0n);
});

test("a payment and a subscription that are asked for are rejected in the list, and a payment paid on its page", async () => {
  await askForPayment("7.0", "unwanted");
  await site.network.request("app-user", { name: "declined" });
  const before = await site.network.unlocked("app-user");
  const visitor = await site.visitAs("app-user", "/wallet/offers");
  const { page } = visitor;
  await page
    .getByRole("row", { name: /unwanted/ })
    .getByRole("button", { name: "Reject" })
    .click();
  await page.getByText("No application asks for a payment").waitFor();
  await page
    .getByRole("row", { name: /declined/ })
    .getByRole("button", { name: "Reject" })
    .click();
  await page.getByText("No subscription waits for your answer").waitFor();
  expect(await site.network.unlocked("app-user")).toBe(before);
  await askForPayment("3.0", MARKUP);
  await expectMarkupAsText(page);
  await page.getByRole("link", { name: "Look and pay" }).click();
  await page.getByRole("heading", { name: "Confirm a payment" }).waitFor();
  await expectMarkupAsText(page);
  await page.locator("#payment-request-accept-button").click();
  await page.getByText("Paid", { exact: true }).waitFor();
  expect(await site.network.locked("app-user")).toBe(decimal("3.0"));
  await visitor.moveTo("/wallet");
  await page.getByText("3 AMT", { exact: true }).waitFor();
});

test("traffic is bought for coin, and a wallet with too little of it reads how much is missing", async () => {
  const visitor = await site.visitAs("app-user", "/wallet/traffic");
  const { page } = visitor;
  const amount = page.getByLabel("Amount", { exact: true });
  await amount.fill("0.1");
  await page.getByText(/^The network sells .* MB or more at a time\.$/).waitFor();
  await amount.fill("2");
  const before = await site.network.unlocked("app-user");
  await page.getByRole("button", { name: "Buy" }).click();
  await page.getByText("Bought. The traffic counts from now on.").waitFor();
  expect(await site.network.unlocked("app-user")).toBeLessThan(before);
  await page.getByText("2 MB", { exact: true }).first().waitFor();
  await amount.fill("1000000");
  await page.getByText(/^You have .*\sAMT too little\.$/).waitFor();
  expect(await page.getByRole("button", { name: "Buy" }).isDisabled()).toBe(true);
});

test("a delegation that a party proposes is accepted and ended, and another one rejected", async () => {
  const propose = async () => {
    const delegation: PayloadOf<typeof MintingDelegation> = {
      ...{ beneficiary: shop, delegate: user, dso, amuletMergeLimit: 10n, expiresAt: inTime(DAY) },
    };
    await site.network.submit([shop], [create(MintingDelegationProposal, { delegation })]);
  };
  await propose();
  await propose();
  const { page } = await site.visitAs("app-user", "/wallet/delegations");
  await page.getByRole("button", { name: "Accept" }).first().click();
  const end = region(page, "Active delegations").getByRole("button", { name: "End" });
  await end.waitFor();
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Nobody proposes a delegation to you").waitFor();
  await end.click();
  await page.getByText("You mint for nobody else").waitFor();
  expect((await site.network.validator().listMintingDelegations()).delegations).toEqual([]);
});

test("a session that ends while a page is open hides the page, and a new login leads back to it", async () => {
  const visitor = await site.meet();
  const { page, context } = visitor;
  await context.clock.install();
  await visitor.goTo(site.address("/wallet/history?from=here", "wallet"));
  await site.logIn(visitor, "app-user");
  await page.getByRole("row", { name: /Free coin/ }).waitFor();
  visitor.allow(/token|ERR_FAILED/);
  await context.route("**/token", (route) => route.abort());
  // Tokens live for ten minutes.
  await context.clock.fastForward("10:00");
  await page.getByText("Your session has ended").waitFor();
  expect(await page.getByRole("row", { name: /Free coin/ }).count()).toBe(0);
  await context.unroute("**/token");
  await context.clock.setSystemTime(Date.now());
  await site.logIn(visitor, "app-user");
  await page.getByRole("row", { name: /Free coin/ }).waitFor();
  expect(page.url()).toBe(site.address("/wallet/history?from=here", "wallet"));
});

test("coin is put aside for a settlement, shows as locked, and is withdrawn", async () => {
  const before = await site.network.locked("app-user");
  const visitor = await site.visitAs("app-user", "/wallet/allocations");
  const { page } = visitor;
  await page.getByLabel("Party of the application").fill(shop);
  await page.getByLabel("To", { exact: true }).fill(shop);
  await page.getByLabel("Amount", { exact: true }).fill("6");
  await page.getByLabel("Reference of the settlement").fill(MARKUP);
  await page.getByRole("button", { name: "Put aside" }).click();
  await page.getByText("The coin is put aside.").waitFor();
  expect(await site.network.locked("app-user")).toBe(before + decimal("6.0"));
  expect(await tableOverflowOf(page)).toBe(0);
  await page
    .getByRole("row", { name: /6\sAMT/ })
    .getByRole("button", { name: "Withdraw" })
    .click();
  await page.getByText("You have put no coin aside").waitFor();
  expect(await site.network.locked("app-user")).toBe(before);
});

test("coin is put aside as an application's request asks, to the microsecond, and a request that is gone is named", async () => {
  const at = (seconds: number) =>
    new Date(Number(site.network.net.now() / 1000n) + seconds * 1000).toISOString().replace("Z", "789Z");
  const settlement = {
    ...{ executor: shop, settlementRef: { id: "order 7", cid: null } },
    ...{ requestedAt: at(-60), allocateBefore: at(3600), settleBefore: at(7200) },
    meta: { values: { "example.com/order": "7" } },
  };
  const coin = { admin: dso, id: "Amulet" };
  const transferLegs = {
    pay: { sender: user, receiver: shop, amount: "8.0000000000", instrumentId: coin, meta: { values: {} } },
    get: { sender: shop, receiver: user, amount: "1.0", instrumentId: { admin: shop, id: "Gold" } },
  };
  const payload = { settlement, transferLegs, meta: { values: {} } };
  const contract = {
    template_id: "a:b:C",
    contract_id: `00${"1".repeat(66)}`,
    payload,
    created_event_blob: "",
  };
  const visitor = await site.meet();
  // Requests are contracts of applications, and no application runs here.
  await visitor.context.route("**/allocation-requests", (route) =>
    route.fulfill({ json: { allocation_requests: [{ contract }] } }),
  );
  visitor.allow(/status of 404 .*\/reject/);
  await visitor.goTo(site.address("/wallet/allocations", "wallet"));
  await site.logIn(visitor, "app-user");
  const { page } = visitor;
  const asked = region(page, "Asked of you");
  await asked.getByText("1 Gold").waitFor();
  await asked.getByRole("button", { name: "Put aside" }).click();
  await page.getByRole("row", { name: /8\sAMT/ }).waitFor();
  const [made] = (await site.network.validator().listAmuletAllocations()).allocations;
  expect(made?.contract.payload).toMatchObject({ allocation: { settlement, transferLegId: "pay" } });
  await asked.getByRole("button", { name: "Reject" }).click();
  await asked.getByRole("alert").waitFor();
});

test("a user of a network for development becomes a featured app, and gives it up", async () => {
  const { page } = await site.visitAs("app-user", "/wallet");
  const isFeatured = async () => (await site.network.validator().userStatus()).has_featured_app_right;
  await page.getByRole("button", { name: "Feature me" }).click();
  await page.getByText("You have the right.").waitFor();
  expect(await isFeatured()).toBe(true);
  await page.getByRole("button", { name: "Give it up" }).click();
  await page.getByRole("button", { name: "Feature me" }).waitFor();
  expect(await isFeatured()).toBe(false);
});
