// Every public page, as a person with a phone or a wide screen, a keyboard or a screen reader finds it.

import { expect, test } from "vitest";
import { findBarriers, findKeyboardGaps, overflowOf } from "./support/inspect.ts";
import { noteWhenThere } from "./support/page-scripts.ts";
import { PHONE, PUBLIC_PAGES } from "./support/pages.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
/** Compressed, with everything that the first page needs. */
const FIRST_VIEW_BYTES = 200_000;
const USABLE_MILLISECONDS = 1000;
/** Where even a bare document takes long, the machine is busy: `npm run bench -- web` has the figures of a quiet one. */
const USABLE_TO_BARE = 25;

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
    const bytes = await visitor.countReceived();
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(FIRST_VIEW_BYTES);
  }
});

/** Milliseconds from the start of the navigation until the element is there, in a browser that has never seen the page. */
async function timeUntil(path: string, element: string): Promise<number> {
  const visitor = await site.meet();
  await visitor.context.addInitScript({ content: noteWhenThere(element) });
  await visitor.page.goto(site.address(path), { waitUntil: "commit" });
  await visitor.page.locator(element).first().waitFor();
  return visitor.page.evaluate<number>("window.thereAfter");
}

test("a name can be typed within a second, on a machine that opens a bare document without delay", async () => {
  // The best of three pairs: a burst of other work takes both of a pair.
  const times: { readonly bare: number; readonly usable: number }[] = [];
  for (let i = 0; i < 3; i++) {
    const bare = await timeUntil("/config.json", "body");
    times.push({ bare, usable: await timeUntil("/", "main input:enabled") });
  }
  const isQuick = times.some(
    ({ bare, usable }) => usable < Math.max(USABLE_MILLISECONDS, USABLE_TO_BARE * bare),
  );
  expect([isQuick, times]).toEqual([true, times]);
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
