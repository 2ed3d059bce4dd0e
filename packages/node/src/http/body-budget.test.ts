/** Large bodies take turns: what they take of memory together is bounded, and small ones do not wait for them. */

import { type ClientRequest, request } from "node:http";
import { type Api, defineEndpoints, json, LedgerErrorBody } from "@callsign/api";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { startHttpServer } from "./http-server.ts";
import { mountApi, openToAll } from "./mount-api.ts";

const LARGE = 200_000;

const endpoints = defineEndpoints({})({
  measure: {
    method: "POST",
    path: "/v0/measure",
    tags: ["t"],
    summary: "",
    auth: "none",
    body: z.object({ text: z.string() }),
    success: json(z.object({ length: z.number() })),
    errors: [],
  },
});
const api = {
  name: "test",
  title: "",
  version: "1",
  description: "",
  basePath: "",
  dialect: "ledger",
  tags: { t: "" },
  errorBody: LedgerErrorBody,
  maxBodyBytes: 1_000_000,
  endpoints,
} as const satisfies Api;

async function serve(maxBodyBytesAtOnce: number): Promise<string> {
  const handlers = { measure: ({ body }: { body: { text: string } }) => ({ length: body.text.length }) };
  const mounts = [mountApi(api, { handlers, ...openToAll })] as const;
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts, log: silentLog, system: systemHost, maxBodyBytesAtOnce },
  });
  onTestFinished(() => server.close());
  return server.url;
}

function bodyOf(length: number): string {
  return JSON.stringify({ text: "x".repeat(length) });
}

async function post(url: string, length: number): Promise<number> {
  const answer = await fetch(`${url}/v0/measure`, { method: "POST", body: bodyOf(length) });
  await answer.text();
  return answer.status;
}

/** All but the last byte is sent, or, in pieces, a part of it. */
function begin(url: string, headers: Record<string, string | number>, text: string) {
  const sent: ClientRequest = request(`${url}/v0/measure`, { method: "POST", headers });
  const answered = new Promise<number>((resolve, reject) => {
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
  });
  sent.write(text.slice(0, -1));
  return { finish: () => sent.end(text.slice(-1)), cut: () => sent.destroy(), answered };
}

test("a large body is refused while others use up the budget, and accepted once they are answered", async () => {
  const url = await serve(300_000);
  const text = bodyOf(LARGE);
  const first = begin(url, { "content-length": text.length }, text);
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(409);
  expect(await post(url, 1000)).toBe(200);
  first.finish();
  expect(await first.answered).toBe(200);
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(200);
});

test("a body without a length counts as the longest that its API allows", async () => {
  const url = await serve(1_000_000);
  const first = begin(url, { "transfer-encoding": "chunked" }, bodyOf(100));
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(409);
  first.cut();
  await expect(first.answered).rejects.toThrow();
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(200);
});

test("a single body may be larger than the budget, within its API's limit", async () => {
  const url = await serve(1000);
  expect(await post(url, LARGE)).toBe(200);
  expect(await post(url, 1_000_000)).toBe(413);
});
