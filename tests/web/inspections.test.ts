// The instruments of the other tests here: each finds its kind of defect on a page that has it, and nothing on a sound page.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { openBrowser } from "./support/browser.ts";
import { findBarriers, findKeyboardGaps, findTokens, overflowOf } from "./support/inspect.ts";
import { Visitor } from "./support/visitor.ts";

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src http:";
const SOUND = '<main><h1>Sound</h1><a href="/other">on</a> <button>do</button></main>';

const atEnd = atEndOfFile();
let browser: Browser;
let origin: string;
let visitor: Visitor;
let content = "";

beforeAllOrSkip(async (context) => {
  browser = await openBrowser(atEnd, context);
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/broken" ? 500 : 200;
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .setHeader("content-security-policy", POLICY);
    if (request.url === "/cut") response.destroy();
    else response.end(`<!doctype html><html lang="en"><title>A page</title>${content}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => void server.close());
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
}, 120_000);

beforeEach(async () => {
  visitor = await Visitor.open(browser, { viewport: { width: 400, height: 600 } });
  onTestFinished(() => visitor.close());
});

async function show(text: string): Promise<void> {
  content = text;
  await visitor.page.goto(origin);
}

const run = (script: string) => show(`${SOUND}<script>${script}</script>`);

test("a sound page has no problem, barrier, gap, overflow or token", async () => {
  await show(SOUND);
  const { page, problems } = visitor;
  expect([
    problems,
    await findBarriers(page),
    await findKeyboardGaps(page),
    await overflowOf(page),
    await findTokens(page),
  ]).toEqual([[], [], [], 0, []]);
});

test.each([
  ["an error on the console", 'console.error("broken")', /^console: broken/],
  ["an uncaught error", 'throw new Error("broken")', /^uncaught: broken/],
  ["an answer of 500", 'fetch("/broken")', /^console: .*500/],
  ["a request that is cut off", 'fetch("/cut").catch(() => undefined)', /^request failed: .*\/cut/],
  [
    "a forbidden image",
    'document.body.append(Object.assign(new Image(), { src: "/x.png" }))',
    /violates .*img-src/,
  ],
  [
    "a foreign origin",
    'fetch("http://other.localhost:1/").catch(() => undefined)',
    /^request to a foreign origin/,
  ],
])("%s is a problem", async (_, script, problem) => {
  await run(script);
  await expect.poll(() => visitor.problems).toContainEqual(expect.stringMatching(problem));
});

test("a problem that the test has allowed is none, and others stay", async () => {
  visitor.allow(/expected/);
  await run('console.error("expected"); console.error("broken")');
  await expect.poll(() => visitor.problems.length).toBe(1);
});

test("a barrier, a gap of the keyboard and overflow are found", async () => {
  const hidden = '<button style="outline: none">silent</button>';
  await show(`${SOUND}<img alt src="data:,"><input><div style="width: 500px">wide</div>${hidden}`);
  visitor.allow(/img-src/);
  const { page } = visitor;
  expect(await findBarriers(page)).toContainEqual(expect.stringMatching(/^label: input/));
  expect(await overflowOf(page)).toBeGreaterThan(90);
  expect(await findKeyboardGaps(page)).toEqual(["shows no focus: button silent"]);
});

test("a control that Tab cannot reach is a gap", async () => {
  await run(`
    const [link] = document.querySelectorAll("a");
    addEventListener("keydown", (event) => { event.preventDefault(); link.focus(); });
  `);
  expect(await findKeyboardGaps(visitor.page)).toEqual(["out of Tab's reach: button do"]);
});

test.each([
  ["storage", 'sessionStorage.setItem("s", "eyJhbGciOiJIUzI1NiJ9.e30.x")'],
  ["address", 'location.hash = "access_token=1"'],
])("a token in the page's %s is found", async (place, script) => {
  await run(script);
  expect(await findTokens(visitor.page)).toEqual([expect.stringContaining(`${place}: `)]);
});
