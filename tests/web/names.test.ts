// Names for people without a login: search, an entry, a party, and other people's texts.

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { countMarkup } from "./support/inspect.ts";
import { MARKUP, NAMES, populate } from "./support/populate.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
beforeAll(() => populate(site.network));

const search = (page: Page, text: string) => page.getByRole("searchbox").fill(text);

test("typing a name finds its owner, and the address can be shared", async () => {
  const { page } = await site.visit("/");
  await search(page, "alice");
  const found = page.getByRole("region", { name: "alice.unverified.cns is taken" });
  await found.getByText("app_user_localnet").waitFor();
  expect(page.url()).toBe(site.address("/names?q=alice"));

  await found.getByRole("link", { name: "alice.unverified.cns" }).click();
  await page.waitForURL("**/names/alice.unverified.cns");
  const shared = await site.visit(new URL(page.url()).pathname);
  await shared.page.getByText(NAMES.alice.description).waitFor();
  await shared.page.getByText("Registered", { exact: true }).waitFor();
  const link = shared.page.getByRole("link", { name: NAMES.alice.url });
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
});

test("buttons copy a name, its address and its owner", async () => {
  const path = "/names/alice.unverified.cns";
  const { page, context } = await site.visit(path);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied: string[] = [];
  for (const label of ["Copy name", "Copy link", "Copy party id"]) {
    const button = page.getByRole("main").getByRole("button", { name: label }).first();
    await button.click();
    await page.locator(".copy[data-copied]").and(button).waitFor();
    copied.push(await page.evaluate("navigator.clipboard.readText()"));
  }
  const owner = await site.network.party("app-user");
  expect(copied).toEqual(["alice.unverified.cns", site.address(path), owner]);
});

test("a party id finds the names of the party", async () => {
  const { page } = await site.visit("/names");
  await search(page, await site.network.party("app-provider"));
  const names = page.getByRole("region", { name: "Names of this party" }).locator(".entry-name a");
  await names.first().waitFor();
  expect(await names.allTextContents()).toEqual(["bob.unverified.cns"]);
});

test("a free name has its price in dollars and coin, and what looks like it is named", async () => {
  const { page } = await site.visit("/names?q=a1ice");
  const found = page.getByRole("region", { name: "a1ice.unverified.cns is free" });
  await found.getByText("$1").waitFor();
  await found.getByText("200").waitFor();
  await found.getByText("Easily mistaken for").waitFor();
  await found.getByRole("link", { name: "alice.unverified.cns" }).waitFor();
  expect(await found.getByRole("link", { name: "Get this name" }).getAttribute("href")).toBe(
    "/register/a1ice",
  );
});

test("a name that is not allowed says why", async () => {
  const { page } = await site.visit("/names?q=al!ce");
  await page.getByText("This name cannot be registered").waitFor();
  await page.getByText(/"al!ce/).waitFor();
});

test("markup in a description stays text, on every public page that shows it", async () => {
  const visitor = await site.visit("/names/markup.unverified.cns");
  const { page } = visitor;
  await page.getByText(MARKUP).waitFor();
  expect(await page.title()).toContain("markup.unverified.cns");
  const party = encodeURIComponent(await site.network.party("app-user"));
  for (const path of ["/names/markup.unverified.cns", "/names?q=markup", `/parties/${party}`, "/network"]) {
    await visitor.moveTo(path);
    await page.getByText("markup", { exact: false }).first().waitFor();
    expect([path, await countMarkup(page)]).toEqual([path, 0]);
  }
});

test.each([
  "javascript:document.title='owned'",
  "data:text/html,<script>1</script>",
  "https://bank.example@evil.example/",
])("a scan that hands out the address %s gets no link", async (url) => {
  const visitor = await site.meet();
  const { entry, ...found } = await site.network.scan().checkName({ params: { name: "alice" } });
  const json = { ...found, entry: { ...entry, url } };
  await visitor.context.route("**/alice.unverified.cns/availability", (route) => route.fulfill({ json }));
  await visitor.goTo(site.address("/names/alice.unverified.cns"));
  await visitor.page.getByText(url, { exact: true }).waitFor();
  const links = await visitor.page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
  );
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((href) => !href.startsWith(site.address("/")))).toEqual([]);
});
