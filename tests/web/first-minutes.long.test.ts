// A person's first minutes on a page: own a name, see it renew, break a scan.

import { expect, test } from "vitest";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

test("a name that was bought with the coin that the page offers renews, and a page that is opened then knows the time", async () => {
  const { page } = await site.visitAs("app-user", "/register/alice", "ans");
  await page.locator("#request-entry-with-sub-button").click();
  await page.getByRole("button", { name: "Take $10.00 of coin and pay" }).click();
  await page.getByText("The name is yours").waitFor();
  await page.getByRole("main").getByRole("link", { name: "My names" }).click();
  const name = page.getByRole("article", { name: "alice.unverified.cns" });
  await name.getByText("in 90 days").waitFor();
  await page.getByRole("link", { name: "Developer" }).click();
  await page.locator("#clock-span").fill("61d");
  await page.getByRole("button", { name: "Move forward" }).click();
  await page.locator("#forward-day:not([disabled])").waitFor();
  await page.getByRole("link", { name: "My names" }).click();
  await name.getByText("in 119 days").waitFor();
  await page.reload();
  await name.getByText("in 119 days").waitFor();
});

test("a user reads the owner that the other scans agree on while the scan of the pages lies; a visitor reads the lie", async () => {
  const user = await site.visitAs("app-user", "/my-names", "ans");
  await site.network.development.setScanBehaviour({ params: { number: "1" }, body: { behaviour: "lie" } });
  await user.moveTo("/names?q=alice");
  await user.page.getByText(/^Owned by app_user_/).waitFor();
  const visitor = await site.visit("/names?q=alice");
  await visitor.page.getByText(/^Owned by mallory::/).waitFor();
});

test("a wallet without coin for the next renewal is told so beside the name", async () => {
  await site.network.tap("app-provider", "1.0");
  await site.network.buy("app-provider", "poor");
  const { page } = await site.visitAs("app-provider", "/my-names", "ans");
  const name = page.getByRole("article", { name: "poor.unverified.cns" });
  await name
    .getByText("The next payment takes 200 AMT, and 0 AMT are available. Without it the name ends.")
    .waitFor();
  expect(await name.getByRole("link", { name: "Go to the wallet" }).getAttribute("href")).toBe("/wallet");
});
