// The network's surface: SV apps, metrics, gateways by host name, all of them on loopback alone.

import { request } from "node:http";
import { connect } from "node:net";
import { VALIDATOR_AUTOMATION_NAMES } from "@callsign/validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { svApi } from "../../packages/api/src/sv/api.ts";
import { describeNetwork } from "../../packages/localnet/src/summary.ts";
import { LocalNetwork } from "../support/local-network.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
});
afterAll(() => world?.close());

function listUrls(): readonly string[] {
  const { nodes, svs, developmentUrl, metricsUrl } = describeNetwork(world.net, {
    dataFolder: world.folder,
    logFile: "",
  });
  return [
    ...nodes.flatMap(({ validatorUrl, ledgerUrl, gatewayUrl }) => [validatorUrl, ledgerUrl, gatewayUrl]),
    ...svs.flatMap(({ scanUrl, sequencerUrl, appUrl }) => [scanUrl, sequencerUrl, appUrl]),
    developmentUrl,
    metricsUrl,
  ];
}

/** True if a server listens there. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

test("every port listens on loopback alone", async () => {
  const ports = listUrls().map((url) => Number(new URL(url).port));
  expect(new Set(ports).size).toBe(3 * 3 + 4 * 3 + 2);
  for (const port of ports) {
    expect(await answers("127.0.0.1", port)).toBe(true);
    // Another loopback address: a server that listens on all addresses would answer here.
    expect(await answers("127.0.0.2", port)).toBe(false);
  }
});

test("every SV app is ready, with and without its prefix", async () => {
  for (const { appUrl } of describeNetwork(world.net, { dataFolder: world.folder, logFile: "" }).svs) {
    for (const baseUrl of [appUrl, `${appUrl}/api/sv`]) {
      const app = createClient(svApi, { fetch, baseUrl });
      await app.isReady();
      await app.isLive();
      expect(await app.getHealthStatus()).toMatchObject({ success: { active: true } });
      expect((await app.getVersion()).version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  }
});

test("the gateway of the SV forwards to scan and to the SV's application", async () => {
  const { gatewayUrl } = world.net.nodes.sv;
  const ask = (host: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      request(gatewayUrl + path, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
  expect(await ask("scan.localhost:4000", "/api/scan/v0/dso-party-id")).toBe(200);
  expect(await ask("scan.localhost:4000", "/registry/metadata/v1/info")).toBe(200);
  expect(await ask("wallet.localhost:4000", "/registry/metadata/v1/info")).toBe(404);
  expect(await ask("sv.localhost:4000", "/api/sv/readyz")).toBe(200);
  expect(await ask("wallet.localhost:4000", "/api/validator/readyz")).toBe(200);
  expect(await ask("wallet.localhost:4000", "/api/sv/readyz")).toBe(200);
});

test("the metrics are in Prometheus' text form, and move with the network", async () => {
  const read = async () => {
    const answer = await fetch(world.net.metricsUrl);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return answer.text();
  };
  const sequence = (text: string) =>
    Number(
      /^callsign_replica_sequence\{node_type="sequencer",node_name="sv-1"[^}]*\} (\d+)$/m.exec(text)?.[1],
    );
  const before = await read();
  for (const line of before.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/);
  await world.tap("app-user", "1");
  await world.net.settle();
  expect(sequence(await read())).toBeGreaterThan(sequence(before));
  expect((await fetch(world.net.metricsUrl.replace("/metrics", "/other"))).status).toBe(404);
});

test("every automation of every SV has metrics of its work", async () => {
  const text = await (await fetch(world.net.metricsUrl)).text();
  for (const [name, value] of [
    ["done_total", /[1-9]\d*/],
    ["lost_total", /\d+/],
    ["failed_total", /0/],
    ["waiting", /\d+/],
    ["paused", /0/],
  ] as const) {
    const labels = 'node_type="sv",node_name="sv-1",automation="receive-sv-rewards"';
    expect(text).toMatch(new RegExp(`^callsign_automation_${name}\\{${labels}\\} ${value.source}$`, "m"));
  }
  expect(text).toMatch(
    /^callsign_automation_done_total\{node_type="sv",node_name="sv-1",automation="expire-allocations"\} 0$/m,
  );
});

test("developers see the users with their tokens, make others, and see how scans behave", async () => {
  const development = createClient(localNetworkApi, { fetch, baseUrl: world.net.developmentUrl });
  const { users } = await development.listUsers();
  expect(users.map(({ user, node }) => [user, node])).toEqual([
    ["app-user", "app-user"],
    ["app-provider", "app-provider"],
    ["sv", "sv"],
    ["ledger-api-user", null],
  ]);
  for (const { user, token, node } of users) {
    const { ledgerUrl } = world.net.nodes[node === null ? "sv" : (node as "sv")];
    const headers = { authorization: `Bearer ${token}` };
    const found = await fetch(`${ledgerUrl}/v2/authenticated-user`, { headers });
    expect(await found.json()).toMatchObject({ user: { id: user } });
    expect(await development.makeToken({ params: { user } })).toEqual({ token });
  }
  await development.setScanBehaviour({ params: { number: "3" }, body: { behaviour: "lag" } });
  const { scans } = await development.listScans();
  expect(scans.map(({ behaviour }) => behaviour)).toEqual(["honest", "honest", "lag", "honest"]);
  await development.setScanBehaviour({ params: { number: "3" }, body: { behaviour: "honest" } });
});

test("every automation of every validator has metrics of its work", async () => {
  await world.net.settle();
  const lines = (await (await fetch(world.net.metricsUrl)).text()).split("\n");
  // This network's validators record no liveness, and three automations have no settings.
  const unset = ["top-up-traffic", "sweep-wallets", "accept-transfer-offers"];
  const paused = new Set(["record-liveness", ...unset]);
  for (const name of ["app-user", "app-provider", "sv"]) {
    const expected = VALIDATOR_AUTOMATION_NAMES.flatMap((automation) => {
      const labels = `{node_name="${name}",node_type="validator",automation="${automation}"}`;
      const isPaused = paused.has(automation) ? 1 : 0;
      return [
        `callsign_automation_failed_total${labels} 0`,
        `callsign_automation_paused${labels} ${isPaused}`,
      ];
    });
    expect(expected.filter((line) => !lines.includes(line))).toEqual([]);
  }
});
