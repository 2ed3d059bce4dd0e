// Every page in both themes, on a phone and on a wide screen: inspected, and kept as a picture in .cache/screenshots.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findBarriers, findKeyboardGaps, overflowOf } from "./support/inspect.ts";
import { type PageAddress, PHONE, PUBLIC_PAGES, WIDE } from "./support/pages.ts";
import { populate } from "./support/populate.ts";
import { WebSite } from "./support/web-site.ts";

const FOLDER = join(import.meta.dirname, "../../.cache/screenshots");
const site = WebSite.start();

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  await populate(site.network);
});

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [PHONE, WIDE].map((viewport) => ({ colorScheme, viewport })),
);

function pictureOf({ path, host = "ans" }: PageAddress, theme: string, width: number): string {
  const name = path.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "");
  return join(FOLDER, `${name || "home"}-${host}-${theme}-${width}.png`);
}

test.each(LOOKS)("public pages: $colorScheme, $viewport.width wide", async ({ colorScheme, viewport }) => {
  const visitor = await site.meet({ colorScheme, viewport });
  for (const address of PUBLIC_PAGES) {
    await visitor.goTo(site.address(address.path, address.host, address.node));
    const path = pictureOf(address, colorScheme, viewport.width);
    await visitor.page.screenshot({ path, fullPage: true });
    const found = [await findBarriers(visitor.page), await overflowOf(visitor.page)];
    expect([address.path, ...found]).toEqual([address.path, [], 0]);
    expect([address.path, await findKeyboardGaps(visitor.page)]).toEqual([address.path, []]);
  }
});
