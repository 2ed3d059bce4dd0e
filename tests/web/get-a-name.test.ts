// A person logs in, has too little coin, takes some, and owns a name.

import { expect, test } from "vitest";
import { findTokens } from "./support/inspect.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

test("a person with too little coin takes what is missing, and the name goes live", async () => {
  const visitor = await site.visitAs("app-user", "/register/carol", "ans");
  const { page } = visitor;
  await page.getByText("This name is free").waitFor();
  await page.getByLabel("Web address (optional)").fill("https://carol.example");
  await page.getByLabel("Description (optional)").fill("Carol's");
  await page.locator("#request-entry-with-sub-button").click();
  await page.getByText(/^You need .* more$/).waitFor();
  await page.getByRole("button", { name: /^Take .* of coin and pay$/ }).click();
  await page.getByText("The name is yours").waitFor();
  expect(await site.network.owned("app-user")).toEqual(["carol.unverified.cns"]);
  await page.getByRole("main").getByRole("link", { name: "My names" }).click();
  await page.getByRole("article", { name: "carol.unverified.cns" }).getByText("Active").waitFor();
});

test("a login leads back to the page, and leaves no token in the address or in storage", async () => {
  const visitor = await site.visitAs("app-user", "/my-names?from=here", "wallet");
  const { page } = visitor;
  expect(page.url()).toBe(site.address("/my-names?from=here", "wallet"));
  expect(await findTokens(page)).toEqual([]);
  await page.getByRole("button", { name: "Log out" }).click();
  await page.locator("#login-button").waitFor();
  expect(await findTokens(page)).toEqual([]);
});

test("a forged return from the login provider begins no session, and follows no address", async () => {
  const visitor = await site.visit("/?code=stolen&state=guessed&redirect=https://evil.localhost/");
  expect(visitor.page.url()).toBe(site.address("/names"));
  await visitor.page.getByRole("button", { name: "Log in" }).waitFor();
});
