// Every public page, as a person with a phone or a wide screen, a keyboard or a screen reader finds it.

import { expect, test } from "vitest";
import { findBarriers, findKeyboardGaps, overflowOf } from "./support/inspect.ts";
import { PHONE, PUBLIC_PAGES } from "./support/pages.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
/** Compressed, with everything that the first page needs. */
const FIRST_VIEW_BYTES = 200_000;

// Both themes and both widths: screenshots.long.test.ts.
test("public pages have no barrier, fit a phone in dark, and Tab reaches every control", async () => {
  const visitor = await site.meet({ colorScheme: "dark", viewport: PHONE });
  for (const { path, host } of PUBLIC_PAGES) {
    await visitor.goTo(site.address(path, host));
    const { page } = visitor;
    const found = [await findBarriers(page), await overflowOf(page), await findKeyboardGaps(page)];
    expect([path, ...found]).toEqual([path, [], 0, []]);
  }
});

test("the first view takes 200 kB at most", async () => {
  for (const host of ["ans", "scan"] as const) {
    const visitor = await site.visit("/", host);
    expect(visitor.receivedBytes).toBeGreaterThan(10_000);
    expect(visitor.receivedBytes).toBeLessThan(FIRST_VIEW_BYTES);
  }
});

test("an address without a page says so, and leads back", async () => {
  const { page } = await site.visit("/no-such-page");
  await page.getByRole("link", { name: "Go to the first page" }).click();
  await page.waitForURL(site.address("/names"));
});

test("language and theme are chosen on the page, and kept", async () => {
  const { page } = await site.visit("/no-such-page");
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByLabel("Language").selectOption("de");
  await page.locator("html[lang=de][data-theme=dark]").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Zur ersten Seite" }).waitFor();
  await page.locator("html[lang=de][data-theme=dark]").waitFor();
});
