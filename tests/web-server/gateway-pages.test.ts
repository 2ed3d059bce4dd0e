// The web application on the gateways of a real local network, and the APIs that it calls through them.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebConfig } from "../../packages/api/src/index.ts";
import { NODE_NAMES, type NodeName } from "../../packages/localnet/src/ports.ts";
import type { Localnet } from "../../packages/localnet/src/start-localnet.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { askPage, type PageAnswer, type PageRequest } from "./built-application.ts";

let whole: LocalNetwork;
let network: Localnet;
beforeAll(async () => {
  whole = await LocalNetwork.start({ allowedCallers: { hosts: ["host.docker.internal"] } });
  network = whole.net;
});
afterAll(() => whole?.close());

/** A request as a browser would send it that knows the gateway by this name. */
function ask(node: NodeName, name: string, asked: PageRequest): Promise<PageAnswer> {
  const { gatewayUrl } = network.nodes[node];
  return askPage(gatewayUrl, { ...asked, headers: { host: hostOf(node, name), ...asked.headers } });
}

function hostOf(node: NodeName, name: string): string {
  return `${name}:${new URL(network.nodes[node].gatewayUrl).port}`;
}

async function configOf(node: NodeName, name: string): Promise<WebConfig> {
  const { status, text } = await ask(node, name, { path: "/config.json" });
  expect([name, status]).toEqual([name, 200]);
  return JSON.parse(text) as WebConfig;
}

test("each host name opens the section that it stands for", async () => {
  const homes = { wallet: "wallet", ans: "names", scan: "network", sv: "operator" };
  for (const node of NODE_NAMES) {
    for (const [name, home] of Object.entries(homes))
      expect(await configOf(node, `${name}.localhost`)).toMatchObject({ home });
    for (const name of ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "host.docker.internal"])
      expect(await configOf(node, name)).toMatchObject({ home: "names" });
  }
});

test("the configuration names the services behind the gateway, and the network as its scans do", async () => {
  const { names, services } = await configOf("app-user", "localhost");
  expect(services).toEqual({
    validator: "/api/validator",
    scan: "/api/scan",
    sv: null,
    ledger: "/api/ledger",
    localNetwork: "/api/local-network",
  });
  expect((await configOf("sv", "sv.localhost")).services.sv).toBe("/api/sv");
  const shown = await fetch(`${network.svs[0]?.scanUrl}/api/scan/v0/splice-instance-names`);
  const told = (await shown.json()) as Record<string, string>;
  expect(Object.values(names)).toEqual([
    ...[told["network_name"], told["amulet_name"], told["amulet_name_acronym"]],
    ...[told["name_service_name"], told["name_service_name_acronym"]],
  ]);
});

test("every service of the configuration answers under its path", async () => {
  const probes = {
    validator: "/readyz",
    scan: "/v0/dso-party-id",
    sv: "/readyz",
    ledger: "/v2/version",
    localNetwork: "/ext/v1/clock",
  };
  for (const node of NODE_NAMES) {
    const { services } = await configOf(node, "localhost");
    for (const [service, path] of Object.entries(probes)) {
      const prefix = services[service as keyof typeof services];
      if (prefix === null) continue;
      const { status } = await ask(node, "localhost", { path: prefix + path });
      expect([node, service, status]).toEqual([node, service, 200]);
    }
  }
});

test("a page of another origin cannot move the clock, and the gateway's own pages can", async () => {
  const before = network.now();
  const move = (headers: Record<string, string>) =>
    ask("app-user", "wallet.localhost", {
      path: "/api/local-network/ext/v1/clock",
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ forwardSeconds: 1 }),
    });
  const own = `http://${hostOf("app-user", "wallet.localhost")}`;
  const foreign = [
    ...["https://evil.example.com", "null", "http://wallet.localhost:1", own.replace("http:", "https:")],
    `http://${hostOf("app-user", "ans.localhost")}`,
  ];
  for (const origin of foreign) {
    const { status, text } = await move({ origin });
    expect([origin, status, text]).toEqual([origin, 403, expect.stringContaining("may not call")]);
  }
  expect((await move({ host: "evil.example.com", origin: "http://evil.example.com" })).status).toBe(403);
  expect((await move({ host: "evil.example.com" })).status).toBe(403);
  expect(network.now() - before).toBeLessThan(1_000_000n);
  expect((await move({ origin: own })).status).toBe(200);
  expect((await move({})).status).toBe(200);
  expect(network.now() - before).toBeGreaterThanOrEqual(2_000_000n);
});

test("a validator of its own shows the pages of the gateway, with the same headers", async () => {
  const { login, ...config } = await configOf("app-user", "wallet.localhost");
  if (login === null) throw new Error("nobody can log in on the gateway");
  const { url } = await whole.startValidator(["app-user"], "paged", {
    ...{ waits: false, web: { ...config, logins: { wallet: login } } },
  });
  for (const path of ["/", "/config.json"]) {
    const shown = async (answer: Promise<PageAnswer>) => {
      const { status, text, headers } = await answer;
      const { date: _, connection: __, "keep-alive": ___, ...rest } = headers;
      return [path, status, text, rest];
    };
    const headers = { host: "wallet.localhost" };
    expect(await shown(askPage(url, { path, headers }))).toEqual(
      await shown(ask("app-user", "wallet.localhost", { path })),
    );
  }
});

test("a foreign host name gets no page: it may have been made to point here", async () => {
  for (const path of ["/", "/config.json", "/assets/x.js"]) {
    const { status, text } = await ask("app-user", "evil.example.com", { path });
    expect([path, status, text]).toEqual([path, 403, expect.stringContaining("--allow-host")]);
  }
});

test("paths of APIs without a route, and hosts of APIs alone, are refused with the list of routes", async () => {
  for (const [name, path] of [
    ["localhost", "/api/none"],
    ["localhost", "/api/sv/readyz"],
    ["localhost", "/v0/x"],
    ["json-ledger-api.localhost", "/"],
    ["canton.localhost", "/names"],
  ] as const) {
    const { status, text } = await ask("app-user", name, { path });
    const error = expect.stringMatching(/^Nothing is served at .* Here are: any host\/api\/validator, /);
    expect([name, path, status, JSON.parse(text)]).toEqual([name, path, 404, { error }]);
  }
});

test("a prefix is cut off at its end alone, and the query stays", async () => {
  const clock = await ask("app-user", "localhost", { path: "/api/local-network/ext/v1/clock?x=1" });
  expect(clock.status).toBe(200);
  expect((await ask("app-user", "localhost", { path: "/api/local-networkx" })).status).toBe(404);
  const root = await ask("app-user", "localhost", { path: "/api/local-network" });
  expect([root.status, root.text]).toEqual([404, expect.stringContaining("could not be found")]);
});
