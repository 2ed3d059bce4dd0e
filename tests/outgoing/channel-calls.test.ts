// Calls on a lookup channel that wait for their handlers: the same answers as by requests, and refusals left to these.

import { type Api, type ChannelAnswer, defineEndpoints, json, SpliceError, spliceError } from "@callsign/api";
import { LookupChannel, Refusal, Reply, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type HttpServerOptions, startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { MAX_OPEN_QUESTIONS } from "../../packages/node/src/http/limits.ts";
import { mountApi } from "../../packages/node/src/http/mount-api.ts";
import { exposeMetrics } from "../../packages/node/src/observability/exposition.ts";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { until } from "../../packages/node/testing/until.ts";

const text = json(z.object({ word: z.string() }));
const endpoints = defineEndpoints({ tags: ["all"], auth: "none" })({
  wait: {
    ...{ method: "GET", path: "/v0/wait", summary: "", errors: [400, 401], success: text },
    query: z.object({ word: z.string() }),
  },
  other: { method: "GET", path: "/v0/other", summary: "", errors: [], success: text },
});
const api = {
  ...{ name: "words", title: "", version: "1", description: "", basePath: "/api/words", dialect: "splice" },
  ...{ tags: { all: "" }, errorBody: SpliceError, maxBodyBytes: 1000, endpoints },
} as const satisfies Api;

/** Each word is answered once it is said; `now` is said from the beginning. */
async function serve(options: Pick<HttpServerOptions, "callRates"> = {}) {
  const metrics = new Metrics();
  const waiting = new Map<string, { readonly say: () => void; readonly signal: AbortSignal }>();
  const mount = mountApi(api, {
    authenticate: (_, { authorization }) => {
      if (authorization === "Bearer good") return "alice";
      throw new Refusal(spliceError(401, "no token"));
    },
    authorize: (_endpoint, _request, user) => user,
    headers: () => ({ "x-version": "7" }),
    channelled: [endpoints.wait],
    handlers: {
      wait: async ({ query: { word } }, { caller, signal }) => {
        if (word !== "now")
          await new Promise<void>((say) => {
            waiting.set(word, { say, signal });
            signal.addEventListener("abort", () => say());
          });
        return new Reply({ word: `${word} — ü` }, { headers: { "x-caller": caller } });
      },
      other: () => ({ word: "other" }),
    },
  });
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts: [mount], system: systemHost, metrics, ...options },
    // No call of a test ends by its time.
    requestTimeoutMilliseconds: 600_000,
    log: createLog({ level: "silent" }),
  });
  onTestFinished(() => server.close());
  const client = systemHost.http.openClient();
  const parts = { baseUrl: server.url + api.basePath, client, host: systemHost };
  const channel = new LookupChannel({ ...parts, timeoutMilliseconds: 60_000 });
  onTestFinished(() => {
    channel.close();
    client.close();
  });
  const ask = (target: string, authorization = "Bearer good") =>
    new Promise<ChannelAnswer | "late" | "no channel" | null>((resolve) => {
      if (!channel.ask({ target, headers: { authorization } }, resolve)) resolve("no channel");
    });
  await until(async () => (await ask("/v0/wait?word=now")) !== "no channel", "the channel is open");
  const say = async (word: string) => {
    await until(() => waiting.has(word), `${word} is waited for`);
    waiting.get(word)?.say();
  };
  const readMetrics = async () =>
    Buffer.from((await exposeMetrics(metrics, undefined, systemHost.timers)).body).toString();
  return { ...server, channel, ask, say, waiting, readMetrics };
}

const answer = (word: string) => ({
  status: 200,
  headers: { "x-version": "7", "x-caller": "alice" },
  body: JSON.stringify({ word: `${word} — ü` }),
});

test("answers come in the order of the questions, as requests are answered, and are counted as these", async () => {
  const { url, ask, say, readMetrics } = await serve();
  const asked = [ask("/v0/wait?word=first"), ask("/v0/wait?word=second"), ask("/v0/wait?word=now")];
  const order: number[] = [];
  for (const [index, each] of asked.entries()) void each.then(() => order.push(index));
  await say("second");
  await say("first");
  expect(await Promise.all(asked)).toEqual([answer("first"), answer("second"), answer("now")]);
  expect(order).toEqual([0, 1, 2]);
  const response = await fetch(`${url}${api.basePath}/v0/wait?word=now`, {
    headers: { authorization: "Bearer good" },
  });
  expect([response.headers.get("x-caller"), await response.text()]).toEqual(["alice", answer("now").body]);
  const counted =
    /daml_http_requests_duration_seconds_count\{[^}]*operation="wait"[^}]*status_code="200"[^}]*\} (\d+)/;
  expect(Number(counted.exec(await readMetrics())?.[1])).toBeGreaterThanOrEqual(5);
});

test("a call that is refused, fails or is not meant for the channel is left to a request", async () => {
  const { ask } = await serve();
  expect(await ask("/v0/wait?word=now", "Bearer bad")).toBeNull();
  for (const target of ["/v0/wait", "/v0/other", "/v0/none", "/v0/wait/now?word=now"])
    expect([target, await ask(target)]).toEqual([target, null]);
  expect(await ask("/v0/wait?word=now")).toEqual(answer("now"));
});

test("a caller beyond its rate is left to requests, which are refused", async () => {
  const { ask, url } = await serve({ callRates: { perAddress: { perSecond: 0.001, burst: 6 } } });
  for (let left = 0; left < 6; left++) await ask("/v0/wait?word=now");
  expect(await ask("/v0/wait?word=now")).toBeNull();
  const init = { headers: { authorization: "Bearer good" } };
  expect((await fetch(`${url}${api.basePath}/v0/wait?word=now`, init)).status).toBe(429);
});

test("a channel that closes aborts the calls that wait on it", async () => {
  const { ask, channel, waiting } = await serve();
  const asked = ask("/v0/wait?word=never");
  await until(() => waiting.has("never"), "it is waited for");
  const { signal } = waiting.get("never") ?? {};
  expect(signal?.aborted).toBe(false);
  channel.close();
  expect(await asked).toBeNull();
  await until(() => signal?.aborted === true, "the call is aborted");
});

test("a server that closes does not wait for the calls of its channels", async () => {
  const { ask, waiting, close } = await serve();
  const asked = ask("/v0/wait?word=never");
  await until(() => waiting.has("never"), "it is waited for");
  await close();
  expect(await asked).toBeNull();
});

test("a channel with too many open questions is closed", async () => {
  const { ask, channel } = await serve();
  const asked = Array.from({ length: MAX_OPEN_QUESTIONS + 1 }, (_, i) => ask(`/v0/wait?word=never-${i}`));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([null]));
  expect(channel.isBusy).toBe(false);
});
