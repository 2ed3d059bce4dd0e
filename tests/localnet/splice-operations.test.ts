// Every operation of Splice's wallet, validator, name, scan proxy and registry APIs, by its method and path, is served.

import { validatorApi } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";

/** Written down from Splice's documents, without external parties. The caller is a wallet's user unless it says otherwise. */
const WALLET_EXTERNAL = `
  POST   /v0/wallet/transfer-offers                                        OFFER
  GET    /v0/wallet/transfer-offers
  POST   /v0/wallet/transfer-offers/offer-1/status
  POST   /v0/wallet/buy-traffic-requests                                   TRAFFIC
  POST   /v0/wallet/buy-traffic-requests/traffic-1/status`;

const WALLET_INTERNAL = `
  GET    /v0/wallet/user-status
  GET    /v0/feature-support
  GET    /v0/wallet/amulets
  GET    /v0/wallet/balance
  POST   /v0/wallet/tap                                                    TAP
  POST   /v0/wallet/self-grant-feature-app-right                           EMPTY
  DELETE /v0/wallet/cancel-featured-app-rights
  GET    /v0/wallet/app-payment-requests
  GET    /v0/wallet/app-payment-requests/CID                               404
  POST   /v0/wallet/app-payment-requests/CID/accept                        404
  POST   /v0/wallet/app-payment-requests/CID/reject                        404
  GET    /v0/wallet/accepted-app-payments
  GET    /v0/wallet/subscription-requests
  GET    /v0/wallet/subscription-requests/CID                              404
  POST   /v0/wallet/subscription-requests/CID/accept                       404
  POST   /v0/wallet/subscription-requests/CID/reject                       404
  DELETE /v0/wallet/subscription-requests/CID                              404
  GET    /v0/wallet/subscription-initial-payments
  GET    /v0/wallet/subscriptions
  POST   /v0/wallet/transfer-offers/CID/accept                             404
  POST   /v0/wallet/transfer-offers/CID/reject                             404
  POST   /v0/wallet/transfer-offers/CID/withdraw                           404
  GET    /v0/wallet/accepted-transfer-offers
  GET    /v0/wallet/app-reward-coupons
  GET    /v0/wallet/validator-reward-coupons
  GET    /v0/wallet/validator-faucet-coupons
  GET    /v0/wallet/validator-liveness-activity-records
  GET    /v0/wallet/sv-reward-coupons
  POST   /v0/wallet/transactions                                           PAGE
  POST   /v0/wallet/transfer-preapproval
  POST   /v0/wallet/transfer-preapproval/send                              SEND
  POST   /v0/wallet/token-standard/transfers                               OFFER
  GET    /v0/wallet/token-standard/transfers
  POST   /v0/wallet/token-standard/transfers/CID/accept                    404
  POST   /v0/wallet/token-standard/transfers/CID/reject                    404
  POST   /v0/wallet/token-standard/transfers/CID/withdraw                  404
  GET    /v0/wallet/token-standard/allocation-requests
  POST   /v0/wallet/token-standard/allocation-requests/CID/reject          404
  GET    /v0/allocations
  POST   /v0/allocations                                                   ALLOCATION
  POST   /v0/allocations/CID/withdraw                                      404
  POST   /v0/wallet/development-fund-coupons/allocate                      COUPON 400
  GET    /v0/wallet/development-fund-coupons
  GET    /v0/wallet/development-fund-coupons/history?limit=10
  POST   /v0/wallet/development-fund-coupons/CID/withdraw                  REASON 404
  GET    /v0/wallet/minting-delegation-proposals
  GET    /v0/wallet/minting-delegations
  POST   /v0/wallet/minting-delegation-proposals/CID/accept                404
  POST   /v0/wallet/minting-delegation-proposals/CID/reject                404
  POST   /v0/wallet/minting-delegations/CID/reject                         404`;

const NAMES = `
  POST   /v0/entry/create                                                  NAME
  GET    /v0/entry/all`;

const HEALTH = `
  GET    /readyz
  GET    /livez
  GET    /status
  GET    /version`;

const VALIDATOR = `
  GET    /v0/validator-user
  POST   /v0/register                                                      EMPTY
  POST   /v0/admin/users                                                   USER admin
  GET    /v0/admin/users                                                   admin
  POST   /v0/admin/users/offboard?username=frank                           admin
  GET    /v0/admin/participant/identities                                  admin
  GET    /v0/admin/participant/global-domain-connection-config             admin
  GET    /v0/admin/domain/data-snapshot?timestamp=NOW&force=true           admin
  GET    /v0/admin/transfer-preapprovals                                   admin
  GET    /v0/admin/transfer-preapprovals/by-party/PARTY                    admin
  DELETE /v0/admin/transfer-preapprovals/by-party/PARTY                    admin`;

const SCAN_PROXY = `
  GET    /v0/scan-proxy/dso-party-id
  GET    /v0/scan-proxy/dso
  GET    /v0/scan-proxy/featured-apps/PARTY
  GET    /v0/scan-proxy/open-and-issuing-mining-rounds
  GET    /v0/scan-proxy/amulet-rules
  GET    /v0/scan-proxy/ans-entries?page_size=10
  GET    /v0/scan-proxy/ans-entries/by-name/dso.cns
  GET    /v0/scan-proxy/ans-entries/by-party/PARTY                         404
  POST   /v0/scan-proxy/ans-rules                                          EMPTY
  GET    /v0/scan-proxy/transfer-preapprovals/by-party/PARTY               404
  GET    /v0/scan-proxy/transfer-command-counter/PARTY                     404
  GET    /v0/scan-proxy/transfer-command/status?sender=PARTY&nonce=0       404
  POST   /v0/scan-proxy/holdings/summary                                   SUMMARY 404
  GET    /v0/scan-proxy/unclaimed-development-fund-coupons`;

const REGISTRY = `
  GET    /registry/metadata/v1/info
  GET    /registry/metadata/v1/instruments
  GET    /registry/metadata/v1/instruments/Amulet
  POST   /registry/transfer-instruction/v1/transfer-factory                TRANSFER
  POST   /registry/transfer-instruction/v1/CID/choice-contexts/accept      404
  POST   /registry/transfer-instruction/v1/CID/choice-contexts/reject      404
  POST   /registry/transfer-instruction/v1/CID/choice-contexts/withdraw    404
  POST   /registry/allocation-instruction/v1/allocation-factory            ALLOCATE
  POST   /registry/allocations/v1/CID/choice-contexts/execute-transfer     404
  POST   /registry/allocations/v1/CID/choice-contexts/withdraw             404
  POST   /registry/allocations/v1/CID/choice-contexts/cancel               404`;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly asAdmin: boolean;
  /** 404 is that of a contract that is missing. */
  readonly status: number;
}

function rowsOf(table: string): readonly Row[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [method = "", path = "", ...notes] = line.trim().split(/\s+/);
      const status = Number(notes.find((note) => /^\d+$/.test(note)) ?? 200);
      const body = notes.find((note) => /^[A-Z]+$/.test(note));
      return { method, path, body, asAdmin: notes.includes("admin"), status };
    });
}

const groups = {
  "wallet-external": [WALLET_EXTERNAL, 5],
  "wallet-internal": [WALLET_INTERNAL, 50],
  names: [NAMES, 2],
  health: [HEALTH, 4],
  validator: [VALIDATOR, 11],
  "scan proxy": [SCAN_PROXY, 14],
  registry: [REGISTRY, 11],
} as const;

const CID = `00${"a".repeat(64)}ca101220${"a".repeat(64)}`;
let network: LocalNetwork;
let parties: { readonly own: string; readonly other: string; readonly dso: string };
let domain: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const wallet = network.validator();
  await wallet.tap({ body: { amount: "20" } });
  await network.tap("app-provider", "20");
  await network.validator("app-provider").createTransferPreapproval();
  const { dso_party_id: dso } = await wallet.scanProxyGetDsoPartyId();
  parties = { own: await network.party("app-user"), other: await network.party("app-provider"), dso };
  domain = (await wallet.scanProxyGetAmuletRules()).amulet_rules.domain_id ?? "";
});
afterAll(() => network?.close());

const later = (hours: number) => Number(network.net.now()) + hours * 3_600_000_000;

/** A transfer of the token standard, as its registry is asked about it. */
function tokens() {
  const extraArgs = { context: { values: {} }, meta: { values: {} } };
  const instrumentId = { admin: parties.dso, id: "Amulet" };
  const leg = { sender: parties.own, receiver: parties.other, amount: "1.0", instrumentId };
  return { extraArgs, leg: { ...leg, meta: { values: {} } }, expectedAdmin: parties.dso };
}

const isoIn = (hours: number) => new Date(later(hours) / 1000).toISOString();

const bodies: Readonly<Record<string, () => unknown>> = {
  EMPTY: () => ({}),
  TAP: () => ({ amount: "1" }),
  PAGE: () => ({ page_size: 10 }),
  NAME: () => ({ name: "served", url: "", description: "" }),
  USER: () => ({ name: "frank" }),
  REASON: () => ({ reason: "" }),
  OFFER: () => ({
    ...{ receiver_party_id: parties.other, amount: "1.0", description: "" },
    ...{ expires_at: later(1), tracking_id: "offer-1" },
  }),
  TRAFFIC: () => ({
    ...{ receiving_validator_party_id: parties.other, domain_id: domain, traffic_amount: 200_000 },
    ...{ expires_at: later(1), tracking_id: "traffic-1" },
  }),
  SEND: () => ({ receiver_party_id: parties.other, amount: "1.0", deduplication_id: "send-1" }),
  ALLOCATION: () => ({
    settlement: {
      ...{ executor: parties.other, settlement_ref: { id: "settlement-1" } },
      ...{ requested_at: later(0), allocate_before: later(1), settle_before: later(2) },
    },
    ...{ transfer_leg_id: "leg", transfer_leg: { receiver: parties.other, amount: "1.0" } },
  }),
  COUPON: () => ({ beneficiary: parties.other, amount: "1.0", expiresAt: later(1), reason: "" }),
  SUMMARY: () => ({
    ...{ migration_id: 0, record_time: "2026-01-01T00:00:00Z" },
    ...{ owner_party_ids: [parties.own], as_of_round: 0 },
  }),
  TRANSFER: () => {
    const { leg, ...given } = tokens();
    const times = { requestedAt: isoIn(0), executeBefore: isoIn(1) };
    const transfer = { ...leg, ...times, inputHoldingCids: [CID] };
    return { choiceArguments: { ...given, transfer } };
  },
  ALLOCATE: () => {
    const { leg: transferLeg, ...given } = tokens();
    const settlement = {
      ...{ executor: parties.other, settlementRef: { id: "settlement-1", cid: null } },
      ...{ requestedAt: isoIn(0), allocateBefore: isoIn(1), settleBefore: isoIn(2), meta: { values: {} } },
    };
    const allocation = { settlement, transferLegId: "leg", transferLeg };
    const asked = { allocation, requestedAt: isoIn(0), inputHoldingCids: [CID] };
    return { choiceArguments: { ...given, ...asked } };
  },
};

async function call(url: string, { method, path, body, asAdmin }: Row) {
  const filled = path
    .replace("CID", CID)
    .replace("PARTY", encodeURIComponent(parties.own))
    .replace("NOW", isoIn(0));
  const token = asAdmin ? network.net.serviceToken : network.tokenOf("app-user");
  const response = await fetch(url + filled, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(bodies[body]?.()) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The answer to a path that is not served. */
const UNKNOWN = "The requested resource could not be found";

async function expectServed(url: string, row: Row): Promise<void> {
  const { status, text } = await call(url, row);
  expect({ status, text }).toEqual({ status: row.status, text: expect.any(String) });
  expect(text).not.toContain(UNKNOWN);
  if (status >= 400) expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/./) });
}

const validatorUrl = () => `${network.net.nodes["app-user"].validatorUrl}/api/validator`;

describe.each(Object.entries(groups))("%s", (group, [table, count]) => {
  const rows = rowsOf(table);

  test(`has all ${count} operations here`, () => {
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(count);
  });

  test.each(rows)("$method $path", async (row) => {
    if (group !== "registry") return await expectServed(validatorUrl(), row);
    await expectServed(network.net.svs[0]?.scanUrl ?? "", row);
    await expectServed(`${validatorUrl()}/v0/scan-proxy`, row);
  });
});

test("a path that is not served is told from a contract that is missing", async () => {
  const row = { method: "GET", path: "/v0/wallet/nothing", body: undefined, asAdmin: false, status: 404 };
  const { status, text } = await call(validatorUrl(), row);
  expect(status).toBe(404);
  expect(text).toContain(UNKNOWN);
});

test("an operation of the validator that is not ours alone has a row here", () => {
  const pattern = ({ method, path }: Pick<Row, "method" | "path">) =>
    `${method} ${path.replace(/\?.*/, "").replace(/\/(\{[^}]+\}|CID|PARTY|offer-1|traffic-1|dso\.cns|Amulet)(?=\/|$)/g, "/*")}`;
  const listed = new Set(
    Object.entries(groups).flatMap(([group, [table]]) =>
      rowsOf(table).map(({ method, path }) =>
        pattern({ method, path: group === "registry" ? `/v0/scan-proxy${path}` : path }),
      ),
    ),
  );
  const OWN = ["GET /v0/admin/automations"];
  const served = Object.values(validatorApi.endpoints)
    .map(pattern)
    .filter((each) => !each.includes("/ext/") && !OWN.includes(each));
  expect(new Set(served)).toEqual(listed);
});
