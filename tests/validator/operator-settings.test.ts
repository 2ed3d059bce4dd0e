// An operator's settings, each by its effect: one validator on one participant, started again with other settings.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient, participantAdminApi } from "../../packages/api/src/index.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { Sponsor } from "../onboarding/sponsor.ts";
import { listActiveContracts } from "../support/active-contracts.ts";
import { ADMIN, AUDIENCE, SECRET, type TestParticipant, tokenFor } from "../support/participants.ts";

const HINT = "some-validator-1";
const PRUNING = { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "48h" };

const atEnd = atEndOfFile();
let sponsor: Sponsor;
let participant: TestParticipant;
let folder: string;
let tokens: Record<string, string>;

beforeAll(async () => {
  sponsor = await Sponsor.start({ atEnd });
  participant = await sponsor.participant();
  folder = temporaryFolder(atEnd);
  const users = [ADMIN, "anna", "berta"];
  tokens = Object.fromEntries(await Promise.all(users.map(async (user) => [user, await tokenFor(user)])));
});

let running: Validator | undefined;
beforeEach(() => {
  running = undefined;
  onTestFinished(() => running?.close());
});

async function start(change: Partial<ValidatorConfig> = {}): Promise<Validator> {
  await running?.close();
  running = await startValidator({
    ...{ dataFolder: folder, host: "127.0.0.1", port: 0 },
    participantUrl: participant.url,
    scans: [`${sponsor.node.scanUrl}/api/scan`],
    auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE },
    serviceUser: { userId: ADMIN, token: () => tokens[ADMIN] },
    walletUsers: ["anna"],
    operatorPartyHint: HINT,
    onboarding: { svUrl: `${sponsor.node.appUrl}/api/sv` },
    log: silentLog,
    ...change,
  });
  return running;
}

async function startReady(change: Partial<ValidatorConfig> = {}): Promise<Validator> {
  const validator = await start(change);
  await vi.waitUntil(() => validator.isReady(), { timeout: 60_000 });
  await validator.idle();
  return validator;
}

async function says(change: Partial<ValidatorConfig>, reason: RegExp): Promise<void> {
  const validator = await start(change);
  await vi.waitUntil(() => reason.test(validator.missing() ?? ""), { timeout: 60_000 });
  expect(validator.isReady()).toBe(false);
}

async function ask(path: string, { user = "anna", body }: { user?: string; body?: object } = {}) {
  const response = await fetch(`${running?.url}/api/validator${path}`, {
    headers: { authorization: `Bearer ${tokens[user]}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function countOf(template: string): Promise<number> {
  const party = running?.operatorParty() ?? "";
  return (await listActiveContracts(participant.admin, party, template)).length;
}

const INSTALLS = "#splice-wallet:Splice.Wallet.Install:WalletAppInstall";
const LIVENESS = "#splice-amulet:Splice.ValidatorLicense:ValidatorLivenessActivityRecord";

const WALLET_ROUTES = [
  ["/v0/wallet/user-status", undefined],
  ["/v0/wallet/balance", undefined],
  ["/v0/wallet/tap", { amount: "1" }],
  ["/v0/wallet/subscriptions", undefined],
  ["/v0/wallet/subscription-requests", undefined],
  ["/v0/wallet/subscription-requests/00/accept", {}],
  ["/ext/v1/wallet/subscriptions/00/pay", {}],
  ["/v0/entry/all", undefined],
  ["/v0/entry/create", { name: "a.unverified.cns", url: "", description: "" }],
] as const;

test("a new operator party needs a hint of the form organization-function-enumerator", async () => {
  await says(
    { operatorPartyHint: "validator" },
    /operatorPartyHint: "validator" does not have the form <organization>/,
  );
  const { partyDetails } = await participant.admin.listParties({ query: { "filter-party": "validator::" } });
  expect(partyDetails).toEqual([]);
});

describe("without a wallet", () => {
  test("none of the routes of wallets and names exists, and every other one answers", async () => {
    await startReady({ enableWallet: false });
    for (const [path, body] of WALLET_ROUTES) {
      const { status, text } = await ask(path, body === undefined ? {} : { body });
      const error = `The requested resource could not be found: ${running?.url}/api/validator${path}`;
      expect([status, JSON.parse(text)], path).toEqual([404, { error }]);
    }
    const answered = ["/v0/scan-proxy/dso-party-id", "/v0/validator-user", "/readyz", "/livez", "/version"];
    for (const path of answered) expect((await ask(path)).status, path).toBe(200);
    expect((await ask("/v0/admin/automations", { user: ADMIN })).status).toBe(200);
  });

  test("only the license is cared for, and nothing is earned", async () => {
    const validator = await startReady({ enableWallet: false });
    const active = validator.automations().filter(({ paused }) => !paused);
    expect(active.map(({ automation }) => automation)).toEqual([
      "update-license-metadata",
      "report-activity",
    ]);
    expect(await countOf(LIVENESS)).toBe(0);
    expect(await countOf(INSTALLS)).toBe(1);
  });

  test("switched on it works, and what it had is there after it was off", async () => {
    await startReady();
    expect(await countOf(LIVENESS)).toBeGreaterThan(0);
    expect((await ask("/v0/wallet/tap", { body: { amount: "10" } })).status).toBe(200);
    const before = await ask("/v0/wallet/balance");
    expect(Number(JSON.parse(before.text).effective_unlocked_qty)).toBeGreaterThan(0);
    await startReady({ enableWallet: false });
    expect((await ask("/v0/wallet/balance")).status).toBe(404);
    await startReady();
    expect(await ask("/v0/wallet/balance")).toEqual(before);
    expect(await countOf(INSTALLS)).toBe(1);
  });
});

describe("wallet users", () => {
  test("every one is onboarded with the operator's party, and one that is no longer named stays", async () => {
    await startReady({ walletUsers: ["anna", "berta"] });
    const party_id = running?.operatorParty();
    const status = async (user: string) => JSON.parse((await ask("/v0/wallet/user-status", { user })).text);
    for (const user of ["anna", "berta"])
      expect(await status(user)).toMatchObject({
        party_id,
        user_onboarded: true,
        user_wallet_installed: true,
      });
    await startReady({ walletUsers: ["anna"] });
    expect(await status("berta")).toMatchObject({ party_id, user_wallet_installed: true });
    expect((await ask("/v0/wallet/balance", { user: "berta" })).status).toBe(200);
  });

  test("an empty list means the service user", async () => {
    await startReady({ walletUsers: [] });
    expect((await ask("/v0/wallet/balance", { user: ADMIN })).status).toBe(200);
  });
});

describe("identity", () => {
  test("another party hint is refused with both names, whether or not the store is still there", async () => {
    await startReady();
    await running?.close();
    await expect(start({ operatorPartyHint: "other-validator-1" })).rejects.toThrow(
      /party is some-validator-1::.*party hint other-validator-1/,
    );
    await says(
      { operatorPartyHint: "other-validator-1", dataFolder: temporaryFolder() },
      /the service user ledger-api-user is some-validator-1::.*party hint other-validator-1/,
    );
  });

  test("a participant of another identifier is told of with both names", async () => {
    const said: string[] = [];
    const log = {
      ...silentLog,
      warn: (fields: object, text: string) => said.push(JSON.stringify({ ...fields, text })),
    };
    await startReady({ nodeIdentifier: "participant", log });
    const told = () => said.filter((line) => line.includes("nodeIdentifier"));
    expect(told()).toEqual([]);
    await startReady({ nodeIdentifier: "other", log });
    expect(told()).toEqual([
      expect.stringMatching(
        /"participant":"participant::.*"nodeIdentifier":"other".*another node identifier/,
      ),
    ]);
  });
});

test("a store belongs to one migration of the network, and another id is refused with both", async () => {
  await startReady();
  await running?.close();
  await expect(start({ migrationId: 1 })).rejects.toThrow(/network's migration 0, and migrationId is 1/);
  await startReady({ migrationId: 0 });
});

describe("pruning", () => {
  async function schedule() {
    const baseUrl = participant.url;
    const admin = createClient(participantAdminApi, { fetch, baseUrl, token: () => tokens[ADMIN] });
    return (await admin.getPruningSchedule()).schedule;
  }

  test("the schedule is set at every start, changed if it differs, left alone if unknown, and cleared by null", async () => {
    await startReady({ pruningSchedule: PRUNING });
    expect(await schedule()).toEqual(PRUNING);
    await startReady();
    expect(await schedule()).toEqual(PRUNING);
    await startReady({ pruningSchedule: { ...PRUNING, retention: "30d" } });
    expect(await schedule()).toEqual({ ...PRUNING, retention: "30d" });
    await startReady({ pruningSchedule: null });
    expect(await schedule()).toBeNull();
  });

  test("a retention that is not longer than the deduplication is refused at the start", async () => {
    const pruningSchedule = { ...PRUNING, retention: "24h" };
    await expect(start({ pruningSchedule })).rejects.toThrow(
      /pruningSchedule.retention: 24h is not longer than the time of deduplication, 86400 s/,
    );
    await startReady({ pruningSchedule, deduplicationSeconds: 3600 });
    await startReady({ pruningSchedule: null });
  });
});

test("the command id of a tap names one amount for as long as deduplication is configured", async () => {
  const tap = async (command_id: string, amount = "1") =>
    (await ask("/v0/wallet/tap", { body: { amount, command_id } })).status;
  const passTwoMinutes = async () => {
    sponsor.setClock(sponsor.node.now() + 120_000_000n);
    // The participant learns the time from the next entry.
    expect(await tap(`at ${sponsor.node.now()}`)).toBe(200);
  };
  await startReady({ deduplicationSeconds: 60 });
  expect([await tap("first"), await tap("first", "2")]).toEqual([200, 409]);
  await passTwoMinutes();
  expect(await tap("first", "2")).toBe(200);
  await startReady();
  expect(await tap("second")).toBe(200);
  await passTwoMinutes();
  expect(await tap("second", "2")).toBe(409);
});

test("the names that applications show are the operator's, or the scans', and end as the ledger says", async () => {
  const names = {
    networkName: "Testland",
    networkFaviconUrl: "https://example.com/icon.png",
    amuletName: "Coin",
    amuletNameAcronym: "COIN",
    nameServiceName: "Our Names",
  };
  const ask = async () => (await fetch(`${running?.url}/api/validator/ext/v1/splice-instance-names`)).json();
  await startReady();
  const scans = await fetch(`${sponsor.node.scanUrl}/api/scan/v0/splice-instance-names`);
  expect(await ask()).toEqual(await scans.json());
  const shown = {
    network_name: "Testland",
    network_favicon_url: "https://example.com/icon.png",
    amulet_name: "Coin",
    amulet_name_acronym: "COIN",
    name_service_name: "Our Names",
  };
  for (const [nameServiceNameAcronym, acronym] of [
    ["Cns", "Cns"],
    ["ans", "CNS"],
  ] as const) {
    await startReady({ spliceInstanceNames: { ...names, nameServiceNameAcronym } });
    expect(await ask()).toEqual({ ...shown, name_service_name_acronym: acronym });
  }
});

test("problems of several settings stop the start together", async () => {
  const topup = { targetThroughput: 100, minTopupIntervalSeconds: 10 };
  const starting = start({
    topup,
    contactPoint: "x".repeat(256),
    pruningSchedule: { ...PRUNING, retention: "1h" },
  });
  const text = await starting.then(
    () => "",
    (error: Error) => error.message,
  );
  expect(text.split("\n")).toEqual([
    expect.stringMatching(/minTopupIntervalSeconds: 10 is too short/),
    expect.stringMatching(/targetThroughput: 100 bytes a second/),
    expect.stringMatching(/retention: 1h is not longer/),
    expect.stringMatching(/contactPoint: it has 256 characters/),
  ]);
});

test("a restart needs neither a secret nor a sponsor, and a lost store is made again", async () => {
  await startReady({ onboarding: { svUrl: "http://127.0.0.1:9/api/sv", secret: "expired long ago" } });
  const party = running?.operatorParty();
  await running?.close();
  rmSync(join(folder, "validator.sqlite"));
  const { onboarding: _, ...none } = { onboarding: undefined };
  await startReady(none);
  expect(running?.operatorParty()).toBe(party);
});
