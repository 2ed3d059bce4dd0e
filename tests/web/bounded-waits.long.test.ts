// No page ends in a spinner: a server that hangs, fails or is gone is named in bounded time, with a way to try again.

import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { PUBLIC_PAGES } from "./support/pages.ts";
import type { Visitor } from "./support/visitor.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();
/** Three tries of 20 s each, and the time between them. */
const LONGEST_WAIT = { timeout: 90_000, interval: 250 };

const FAULTS: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  hangs: () => Promise.resolve(),
  fails: (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: '{"error":"the disk is full"}' }),
  "is gone": (route) => route.abort("connectionrefused"),
};

async function meetWithFault(path: string, fault: string): Promise<Visitor> {
  const visitor = await site.meet();
  // Failed requests are what this is about.
  visitor.allow(/./);
  await visitor.context.route(`**${path}`, FAULTS[fault] ?? ((route) => route.continue()));
  return visitor;
}

test.each(Object.keys(FAULTS))(
  "a page whose services %s shows an error, and offers to try again",
  async (fault) => {
    await Promise.all(
      PUBLIC_PAGES.filter(({ readsOnOpening }) => readsOnOpening).map(async ({ path, host }) => {
        const { page } = await meetWithFault("/api/**", fault);
        await page.goto(site.address(path, host));
        await page.locator("h1").first().waitFor();
        await expect.poll(() => page.locator(".waiting").count(), LONGEST_WAIT).toBe(0);
        const alerts = await page.getByRole("alert").allTextContents();
        expect([path, alerts.length > 0]).toEqual([path, true]);
        if (fault === "fails")
          expect([path, alerts.join()]).toEqual([path, expect.stringContaining("the disk is full")]);
        expect([path, (await page.getByRole("button", { name: "Try again" }).count()) > 0]).toEqual([
          path,
          true,
        ]);
      }),
    );
  },
);

test.each(Object.keys(FAULTS))(
  "a page whose configuration %s says that the server is not there",
  async (fault) => {
    const { page } = await meetWithFault("/config.json", fault);
    await page.goto(site.address("/names"));
    await page.getByRole("alert").waitFor();
    await page.context().unrouteAll({ behavior: "ignoreErrors" });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
);
