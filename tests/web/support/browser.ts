/** One Chromium for the tests of a file. */
import { type Browser, chromium } from "playwright-core";
import type { TestContext } from "vitest";
import type { AtEnd } from "../../../packages/node/testing/at-end.ts";
import { findChromium } from "../../../scripts/chromium.ts";
import { askForService } from "../../support/ask-for-service.ts";

/** Skips with the reason where no Chromium can be had. */
export async function openBrowser(atEnd: AtEnd, test: Pick<TestContext, "skip">): Promise<Browser> {
  await askForService("chromium", test);
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("there is no Chromium here");
  const browser = await chromium.launch({ executablePath });
  atEnd(() => browser.close());
  return browser;
}
