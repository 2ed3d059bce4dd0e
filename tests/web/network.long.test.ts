// Readers of the network's page, who have not logged in, see which scans agree, and whether to trust the page itself.

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { ScanBehaviour } from "../../packages/api/src/index.ts";
import { findBarriers, overflowOf } from "./support/inspect.ts";
import { PHONE } from "./support/pages.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

function misbehave(place: number, behaviour: ScanBehaviour): void {
  site.network.net.setScanBehaviour(place, behaviour);
  onTestFinished(() => site.network.net.setScanBehaviour(place, "honest"));
}

const COLUMNS = 7;

/** Lag and agreement by SV. */
async function readScans(page: Page): Promise<readonly (readonly string[])[]> {
  const cells = page.locator("section.panel", { hasText: "SVs and scans" }).locator("tbody td > div");
  const texts = (await cells.allInnerTexts()).map((text) => text.trim());
  const rows = Array.from({ length: texts.length / COLUMNS }, (_, row) => texts.slice(row * COLUMNS));
  return rows.map(([sv = "", , , lag = "", agreement = ""]) => [sv, lag, agreement]);
}

test("a scan that lies, one that fails and one that lags are told apart", async () => {
  const visitor = await site.visit("/network", "scan");
  const { page } = visitor;
  const names = ["sv-1", "sv-2", "sv-3", "sv-4"];
  await expect
    .poll(() => readScans(page), { timeout: 20_000 })
    .toEqual(names.map((name) => [name, "none", "Agrees"]));
  misbehave(1, "lie");
  misbehave(3, "lag");
  await site.network.tap("app-user", "100.0");
  await site.network.buy("app-user", "alice");
  await site.network.forward(1);
  await visitor.goTo(site.address("/network", "scan"));
  await expect
    .poll(() => readScans(page), { timeout: 20_000 })
    .toEqual([
      ["sv-1", "none", "Agrees"],
      ["sv-2", "none", "Contradicts"],
      ["sv-3", "none", "Agrees"],
      ["sv-4", expect.stringMatching(/^2[34](\.\d)? hours$/), "Is behind"],
    ]);
  expect(await page.getByText("Do not trust this page now").count()).toBe(0);
  misbehave(1, "error");
  visitor.allow(/status of 500 .*\/api\/scans\/sv-2\//);
  await visitor.goTo(site.address("/network", "scan"));
  await expect
    .poll(async () => (await readScans(page))[1], { timeout: 20_000 })
    .toEqual(["sv-2", "–", "No answer"]);
});

test("a page whose own scan lies warns its reader", async () => {
  misbehave(0, "lie");
  const visitor = await site.meet({ colorScheme: "dark", viewport: PHONE });
  // The false scan answers the live feed with JSON.
  visitor.allow(/EventSource's response has a MIME type/);
  await visitor.goTo(site.address("/network", "scan"));
  const { page } = visitor;
  await page.getByText("Do not trust this page now").waitFor();
  await page.locator(".badge", { hasText: "Contradicts" }).waitFor();
  expect([await findBarriers(page), await overflowOf(page)]).toEqual([[], 0]);
});

test("lookups are counted since the scan's start", async () => {
  const { page } = await site.visit("/network", "scan");
  const text = await page.locator("#lookups-counted").textContent();
  expect(Number(/^[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""))).toBeGreaterThan(0);
  await page.getByRole("figure", { name: "Lookups by minute" }).locator("canvas").waitFor();
});
