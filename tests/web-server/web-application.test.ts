// The files of the web application over HTTP: headers, caches, pages, and paths that lead nowhere.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { systemHost, WebApplication } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { WebConfig } from "../../packages/api/src/index.ts";
import { apis } from "../../packages/api/testing/apis.ts";
import { listen } from "../../packages/api/testing/table-server.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { askPage, INDEX, SCRIPT, writeApplication } from "./built-application.ts";

const CONFIG: WebConfig = {
  home: "names",
  names: { network: "N", coin: "C", coinAcronym: "CC", nameService: "Names", nameServiceAcronym: "CNS" },
  services: { validator: "/api/validator", scan: null, sv: null, ledger: null, localNetwork: null },
  returnOrigins: [],
  login: { authority: "https://login.example.com/tenant", clientId: "ui", audience: null, scope: "openid" },
};

async function serve(folder: string, config: WebConfig = CONFIG): Promise<string> {
  const application = new WebApplication({ files: systemHost.files, folder });
  const { url, close } = await listen((request, response) => {
    if (application.serves(request)) application.answer(request, response, config);
    else response.writeHead(418).end("not a page");
  });
  onTestFinished(close);
  return url;
}

async function serveBuilt(): Promise<string> {
  const folder = temporaryFolder();
  writeApplication(folder);
  return serve(folder);
}

test("every path of the application gets its first page, which is asked for again each time", async () => {
  const url = await serveBuilt();
  for (const path of [
    "/",
    "/names/alice.unverified.cns",
    "/confirm-payment/00ab/?redirect=/x",
    "/index.html",
  ]) {
    const { status, headers, text } = await askPage(url, { path });
    expect([path, status, text]).toEqual([path, 200, INDEX]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
    });
  }
});

test("assets are kept for ever, compressed for those who take it", async () => {
  const url = await serveBuilt();
  const path = "/assets/main-0a1b.js";
  const plain = await askPage(url, { path });
  expect(plain.text).toBe(SCRIPT);
  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  const brotli = await askPage(url, { path, headers: { "accept-encoding": "gzip, br" } });
  expect(brotli.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT);
  for (const accepted of ["gzip", "br;q=0"]) {
    const answer = await askPage(url, { path, headers: { "accept-encoding": accepted } });
    expect([accepted, answer.headers["content-encoding"], answer.text]).toEqual([
      accepted,
      undefined,
      SCRIPT,
    ]);
  }
  const again = await askPage(url, { path, headers: { "if-none-match": plain.headers.etag ?? "" } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("every answer confines the page to its own origin and the login authority", async () => {
  const url = await serveBuilt();
  for (const path of ["/", "/assets/main-0a1b.js", "/config.json", "/assets/none.js"]) {
    const { headers } = await askPage(url, { path });
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
        "connect-src 'self' https://login.example.com; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  }
});

test("/config.json is the configuration, and nobody keeps it", async () => {
  const { status, headers, text } = await askPage(await serveBuilt(), { path: "/config.json?x" });
  expect([status, JSON.parse(text)]).toEqual([200, CONFIG]);
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
});

test("HEAD has the headers of GET and no body", async () => {
  const url = await serveBuilt();
  for (const path of ["/", "/assets/main-0a1b.js", "/config.json", "/assets/none.js"]) {
    const [get, head] = [await askPage(url, { path }), await askPage(url, { path, method: "HEAD" })];
    const { date: _, ...wanted } = get.headers;
    expect([path, head.status, head.text]).toEqual([path, get.status, ""]);
    expect(head.headers).toMatchObject(wanted);
  }
});

test("a range is answered with the whole file, whatever it names", async () => {
  const url = await serveBuilt();
  for (const range of ["bytes=0-3", "bytes=5-2", "bytes=-5", "bytes=99999-", "lines=1", "bytes=0-1,2-3"]) {
    const { status, text } = await askPage(url, { path: "/assets/main-0a1b.js", headers: { range } });
    expect([range, status, text]).toEqual([range, 200, SCRIPT]);
  }
});

test("no path leads out of the folder", async () => {
  const folder = temporaryFolder();
  writeApplication(join(folder, "dist"));
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(join(folder, "dist-other"));
  writeFileSync(join(folder, "dist-other/secret.txt"), "secret");
  const url = await serve(join(folder, "dist"));
  const paths = ["/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt"];
  const more = [
    "/assets/..%2f..%2fsecret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "/../dist-other/secret.txt",
  ];
  for (const path of [...paths, ...more, "/assets/main-0a1b.js%00", "/%00", "/%ff", "/assets/none.js"]) {
    const { status, text } = await askPage(url, { path });
    expect([path, status, text]).toEqual([path, 404, "The web application has no such file.\n"]);
  }
});

test("no page stands in the way of an API, under its prefix or without", async () => {
  const url = await serveBuilt();
  const operations = apis.flatMap(({ api }) =>
    Object.values(api.endpoints).flatMap(({ path }) => [path, `${api.basePath}${path}`]),
  );
  expect(operations.length).toBeGreaterThan(200);
  const others = ["/api", "/%61pi/x", "//api/x", "/docs", "/docs/openapi", "/api/scan/docs", "/v0?x=1"];
  for (const path of [...new Set([...operations, ...others])]) {
    const { status } = await askPage(url, { path: path.replaceAll(/[{}]/g, "") });
    expect([path, status]).toEqual([path, 418]);
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
    expect((await askPage(url, { path: "/", method })).status).toBe(418);
});

test("before the build pages answer 503 and what to do; after it they are there; a later build changes nothing", async () => {
  const folder = temporaryFolder();
  const url = await serve(folder);
  const missing = await askPage(url, { path: "/" });
  expect([missing.status, missing.text]).toEqual([503, expect.stringContaining("npm run web")]);
  expect((await askPage(url, { path: "/config.json" })).status).toBe(200);
  writeApplication(folder);
  expect((await askPage(url, { path: "/" })).text).toBe(INDEX);
  rmSync(join(folder, "assets"), { recursive: true });
  expect((await askPage(url, { path: "/assets/main-0a1b.js" })).text).toBe(SCRIPT);
});
