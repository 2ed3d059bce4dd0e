import { type AddressInfo, createServer } from "node:net";
import { createClient, scanApi, TransportError } from "@callsign/api";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../api/testing/table-server.ts";
import { startForwardProxy } from "../../testing/forward-proxy.ts";
import type { ForwardProxy } from "../host/outgoing.ts";
import { systemHost } from "../system-host.ts";
import { withOutgoing } from "./with-outgoing.ts";

async function startServer() {
  const seen: string[] = [];
  const server = await listen((request, response) => {
    seen.push(`${request.method} ${request.headers.host}${request.url}`);
    response.writeHead(request.url === "/502" ? 502 : 200).end("answer");
  });
  onTestFinished(server.close);
  return { ...server, seen };
}

function openClient(proxy: ForwardProxy) {
  const client = withOutgoing(systemHost, { proxy }).http.openClient();
  onTestFinished(() => client.close());
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<TransportError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof TransportError) return failure;
  throw new Error(`expected a transport error, got ${String(failure)}`);
}

test("plain http goes through the proxy of http, and directly without one or to a host on the list", async () => {
  const [server, proxy] = [await startServer(), await startForwardProxy(onTestFinished)];
  const { address, passed } = proxy;
  const through = openClient({ http: address, nonProxyHosts: [] });
  const answer = await through.fetch(`${server.url}/v0/a%2Fb?c=d`, { method: "POST", body: "text" });
  expect([answer.status, await answer.text()]).toEqual([200, "answer"]);
  expect(passed).toEqual([`POST 127.0.0.1:${server.port}/v0/a%2Fb`]);
  expect(server.seen).toEqual([`POST 127.0.0.1:${server.port}/v0/a%2Fb?c=d`]);
  for (const direct of [
    openClient({ https: address, nonProxyHosts: [] }),
    openClient({ http: address, nonProxyHosts: ["127.*"] }),
  ]) {
    expect(await (await direct.fetch(server.url, {})).text()).toBe("answer");
  }
  expect([passed.length, server.seen.length]).toEqual([1, 3]);
  // An answer of the server, and not a failure of the proxy.
  expect((await through.fetch(`${server.url}/502`, {})).status).toBe(502);
});

test.each([
  [407, "it answers 407, it asks for credentials, which are not supported"],
  [502, "it answers 502, it cannot reach that server"],
  [403, "it answers 403, its rules forbid it"],
])("a proxy that answers CONNECT with %i is named in a transport error", async (status, reason) => {
  const proxy = await startForwardProxy(onTestFinished);
  proxy.refusal = status;
  const { fetch } = openClient({ https: proxy.address, nonProxyHosts: [] });
  const scan = createClient(scanApi, { fetch, baseUrl: "https://scan.example:8443/api/scan" });
  const failure = await failureOf(scan.getDsoPartyId());
  expect([failure.failure, proxy.passed]).toEqual(["network", ["CONNECT scan.example:8443"]]);
  const name = `the forward proxy 127.0.0.1:${proxy.address.port}`;
  expect(failure.message).toBe(
    `getDsoPartyId at https://scan.example:8443/api/scan/v0/dso-party-id: network: ${name} does not connect to scan.example:8443: ${reason}`,
  );
});

test("a proxy that asks for credentials or cannot be reached is named for plain http too", async () => {
  const [server, proxy] = [await startServer(), await startForwardProxy(onTestFinished)];
  const { fetch } = openClient({ http: proxy.address, https: proxy.address, nonProxyHosts: [] });
  const name = `the forward proxy 127.0.0.1:${proxy.address.port}`;
  proxy.refusal = 407;
  await expect(fetch(server.url, {})).rejects.toThrow(`${name} does not connect to 127.0.0.1:${server.port}`);
  expect(server.seen).toEqual([]);
  await proxy.close();
  for (const url of [server.url, "https://scan.example"]) {
    const failure = await failureOf(createClient(scanApi, { fetch, baseUrl: url }).getDsoPartyId());
    expect(failure.message).toMatch(`network: ${name} cannot be reached: connect ECONNREFUSED`);
  }
});

test("a caller that gives up does not wait for a proxy that says nothing, and one that hangs up is named", async () => {
  let hangsUp = false;
  const silent = createServer((socket) => void (hangsUp ? socket.destroy() : socket.unref()));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const ask = (timeoutMilliseconds: number) => {
    const { fetch } = openClient({ https: { host: "127.0.0.1", port }, nonProxyHosts: [] });
    const scan = createClient(scanApi, { fetch, baseUrl: "https://scan.example", timeoutMilliseconds });
    return failureOf(scan.getDsoPartyId());
  };
  expect((await ask(50)).failure).toBe("timeout");
  hangsUp = true;
  const failure = await ask(60_000);
  expect([failure.failure, failure.message]).toEqual([
    "network",
    expect.stringContaining(`through the forward proxy 127.0.0.1:${port}`),
  ]);
});
