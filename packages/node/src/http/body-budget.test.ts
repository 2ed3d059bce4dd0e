/** Large bodies take turns: what they take of memory together is bounded, and small ones do not wait for them. */

import { type ClientRequest, request } from "node:http";
import { type Api, defineEndpoints, type Endpoint, json, LedgerErrorBody } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { VirtualHost } from "../../testing/virtual-host.ts";
import type { Host } from "../host/host.ts";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import type { Incoming } from "./call.ts";
import { startHttpServer } from "./http-server.ts";
import { STRANGERS_ARRIVAL_MILLISECONDS } from "./limits.ts";
import { mountApi } from "./mount-api.ts";
import { LedgerFailure } from "./refusal.ts";

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

/** Callers whose header `authorization` is "known" have a valid token; with any other they are refused. */
async function serve(maxBodyBytesAtOnce: number, system: Host = systemHost): Promise<string> {
  const handlers = { measure: ({ body }: { body: { text: string } }) => ({ length: body.text.length }) };
  const authenticate = (_: Endpoint, { authorization }: Incoming): string | null => {
    if (authorization === undefined || authorization === "known") return authorization ?? null;
    throw new LedgerFailure(ledgerError("UNAUTHENTICATED", "the token does not hold"));
  };
  const mounts = [mountApi(api, { handlers, authenticate, authorize: () => null })] as const;
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts, log: silentLog, system, maxBodyBytesAtOnce },
  });
  onTestFinished(() => server.close());
  return server.url;
}

function bodyOf(length: number): string {
  return JSON.stringify({ text: "x".repeat(length) });
}

async function post(url: string, length: number, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await fetch(`${url}/v0/measure`, { method: "POST", headers, body: bodyOf(length) });
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
  /** Sends a part of the body in a packet of its own. */
  const piece = (part: string) =>
    new Promise<void>((resolve) => sent.write(part, () => setImmediate(resolve)));
  const begun = text === "" ? Promise.resolve() : piece(text.slice(0, -1));
  return { begun, piece, finish: () => sent.end(text.slice(-1)), cut: () => sent.destroy(), answered };
}

test("a large body is refused while others use up the budget, and accepted once they are answered", async () => {
  const url = await serve(300_000);
  const text = bodyOf(LARGE);
  const first = begin(url, { "content-length": text.length, authorization: "known" }, text);
  await first.begun;
  await expect.poll(() => post(url, LARGE, "known"), { interval: 5 }).toBe(409);
  expect(await post(url, 1000)).toBe(200);
  first.finish();
  expect(await first.answered).toBe(200);
  await expect.poll(() => post(url, LARGE, "known"), { interval: 5 }).toBe(200);
});

test("bodies that were announced and have not come take nothing from others", async () => {
  const url = await serve(300_000);
  const begun = Array.from({ length: 8 }, () => begin(url, { "content-length": 900_000 }, bodyOf(100)));
  begun.push(begin(url, { "transfer-encoding": "chunked" }, bodyOf(100)));
  for (let i = 0; i < 10; i++) expect(await post(url, LARGE, "known")).toBe(200);
  for (const { cut, answered } of begun) {
    cut();
    await expect(answered).rejects.toThrow();
  }
});

test("callers without a token who hold their share leave the rest to those with one", async () => {
  const url = await serve(900_000);
  const text = bodyOf(LARGE);
  const first = begin(url, { "content-length": text.length }, text);
  await first.begun;
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(409);
  expect(await post(url, LARGE, "known")).toBe(200);
  first.cut();
  await expect(first.answered).rejects.toThrow();
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(200);
});

test("a body of a caller without a token that stops coming is refused, and gives its share back", async () => {
  const system = new VirtualHost();
  const url = await serve(900_000, system);
  const text = bodyOf(LARGE);
  const first = begin(url, { "content-length": text.length }, text);
  await first.begun;
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(409);
  await system.advance(STRANGERS_ARRIVAL_MILLISECONDS);
  expect(await first.answered).toBe(408);
  await expect.poll(() => post(url, LARGE), { interval: 5 }).toBe(200);
});

test("small bodies in very many pieces leave room for callers with a token", async () => {
  const url = await serve(900_000);
  const begun = Array.from({ length: 5 }, () => begin(url, { "content-length": 1000 }, ""));
  const ended = Promise.allSettled(begun.map(({ answered }) => answered));
  for (const { piece } of begun) for (let i = 0; i < 400; i++) await piece("x");
  for (let i = 0; i < 5; i++) expect(await post(url, LARGE, "known")).toBe(200);
  for (const { cut } of begun) cut();
  await ended;
});

test("pieces of a body count more than their bytes", async () => {
  const url = await serve(900_000);
  const [first, second] = [1, 2].map(() => begin(url, { "transfer-encoding": "chunked" }, ""));
  for (const each of [first, second]) for (let i = 0; i < 1000; i++) await each?.piece("x");
  expect(await second?.answered).toBe(409);
  first?.cut();
  await expect(first?.answered).rejects.toThrow();
});

test("a caller whose token does not hold is refused before a large body is read", async () => {
  const url = await serve(900_000);
  const text = bodyOf(LARGE);
  const first = begin(url, { "content-length": text.length, authorization: "false" }, text);
  expect(await first.answered).toBe(401);
});

test("a single body may be larger than the budget, within its API's limit", async () => {
  const url = await serve(1000);
  expect(await post(url, LARGE)).toBe(200);
  expect(await post(url, 1_000_000)).toBe(413);
});
