import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { readBounded } from "@callsign/api";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HttpClient } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";
import { systemHost } from "../system-host.ts";

async function start(
  listener: RequestListener,
): Promise<{ url: string; client: HttpClient; sockets: () => number }> {
  let sockets = 0;
  const server = createServer(listener).on("connection", () => sockets++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = systemHost.http.openClient();
  onTestFinished(() => {
    client.close();
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client,
    sockets: () => sockets,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  return (await request.toArray()).join("");
}

test("method, path, headers and body arrive, and so do the answer's, over connections that stay open", async () => {
  const { url, client, sockets } = await start(async (request, response) => {
    const { method, url: path, headers } = request;
    response.writeHead(202, { "x-answer": "yes" });
    response.end(
      JSON.stringify({ method, path, token: headers.authorization, body: await readBody(request) }),
    );
  });
  for (let i = 0; i < 10; i++) {
    const headers = { authorization: "Bearer t" };
    const answer = await client.fetch(`${url}/v0/a%2Fb?c=d`, { method: "POST", headers, body: "text" });
    expect([answer.status, answer.ok, answer.headers.get("x-answer"), answer.headers.get("x-none")]).toEqual([
      202,
      true,
      "yes",
      null,
    ]);
    const seen = { method: "POST", path: "/v0/a%2Fb?c=d", token: "Bearer t", body: "text" };
    expect(JSON.parse(await answer.text())).toEqual(seen);
  }
  expect(sockets()).toBeLessThan(5);
});

test("a redirect is an answer", async () => {
  const { url, client } = await start((_, response) =>
    response.writeHead(302, { location: "/x" }).end("there"),
  );
  const answer = await client.fetch(url, {});
  expect([answer.status, answer.ok, await answer.text()]).toEqual([302, false, "there"]);
});

test("a body longer than the limit is not read to its end, with and without its length", async () => {
  const { url, client } = await start((request, response) => {
    if (request.url === "/length") response.setHeader("content-length", 2_000_000);
    else response.write("x");
    response.end("x".repeat(2_000_000 - (request.url === "/length" ? 0 : 1)));
  });
  for (const path of ["/length", "/chunked"]) {
    expect(await readBounded(await client.fetch(url + path, {}), 1000)).toBeUndefined();
    expect(await readBounded(await client.fetch(url + path, {}), 2_000_000)).toHaveLength(2_000_000);
  }
});

test("an answer that breaks off is an error, and so is a refused connection with its code", async () => {
  const { url, client } = await start((request, response) => {
    if (request.url === "/length") response.setHeader("content-length", 100);
    response.write("half", () => request.socket.destroy());
  });
  for (const path of ["/length", "/chunked"]) {
    await expect(client.fetch(url + path, {}).then((answer) => readBounded(answer, 1000))).rejects.toThrow();
  }
  await expect(client.fetch("http://127.0.0.1:1/", {})).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a signal ends a call that waits for its answer or for its body, and close ends every call", async () => {
  let arrived = 0;
  const { url, client } = await start((request, response) => {
    arrived++;
    if (request.url === "/body") response.write("half");
  });
  for (const [i, path] of ["/answer", "/body"].entries()) {
    const stop = new AbortController();
    const call = client
      .fetch(url + path, { signal: stop.signal })
      .then((answer) => readBounded(answer, 1000));
    const ended = expect(call).rejects.toThrow();
    await vi.waitUntil(() => arrived === i + 1, { timeout: 60_000 });
    stop.abort(new Error("stopped"));
    await ended;
  }
  const calls = ["/answer", "/body"].map((path) =>
    client.fetch(url + path, {}).then((answer) => answer.text()),
  );
  const ended = Promise.allSettled(calls);
  await vi.waitUntil(() => arrived === 4, { timeout: 60_000 });
  client.close();
  for (const outcome of await ended) expect(outcome.status).toBe("rejected");
  for (const later of [url, url.replace("http:", "https:")]) {
    await expect(client.fetch(later, {})).rejects.toThrow("the HTTP client is closed");
  }
  expect(arrived).toBe(4);
});

test("a signal ends a call that waits for a free connection", async () => {
  let arrived = 0;
  const { url, client } = await start(() => arrived++);
  const busy = Array.from({ length: 64 }, () => client.fetch(url, {}));
  const ended = Promise.allSettled(busy);
  await vi.waitUntil(() => arrived === 64, { timeout: 60_000 });
  const stop = new AbortController();
  const waiting = client.fetch(url, { signal: stop.signal });
  const stopped = expect(waiting).rejects.toThrow("stopped");
  stop.abort(new Error("stopped"));
  await stopped;
  client.close();
  await ended;
});

test("a connection and an answer have their own timeouts", async () => {
  const silent = createTcpServer((socket) => void socket.unref());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const quick = (options: OutgoingOptions) => {
    const client = systemHost.http.openClient(options);
    onTestFinished(() => client.close());
    return client;
  };
  onTestFinished(() => void silent.close());
  const connecting = quick({ connectionTimeoutMilliseconds: 20 }).fetch(`https://127.0.0.1:${port}`, {});
  const { url } = await start((request, response) => {
    if (request.url === "/body") response.write("half");
  });
  const read = async (path: string, readTimeoutMilliseconds = 20) =>
    (await quick({ readTimeoutMilliseconds }).fetch(url + path, {})).text();
  await Promise.all([
    expect(connecting).rejects.toThrow(/Connect Timeout Error .*timeout: 20ms/),
    expect(read("/answer")).rejects.toThrow(/Headers Timeout Error/),
    expect(read("/body", 1000)).rejects.toThrow(/Body Timeout Error/),
  ]);
});
