// People with names over time: a lost race, a renewal, a name that is cancelled and taken up again.

import { beforeAll, expect, test } from "vitest";
import type { Visitor } from "./support/visitor.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
beforeAll(async () => {
  await site.network.tap("app-user", "100.0");
  await site.network.tap("app-provider", "100.0");
});

async function ask(visitor: Visitor): Promise<void> {
  await visitor.page.locator("#request-entry-with-sub-button").click();
  await visitor.page.getByRole("button", { name: "Pay and confirm" }).waitFor();
}

test("of two people who pay for one name, one owns it, and the other reads why the coin came back", async () => {
  const people = [
    await site.visitAs("app-user", "/register/race", "ans"),
    await site.visitAs("app-provider", "/register/race", "ans"),
  ];
  for (const each of people) await ask(each);
  await Promise.all(people.map(({ page }) => page.getByRole("button", { name: "Pay and confirm" }).click()));
  const ends = await Promise.all(
    people.map(async ({ page }) => {
      await page.getByText(/^The name is yours$|^This did not lead to a name$/).waitFor();
      return page.getByRole("main").innerText();
    }),
  );
  expect(ends.filter((text) => text.includes("The name is yours")).length).toBe(1);
  const [lost = ""] = ends.filter((text) => text.includes("This did not lead to a name"));
  expect(lost).toContain("Somebody else got the name first");
  expect(lost).toMatch(/came back to you/);
});

test("a name renews by itself while its owner is away, and its history shows it", async () => {
  await site.network.buy("app-user", "evergreen");
  await site.network.forward(80);
  const { page } = await site.visit("/names/evergreen.unverified.cns");
  await page.getByText("Renewed", { exact: true }).waitFor();
});

test("a name is cancelled, and taken up again before it ends", async () => {
  await site.network.buy("app-provider", "changing");
  const { page } = await site.visitAs("app-provider", "/my-names", "ans");
  const name = page.getByRole("article", { name: "changing.unverified.cns" });
  await name.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("button", { name: "Cancel the name" }).click();
  await name.getByText("Cancelled").waitFor();
  await name.getByRole("button", { name: /^Take/ }).click();
  await name.getByText("Active").waitFor();
});
