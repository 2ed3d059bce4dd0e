// Operators and developers steer a local network from their pages.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

async function logInAs(page: Page, user: string): Promise<void> {
  await page.locator(`#user-${user}`).click();
  await page.locator("#logged-in-user").getByText(user).waitFor();
}

test("an operator makes a secret and withdraws it, and pauses an automation and resumes it", async () => {
  const visitor = await site.visit("/", "sv", "sv");
  const { page } = visitor;
  // The provider has an origin of its own.
  visitor.allow(/^request to a foreign origin: \S+\/(\.well-known\/openid-configuration|token)$/);
  await page.locator("#login-button").click();
  await logInAs(page, "ledger-api-user");
  await page.getByRole("link", { name: "Validators" }).click();
  await page.locator("#make-secret").click();
  expect(await page.locator("#new-secret").textContent()).toMatch(/^\S{20,}$/);
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("There is no unused secret").waitFor();
  for (const [tab, name] of [
    ["SV automations", "expire-coin"],
    ["Validator automations", "report-activity"],
  ]) {
    await page.getByRole("link", { name: tab ?? "", exact: true }).click();
    await page.getByRole("button", { name: `Pause ${name}`, exact: true }).click();
    await page.getByRole("button", { name: `Resume ${name}`, exact: true }).click();
    await page.getByRole("button", { name: `Pause ${name}`, exact: true }).waitFor();
  }
});

test("a developer moves the clock, makes a scan lie, and goes back to a snapshot", async () => {
  const { net } = site.network;
  const { page } = await site.visit("/developer");
  await page.locator("#snapshot-name").fill("before");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The snapshot before is saved.").waitFor();
  const before = net.now();
  await page.locator("#forward-day").click();
  await expect.poll(() => net.now() - before, { timeout: 30_000 }).toBeGreaterThan(86_000_000_000n);
  await page.locator("#forward-day:not([disabled])").waitFor();
  await page.locator("#scan-2").selectOption("lie");
  await page.getByText("Answers with false owners and names.").waitFor();
  const { scans } = await site.network.development.listScans();
  expect(scans.map(({ behaviour }) => behaviour)).toEqual(["honest", "lie", "honest", "honest"]);
  await page.locator("#scan-2").selectOption("honest");
  await page.getByRole("button", { name: "Restore before" }).click();
  await page.getByText("The network is back at before.").waitFor({ timeout: 60_000 });
  expect(net.now() - before).toBeLessThan(86_000_000_000n);
});

test("a developer reads the ledger as a party, and sends a call", async () => {
  const { page } = await site.visit("/developer/ledger");
  await page.getByText("WalletAppInstall", { exact: true }).first().click();
  await page.getByText("endUserName:").first().waitFor();
  await page.getByRole("link", { name: "APIs" }).click();
  await page.locator("#api-search").fill("/v0/entry/all");
  await page.locator(".operation > summary").first().click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText('"entries": []').waitFor();
});

test("a developer copies the token of a user, and makes one for anybody, which works", async () => {
  const { page } = await site.visit("/developer/users");
  const users = page.locator("#network-users tbody tr");
  expect(await users.count()).toBe(4);
  const shown = await users.filter({ hasText: "app-provider" }).locator("code").textContent();
  expect(shown).toBe(site.network.tokenOf("app-provider"));
  await page.locator("#token-user").fill("zoe");
  await page.getByRole("button", { name: "Make a token" }).click();
  const token = (await page.locator(".notice .token code").textContent()) ?? "";
  expect(await site.network.validator("app-user", token).userStatus()).toMatchObject({
    user_onboarded: false,
  });
  await page.getByRole("row", { name: /participant_admin.*ParticipantAdmin/ }).waitFor();
});
