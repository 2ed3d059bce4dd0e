// Every page, dark on a phone and light on a wide screen: inspected, and kept as a picture in .cache/screenshots.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findBarriers, findKeyboardGaps, overflowOf } from "./support/inspect.ts";
import { type PageAddress, PHONE, PUBLIC_PAGES, USER_PAGES, WIDE } from "./support/pages.ts";
import { populate } from "./support/populate.ts";
import type { Visitor } from "./support/visitor.ts";
import { WebSite } from "./support/web-site.ts";

const FOLDER = join(import.meta.dirname, "../../.cache/screenshots");
const site = WebSite.start();

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  await populate(site.network);
});

const LOOKS = [
  { colorScheme: "dark", viewport: PHONE },
  { colorScheme: "light", viewport: WIDE },
] as const;

function pictureOf({ path, host = "ans" }: PageAddress, theme: string, width: number): string {
  const name = path.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "");
  return join(FOLDER, `${name || "home"}-${host}-${theme}-${width}.png`);
}

async function inspect(visitor: Visitor, address: PageAddress, look: (typeof LOOKS)[number]): Promise<void> {
  const { page } = visitor;
  await page.screenshot({ path: pictureOf(address, look.colorScheme, look.viewport.width), fullPage: true });
  const found = [await findBarriers(page), await overflowOf(page), await findKeyboardGaps(page)];
  expect.soft([address.path, ...found]).toEqual([address.path, [], 0, []]);
}

test.each(LOOKS)("public pages: $colorScheme, $viewport.width wide", async (look) => {
  const visitor = await site.meet(look);
  for (const address of PUBLIC_PAGES) {
    await visitor.goTo(site.address(address.path, address.host, address.node));
    await inspect(visitor, address, look);
  }
});

test.each(LOOKS)("pages of a user: $colorScheme, $viewport.width wide", async (look) => {
  const visitor = await site.meet(look);
  await visitor.goTo(site.address("/wallet", "wallet"));
  await site.logIn(visitor, "app-user");
  // The operator's pages tell this user that another one operates.
  visitor.allow(/status of 403 .*\/admin\//);
  for (const address of USER_PAGES) {
    await visitor.moveTo(address.path);
    await inspect(visitor, address, look);
  }
});
