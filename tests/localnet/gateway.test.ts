// Gateways forward requests unchanged, by host name and path.

import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { systemHost } from "@callsign/node";
import { afterEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { listen } from "../../packages/api/testing/table-server.ts";
import { type Gateway, type GatewayRoute, startGateway } from "../../packages/localnet/src/gateway.ts";
import { until } from "../../packages/node/testing/until.ts";
import { WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startEcho(name: string): Promise<string> {
  const { url: target, close } = await listen((incoming, response) => {
    let body = "";
    incoming.on("data", (chunk) => {
      body += chunk;
    });
    incoming.on("end", () => {
      const { method, url, headers } = incoming;
      response
        .writeHead(202, { "x-name": name })
        .end(JSON.stringify({ name, method, url, body, token: headers.authorization }));
    });
  });
  closing.push(close);
  return target;
}

async function start(routes: readonly GatewayRoute[]): Promise<Gateway> {
  const gateway = await startGateway(0, routes, systemHost);
  closing.unshift(gateway.close);
  return gateway;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, string>;
}

function ask(url: string, host: string, { method = "GET", body = "" } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: "Bearer t" };
    const outgoing = request(url, { method, headers }, (answer: IncomingMessage) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

test("the gateway forwards a request by its host and path, and the answer back, both unchanged", async () => {
  const [any, scan] = [await startEcho("any"), await startEcho("scan")];
  const { url } = await start([
    { host: null, prefix: "/api/validator", target: any },
    { host: "scan.localhost", prefix: "/api/scan", target: scan },
  ]);
  const posted = await ask(`${url}/api/validator/v0/x?y=%2F`, "wallet.localhost:2000", {
    method: "POST",
    body: "b",
  });
  expect(posted).toEqual({
    status: 202,
    body: { name: "any", method: "POST", url: "/api/validator/v0/x?y=%2F", body: "b", token: "Bearer t" },
  });
  expect((await ask(`${url}/api/scan`, "SCAN.localhost")).body["name"]).toBe("scan");
  expect((await ask(`${url}/api/validator`, "localhost")).body["name"]).toBe("any");
});

test("a chunked body never reaches the target as a second request", async () => {
  const seen: string[] = [];
  const { url: target, close } = await listen((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    incoming.resume().on("end", () => response.end("{}"));
  });
  closing.push(close);
  const { url } = await start([{ host: null, prefix: "/api", target }]);
  const smuggled = "GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const method of ["GET", "DELETE", "POST"]) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const size = smuggled.length.toString(16);
    const head = `${method} /api HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    socket.end(`${head}${size}\r\n${smuggled}\r\n0\r\n\r\n`);
    await new Promise((resolve) => socket.resume().on("close", resolve));
  }
  expect(seen).toEqual(["GET /api", "DELETE /api", "POST /api"]);
});

test("an answer that the target breaks off is broken off for the caller", async () => {
  const answered = Promise.withResolvers<void>();
  const { url: target, close } = await listen((_, response) => {
    response.writeHead(200, { "content-length": 100 }).write("half");
    void answered.promise.then(() => response.destroy());
  });
  closing.push(close);
  const { url } = await start([{ host: null, prefix: "/api", target }]);
  const answer = await fetch(`${url}/api`);
  answered.resolve();
  await expect(answer.text()).rejects.toThrow();
});

test("a request without a route is answered 404 with the list of routes", async () => {
  const { url } = await start([
    { host: "scan.localhost", prefix: "/api/scan", target: "http://127.0.0.1:1" },
  ]);
  for (const [path, host] of [
    ["/api/scan", "wallet.localhost"],
    ["/api/scanner", "scan.localhost"],
    ["/", "scan.localhost"],
  ] as const) {
    const { status, body } = await ask(url + path, host);
    expect([status, body["error"]]).toEqual([404, expect.stringContaining("scan.localhost/api/scan")]);
  }
});

test("a target that is down is answered 502", async () => {
  const { url } = await start([{ host: null, prefix: "/api", target: "http://127.0.0.1:1" }]);
  const { status, body } = await ask(`${url}/api`, "localhost");
  expect([status, body["error"]]).toEqual([502, expect.stringContaining("cannot be reached")]);
});

/** Echoes each frame; a handshake needs a token. */
async function startSocketEcho(): Promise<{ readonly target: string; readonly sockets: Set<WebSocket> }> {
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    handleProtocols: () => "daml.ws.auth",
    verifyClient: ({ req }, take) =>
      take(req.headers["sec-websocket-protocol"]?.includes("jwt.token.t") === true, 401, '{"error":"who"}'),
  });
  server.on("connection", (socket, { url }) => {
    socket.send(JSON.stringify({ url }));
    socket.on("message", (data) => socket.send(data.toString()));
  });
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { target: `http://127.0.0.1:${port}`, sockets: server.clients };
}

test("a websocket passes frames both ways, and its end on either side ends the other", async () => {
  const { target, sockets } = await startSocketEcho();
  const { url } = await start([{ host: "json-ledger-api.localhost", prefix: "/v2", target }]);
  const headers = { host: "json-ledger-api.localhost:2000" };
  const open = () => new WebsocketReader(`${url}/v2/updates?x=1`, { token: "t", headers, request: { a: 1 } });
  const reader = open();
  const frames = [await reader.next((frame) => frame), await reader.next((frame) => frame)];
  expect(frames).toEqual([{ url: "/v2/updates?x=1" }, { a: 1 }]);
  expect(reader.socket.protocol).toBe("daml.ws.auth");
  reader.socket.terminate();
  await until(() => sockets.size === 0, "the other side has heard of it");
  const second = open();
  await second.next((frame) => frame);
  for (const socket of sockets) socket.close(4000);
  expect(await second.closed).toBe(4000);
});

test("a refused handshake gets the target's answer; without a route 404, with the target down 502", async () => {
  const { target } = await startSocketEcho();
  const { url } = await start([
    { host: "json-ledger-api.localhost", prefix: "/v2", target },
    { host: "down.localhost", prefix: "/v2", target: "http://127.0.0.1:1" },
  ]);
  const open = (host: string) => new WebsocketReader(`${url}/v2/updates`, { headers: { host } }).refused();
  expect(await open("json-ledger-api.localhost")).toMatchObject({ status: 401, text: '{"error":"who"}' });
  expect(await open("other.localhost")).toMatchObject({ status: 404 });
  expect(await open("down.localhost")).toMatchObject({ status: 502 });
});

test("closing a gateway ends its websockets", async () => {
  const { target } = await startSocketEcho();
  const gateway = await start([{ host: null, prefix: "/v2", target }]);
  const reader = new WebsocketReader(`${gateway.url}/v2/updates`, { token: "t" });
  await reader.next((frame) => frame);
  await gateway.close();
  expect(await reader.closed).toBe(1006);
});
