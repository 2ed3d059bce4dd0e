/** Inspections of a page that stands still: accessibility, width, keyboard, storage. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import {
  focusedControl,
  horizontalOverflow,
  numberControls,
  storedText,
  tableOverflow,
} from "./page-scripts.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** The findings of axe against WCAG 2, levels A and AA: a line an element. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // Outside of the page's Content-Security-Policy, as a browser's extension would.
  await page.evaluate(`${axeSource}; undefined`);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ["violations"] });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(" ")}: ${failureSummary.split("\n").slice(1).join(" ").trim()}`,
    ),
  );
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>(horizontalOverflow);
}

/** Pixels of its tables that are out of view. */
export function tableOverflowOf(page: Page): Promise<number> {
  return page.evaluate<number>(tableOverflow);
}

/** Controls that Tab does not reach, or that do not show their focus. */
export async function findKeyboardGaps(page: Page): Promise<readonly string[]> {
  const controls = await page.evaluate<readonly (readonly [number, string])[]>(numberControls);
  const missing = new Map(controls);
  const gaps: string[] = [];
  // Twice around: the first round may begin in the middle.
  for (let step = 0; step < 2 * controls.length + 4 && missing.size > 0; step++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<{ number: number; isMarked: boolean } | null>(focusedControl);
    if (focused === null) continue;
    const name = missing.get(focused.number);
    if (name !== undefined && !focused.isMarked) gaps.push(`shows no focus: ${name}`);
    missing.delete(focused.number);
  }
  return [...gaps, ...[...missing.values()].map((name) => `out of Tab's reach: ${name}`)];
}

/** A part of a JSON Web Token. */
const TOKEN = /eyJ[\w-]{10,}/;

/** The page's storage and address, where they hold something that looks like a token. */
export async function findTokens(page: Page): Promise<readonly string[]> {
  const places = { storage: await page.evaluate<string>(storedText), address: page.url() };
  return Object.entries(places)
    .filter(([, text]) => TOKEN.test(text) || /(?:access|refresh|id)_token/.test(text))
    .map(([place, text]) => `${place}: ${text}`);
}

/** Elements that only other people's markup would make: our own pages have none of them. */
export function countMarkup(page: Page): Promise<number> {
  return page.locator("main :is(img, b, script, iframe)").count();
}
