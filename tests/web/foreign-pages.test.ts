// A malicious page on another origin: it can neither show the application in a frame nor read or act through it.

import { expect, onTestFinished, test } from "vitest";
import { serveForeignPage } from "./support/foreign-page.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

test("another origin cannot show the application in a frame", async () => {
  const { origin } = await serveForeignPage(
    `<iframe src="${site.address("/names")}"></iframe>`,
    onTestFinished,
  );
  const visitor = await site.meet();
  visitor.allow(/frame-ancestors/, /foreign origin/, /ERR_BLOCKED_BY_RESPONSE/);
  await visitor.page.goto(origin);
  const frame = visitor.page.frames().find((each) => each.parentFrame() !== null);
  expect(frame?.url()).toBe("chrome-error://chromewebdata/");
  expect(visitor.problems).toEqual([]);
});

const MOVE = 'method: "POST", body: JSON.stringify({ forwardSeconds: 86400 })';
/** Calls that bring the browser's cookies, if there are any. Names are public, and a wallet asks for a token. */
const ATTEMPTS: Readonly<Record<string, readonly [path: string, options: string]>> = {
  config: ["/config.json", ""],
  clock: ["/api/local-network/ext/v1/clock", ""],
  "move the clock": ["/api/local-network/ext/v1/clock", MOVE],
  "move it unread": ["/api/local-network/ext/v1/clock", `mode: "no-cors", ${MOVE}`],
  balance: ["/api/validator/v0/wallet/balance", ""],
  coin: ["/api/validator/v0/wallet/tap", 'method: "POST", body: JSON.stringify({ amount: "1.0" })'],
};

test("another origin cannot read the page's configuration, move the clock or use the wallet of a user", async () => {
  const { origin } = await serveForeignPage("", onTestFinished);
  const visitor = await site.meet();
  await visitor.page.goto(site.address("/names"));
  visitor.allow(/./);
  await visitor.page.goto(origin);
  const before = site.network.net.now();
  const read: string[] = [];
  for (const [name, [path, options]] of Object.entries(ATTEMPTS)) {
    const call = `fetch("${site.address(path)}", { credentials: "include", ${options} })`;
    const isRead = await visitor.page.evaluate<boolean>(`${call}.then(({ ok }) => ok, () => false)`);
    if (isRead) read.push(name);
  }
  expect(read).toEqual([]);
  expect(site.network.net.now() - before).toBeLessThan(86_400_000_000n);
  expect(await site.network.unlocked("app-user")).toBe(0n);
});
