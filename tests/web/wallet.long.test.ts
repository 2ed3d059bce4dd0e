// Coin goes from one person to another: by offer, at once, to a name that changed hands; and the pages that others link to.

import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { findBarriers } from "./support/inspect.ts";
import type { Visitor } from "./support/visitor.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
beforeAll(async () => {
  await site.network.tap("app-user", "100.0");
  await site.network.tap("app-provider", "100.0");
  await site.network.buy("app-provider", "shop");
});

async function lookOver({ page }: Visitor, to: string, amount: string): Promise<void> {
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByLabel("Amount", { exact: true }).fill(amount);
  await page.getByRole("button", { name: "Look it over" }).click();
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
}

test("coin is sent to a name, its party is shown first, and the receiver accepts it", async () => {
  const sender = await site.visitAs("app-user", "/wallet/send");
  await lookOver(sender, "shop", "12.5");
  const party = await site.network.party("app-provider");
  expect(await sender.page.getByRole("main").innerText()).toContain(party.slice(0, 20));
  await sender.page.locator("#send-button").click();
  await sender.page.getByText("12.5 AMT offered to shop.unverified.cns").waitFor();
  const receiver = await site.visitAs("app-provider", "/wallet/offers");
  await receiver.page.getByRole("button", { name: /^Accept/ }).click();
  await receiver.page.getByText("Nobody offers you coin at present").waitFor();
  await receiver.moveTo("/wallet/history");
  await receiver.page.getByText("+12.5 AMT").waitFor();
});

test("a preapproval is switched on, and coin arrives at once", async () => {
  const receiver = await site.visitAs("app-provider", "/wallet");
  await receiver.page.getByRole("button", { name: "Switch on" }).click();
  await receiver.page.getByText("Lasts until").waitFor();
  const sender = await site.visitAs("app-user", "/wallet/send");
  await lookOver(sender, "shop", "3");
  await sender.page.locator("#send-button").click();
  await sender.page.getByText("3 AMT sent to shop.unverified.cns").waitFor();
});

test("while a receiver is typed, names are suggested and chosen with the keyboard", async () => {
  const { page } = await site.visitAs("app-user", "/wallet/send");
  const to = page.getByRole("combobox", { name: "To" });
  await to.pressSequentially("sh");
  await page.getByRole("option", { name: "shop.unverified.cns" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".suggestion[data-focused]").waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => to.inputValue()).toBe("shop.unverified.cns");
  const party = await site.network.party("app-provider");
  await page.getByRole("main").getByText(party).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.getByRole("option", { name: "shop.unverified.cns" }).count()).toBe(0);
});

test("the history is filtered, and exported as it is shown", async () => {
  const { page } = await site.visitAs("app-user", "/wallet/history");
  await page.getByLabel("Kind", { exact: true }).selectOption("Sent");
  await page.getByRole("row", { name: /3 AMT/ }).waitFor();
  expect(await page.getByRole("row", { name: /Free coin/ }).count()).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.trim().split("\n").length).toBeGreaterThan(1);
  expect(text).toContain("3");
});

test("a name that has changed hands since the last time is not sent to by accident", async () => {
  await site.network.buy("app-provider", "moving");
  const sender = await site.visitAs("app-user", "/wallet/send");
  await lookOver(sender, "moving", "1");
  await sender.page.locator("#send-button").click();
  await sender.page.getByText(/^1\sAMT (sent|offered) to moving/).waitFor();
  const provider = site.network.validator("app-provider");
  const { subscriptions } = await provider.listSubscriptions();
  for (const { state } of subscriptions) {
    if (!("idle" in state)) continue;
    await provider.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
  }
  await site.network.forward(91);
  await site.network.tap("sv", "100.0");
  await site.network.buy("sv", "moving");
  await sender.page.getByRole("button", { name: "Send something else" }).click();
  await lookOver(sender, "moving", "1");
  await sender.page.getByText("This name has changed hands").last().waitFor();
  expect(await sender.page.locator("#send-button").isDisabled()).toBe(true);
  await sender.page.getByRole("checkbox").check();
  expect(await sender.page.locator("#send-button").isDisabled()).toBe(false);
});

test("a payment is confirmed behind a link of another page, and a foreign address is not followed", async () => {
  const { subscriptionRequestCid } = await site.network.request("app-user", { name: "linked" });
  const path = `/confirm-subscription/${subscriptionRequestCid}/?redirect=${encodeURIComponent("https://evil.example/take")}`;
  const { page } = await site.visitAs("app-user", path);
  await page.getByText("This page does not lead on").waitFor();
  await page.getByRole("button", { name: "Pay and confirm" }).click();
  await page.getByText("The name is yours").waitFor();
  expect(new URL(page.url()).origin).toBe(new URL(site.address("/", "wallet")).origin);
  expect(await page.getByRole("link", { name: /evil/ }).count()).toBe(0);
});

test("a request behind a link is rejected, and nothing is paid", async () => {
  const { subscriptionRequestCid } = await site.network.request("app-user", { name: "unwanted" });
  const before = await site.network.unlocked("app-user");
  const { page } = await site.visitAs("app-user", `/confirm-subscription/${subscriptionRequestCid}/`);
  await page.getByRole("button", { name: "Reject" }).click();
  await page
    .getByText(/rejected/i)
    .first()
    .waitFor();
  expect(await site.network.unlocked("app-user")).toBe(before);
});
