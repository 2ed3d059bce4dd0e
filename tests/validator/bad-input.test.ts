// Bad input on every route: an error of the API's shape, nothing changed, never a 500.

import { type Endpoint, validatorApi } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;
let before: unknown;

beforeAll(async () => {
  network = await LocalNetwork.start();
  wallet = network.validator();
  await wallet.tap({ body: { amount: "3" } });
  await network.buy(wallet, "alice");
  await wallet.createAnsEntry({ body: { name: "open", url: "", description: "" } });
  before = await picture();
});
afterAll(() => network.close());

/** The contracts and balances that a caller could have changed, on the ledger and in the wallet. */
async function picture() {
  return [
    await network.ledger().getLedgerEnd(),
    await wallet.getBalance(),
    await wallet.listAnsEntries(),
    await wallet.listSubscriptionRequests(),
    await wallet.listSubscriptions(),
    await wallet.listTransferOffers(),
  ];
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

async function send({ method, path, body, contentType = "application/json" }: Sent) {
  const { validatorUrl, token } = network.net.nodes["app-user"];
  const response = await fetch(`${validatorUrl}/api/validator${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": contentType },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    text: await response.text(),
  };
}

/** A refusal is JSON with one message or a line of text, as in Splice. */
function expectRefusal(
  { status, type, text }: Awaited<ReturnType<typeof send>>,
  statuses: readonly number[],
) {
  expect(statuses).toContain(status);
  if (type.startsWith("application/json"))
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/\S/) });
  else expect(type).toMatch(/^text\/plain/);
  expect(text).not.toMatch(/at .*\.ts|SQLITE|undefined/);
}

const endpoints: readonly Endpoint[] = Object.values(validatorApi.endpoints);
const cid = (digit: string) => `00${digit.repeat(64)}ca101220${digit.repeat(64)}`;

const ids = [
  cid("a"),
  `01${"b".repeat(24)}`,
  "00",
  "nonsense",
  "ContractId(00ff)",
  "a b",
  "%00",
  "..%2F..%2Fv0",
  "%F0%9F%98%80",
  "x".repeat(5000),
  "' or 1=1 --",
];

const bodies: Readonly<Record<string, object>> = {
  setAutoRenewal: { enabled: true },
  withdrawDevelopmentFundCoupon: { reason: "" },
};

const withId = endpoints.filter(({ path }) => /\{(contract_id|subscription_id)\}/.test(path));
describe.each(withId)("$method $path", ({ id, method, path }) => {
  test.each(ids.map((given) => [given.slice(0, 30), given]))("with the id %s", async (_, given) => {
    const body = id in bodies ? { body: JSON.stringify(bodies[id]) } : {};
    const filled = path.replace(/\{\w+\}/, given);
    expectRefusal(await send({ method, path: filled, ...body }), [404]);
  });

  test("with half an encoded character", async () => {
    const filled = path.replace(/\{\w+\}/, "%ff");
    const body = method === "POST" ? { body: '{"enabled":true}' } : {};
    expectRefusal(await send({ method, path: filled, ...body }), [400]);
  });
});

const entry = { name: "fine", url: "", description: "" };
const malformed = ["", "{", "[]", "null", '"text"', "1", "{}", '{"name":5}', "\u0000", "{".repeat(100_000)];

describe.each([
  ["/v0/entry/create", [400]],
  ["/v0/wallet/tap", [400]],
  ["/v0/wallet/transactions", [400]],
  ["/v0/wallet/transfer-offers", [400]],
  ["/v0/wallet/buy-traffic-requests", [400]],
  ["/v0/wallet/transfer-preapproval/send", [400]],
  [`/ext/v1/wallet/subscriptions/${cid("a")}/auto-renewal`, [400]],
])("POST %s", (path, statuses) => {
  test.each(malformed.map((body) => [body.slice(0, 20), body]))("with the body %j", async (_, body) => {
    expectRefusal(await send({ method: "POST", path, body }), statuses);
  });

  test("of another type, or far too long", async () => {
    expectRefusal(await send({ method: "POST", path, body: "{}", contentType: "text/plain" }), [415]);
    expectRefusal(await send({ method: "POST", path, body: " ".repeat(9_000_000) }), [413]);
  });
});

test.each([
  { name: "" },
  { name: "Alice" },
  { name: "a.b" },
  { name: "dso.cns" },
  { name: "a".repeat(46) },
  { name: "x".repeat(100_000) },
  { name: "😀" },
  { name: "a\u0000b" },
  { name: "__proto__.x" },
  { url: "example.com" },
  { url: "ftp://example.com" },
  { url: `https://example.com/${"a".repeat(300)}` },
  { description: "a".repeat(141) },
  { description: "\ud800" },
  { description: "\u0000" },
])("an entry with %j", async (change) => {
  const body = JSON.stringify({ ...entry, ...change });
  const refused = await send({ method: "POST", path: "/v0/entry/create", body });
  expectRefusal(refused, [400]);
  expect(refused.type).toMatch(/json/);
});

test.each([
  "",
  "0",
  "-1",
  "1e3",
  "NaN",
  "1,5",
  " 1",
  "0x10",
  "1.00000000001",
  "9".repeat(29),
  "9".repeat(28),
])("a tap of %j", async (amount) => {
  const refused = await send({ method: "POST", path: "/v0/wallet/tap", body: JSON.stringify({ amount }) });
  expectRefusal(refused, [400]);
  expect(refused.type).toMatch(/json/);
});

test.each([[0], [-1], [1001], [2 ** 40], [1.5], ["1"], [null]])(
  "a history with pages of %j",
  async (page_size) => {
    const body = JSON.stringify({ page_size });
    expectRefusal(await send({ method: "POST", path: "/v0/wallet/transactions", body }), [400]);
  },
);

test.each([[5], [true], ["x".repeat(1001)]])("a tap with the command id %j", async (command_id) => {
  const body = JSON.stringify({ amount: "1", command_id });
  expectRefusal(await send({ method: "POST", path: "/v0/wallet/tap", body }), [400]);
});

const texts = [{ amount: "0" }, { amount: "-1" }, { amount: "1e3" }, { receiver_party_id: "bob" }];
const ofOffers = [
  ...[...texts, { expires_at: 1 }, { expires_at: -1 }, { expires_at: 1.5 }, { expires_at: 2 ** 53 }],
  ...["\u0000", "\ud800", "x".repeat(280)].flatMap((text) => [{ description: text }, { tracking_id: text }]),
];
test.each(ofOffers)("an offer with %j", async (change) => {
  const offer = {
    ...{ receiver_party_id: "bob::1220", amount: "1", description: "", tracking_id: "bad" },
    ...{ expires_at: 4_000_000_000_000_000, ...change },
  };
  const body = JSON.stringify(offer);
  expectRefusal(await send({ method: "POST", path: "/v0/wallet/transfer-offers", body }), [400]);
});

const ofTransfers = [
  ...texts,
  ...["\u0000", "\ud800"].flatMap((text) => [{ description: text }, { deduplication_id: text }]),
  ...[{ description: "x".repeat(2001) }, { deduplication_id: "x".repeat(1001) }, { description: 5 }],
];
test.each(ofTransfers)("a transfer with %j", async (change) => {
  const transfer = { receiver_party_id: "bob::1220", amount: "1", deduplication_id: "bad", ...change };
  const body = JSON.stringify(transfer);
  expectRefusal(await send({ method: "POST", path: "/v0/wallet/transfer-preapproval/send", body }), [400]);
});

test.each([
  ["/v0/scan-proxy/ans-entries?page_size=0", 400],
  ["/v0/scan-proxy/ans-entries?page_size=1001", 400],
  ["/v0/scan-proxy/ans-entries?page_size=x", 400],
  ["/v0/scan-proxy/ans-entries/by-name/nobody", 404],
  [`/v0/scan-proxy/ans-entries/by-name/${"x".repeat(2067)}`, 400],
  ["/v0/scan-proxy/ans-entries/by-name/%00", 404],
  ["/v0/scan-proxy/ans-entries/by-party/alice", 400],
  ["/v0/scan-proxy/ans-entries/by-party/a::b", 404],
  ["/v0/scan-proxy/nothing", 404],
  ["/v0/wallet", 404],
  ["/", 404],
])("GET %s", async (path, status) => {
  expectRefusal(await send({ method: "GET", path }), [status]);
});

test("the proxy's words for what is not there are its own", async () => {
  const name = await send({ method: "GET", path: "/v0/scan-proxy/ans-entries/by-name/nobody" });
  expect(JSON.parse(name.text)).toEqual({ error: "Did not find a AnsEntry with name nobody" });
  const party = await send({ method: "GET", path: "/v0/scan-proxy/ans-entries/by-party/a::b" });
  expect(JSON.parse(party.text)).toEqual({ error: "Party a::b does not have any ANSEntry." });
});

test("another method is told which there are", async () => {
  expectRefusal(await send({ method: "PATCH", path: "/v0/entry/create", body: "{}" }), [405]);
  expectRefusal(await send({ method: "POST", path: "/v0/wallet/balance", body: "{}" }), [405]);
});

test("refused requests leave the wallet unchanged", async () => {
  await network.net.settle();
  expect(await picture()).toEqual(before);
});
