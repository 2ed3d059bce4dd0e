// The README's tour with nothing but HTTP: a name is bought, looked up both ways and renewed by itself. What it prints
// can be quoted there: CALLSIGN_TOUR=1 npm test -- tests/clients/tour

import { afterAll, beforeAll, expect, test } from "vitest";
import { NODE_NAMES, STANDARD_PORTS } from "../../packages/localnet/src/ports.ts";
import { LocalnetWorld } from "../localnet/world.ts";

const SIXTY_DAYS = 60 * 86_400;
const RENEWED_FOR = 90 * 86_400_000;

let world: LocalnetWorld;
beforeAll(async () => {
  world = await LocalnetWorld.start();
}, 60_000);
afterAll(() => world?.close());

interface Sent {
  readonly body?: unknown;
  readonly token?: string;
  /** Long values that the reader keeps in a variable. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** One command of the tour, sent and shown. */
async function ask(method: "GET" | "POST", url: string, sent: Sent = {}): Promise<Record<string, unknown>> {
  const { body, token } = sent;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  print(formatCommand(method, url, sent), text);
  expect([url, response.status, text.slice(0, 500)]).toEqual([url, 200, expect.anything()]);
  return JSON.parse(text) as Record<string, unknown>;
}

function formatCommand(method: string, url: string, { body, token, variables = {} }: Sent): string {
  const parts = [
    "curl -s",
    ...(method === "POST" && body === undefined ? ["-X POST"] : []),
    Object.entries(variables).reduce((shown, [name, value]) => shown.replace(value, `$${name}`), url),
    ...(token === undefined ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ];
  return parts.join(" ");
}

/** With the ports that `npm start` has. */
function print(command: string, answer: string): void {
  if (process.env["CALLSIGN_TOUR"] !== "1") return;
  const { nodes, svs, developmentUrl } = world.network;
  const ports: (readonly [string, number | undefined])[] = [
    ...NODE_NAMES.map((name) => [nodes[name].validatorUrl, STANDARD_PORTS.nodes[name].validator] as const),
    ...svs.map(({ scanUrl }, i) => [scanUrl, STANDARD_PORTS.svs[i]?.scan] as const),
    [developmentUrl, STANDARD_PORTS.development],
  ];
  const shown = ports.reduce(
    (text, [url, port]) => text.replaceAll(url, `http://127.0.0.1:${port}`),
    `$ ${command}\n${answer}\n\n`,
  );
  process.stdout.write(shown);
}

test("tap, ask for a name, accept, look it up, move the clock, see it renewed", async () => {
  const { validatorUrl, token } = world.network.nodes["app-user"];
  const validator = `${validatorUrl}/api/validator/v0`;
  const scan = `${world.network.svs[0]?.scanUrl}/api/scan/v0`;

  const tapped = await ask("POST", `${validator}/wallet/tap`, { token, body: { amount: "10.0" } });
  expect(tapped["contract_id"]).toMatch(/^00/);

  const wish = { name: "alice", url: "https://example.com", description: "Hello" };
  const requested = await ask("POST", `${validator}/entry/create`, { token, body: wish });
  expect(requested).toMatchObject({ ...wish, name: "alice.unverified.cns" });
  const request = String(requested["subscriptionRequestCid"]);

  const listed = await ask("GET", `${validator}/wallet/subscription-requests`, { token });
  expect(listed).toMatchObject({ subscription_requests: [{ contract_id: request }] });
  const accept = `${validator}/wallet/subscription-requests/${request}/accept`;
  await ask("POST", accept, { token, variables: { REQUEST: request } });
  await world.network.settle();

  const byName = `${scan}/ans-entries/by-name/alice.unverified.cns`;
  const { entry } = (await ask("GET", byName)) as { entry: { user: string; expires_at: string } };
  expect(entry).toMatchObject({ ...wish, name: "alice.unverified.cns", user: await world.party("app-user") });
  const byParty = `${scan}/ans-entries/by-party/${entry.user}`;
  expect(await ask("GET", byParty, { variables: { PARTY: entry.user } })).toEqual({ entry });
  const proxied = `${validator}/scan-proxy/ans-entries/by-name/alice.unverified.cns`;
  expect(await ask("GET", proxied, { token })).toEqual({ entry });
  const owned = await ask("GET", `${validator}/entry/all`, { token });
  expect(owned).toMatchObject({ entries: [{ name: "alice.unverified.cns", amount: "1.0000000000" }] });

  const clock = `${world.network.developmentUrl}/ext/v1/clock`;
  await ask("POST", clock, { body: { forwardSeconds: SIXTY_DAYS } });
  const renewed = (await ask("GET", byName)) as { entry: { expires_at: string } };
  expect(Date.parse(renewed.entry.expires_at) - Date.parse(entry.expires_at)).toBe(RENEWED_FOR);
  const balance = await ask("GET", `${validator}/wallet/balance`, { token });
  expect(balance).toMatchObject({ effective_locked_qty: "0.0000000000" });
});
