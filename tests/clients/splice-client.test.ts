// The Canton Network's own clients for scan and validator, unmodified: directly, and by LocalNet's host names.

import type {
  ScanClient,
  ScanProxyClient,
  ValidatorInternalClient,
} from "@canton-network/core-splice-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResponseOf, scanApi } from "../../packages/api/src/index.ts";
import { LocalNetwork } from "../support/local-network.ts";
import {
  behindGateway,
  resolveLocalhostNames,
  scanClient,
  scanProxyClient,
  validatorClient,
} from "./real-clients.ts";

type ScanEndpoints = typeof scanApi.endpoints;
type Answer<Id extends keyof ScanEndpoints> = ResponseOf<ScanEndpoints[Id]>;

const NAME = "alice.unverified.cns";

let world: LocalNetwork;
let party: string;
let forgetNames: () => void;
beforeAll(async () => {
  forgetNames = resolveLocalhostNames();
  world = await LocalNetwork.start();
  party = await world.party("app-user");
  await world.tap("app-user", "10");
  await world.buy("app-user", { name: "alice", url: "https://example.com", description: "Hi" });
});
afterAll(async () => {
  forgetNames?.();
  await world?.close();
});

const places = ["directly", "through the gateway"] as const;

function scanAt(place: (typeof places)[number]): ScanClient {
  if (place === "directly") return scanClient(`${world.net.svs[2]?.scanUrl}/api/scan`);
  return scanClient(behindGateway(world, "sv", "scan.localhost", "/api/scan"));
}

function validatorAt(place: (typeof places)[number]): string {
  if (place === "directly") return `${world.net.nodes["app-user"].validatorUrl}/api/validator`;
  return behindGateway(world, "app-user", "wallet.localhost", "/api/validator");
}

function numbersOf(rounds: readonly { readonly payload: unknown }[]): number[] {
  return rounds.map(({ payload }) => Number((payload as { round: { number: string } }).round.number));
}

describe.each(places)("ScanClient, %s", (place) => {
  let scan: ScanClient;
  beforeAll(() => {
    scan = scanAt(place);
  });

  test("rules, network and synchronizer", async () => {
    const rules = await scan.getAmuletRules();
    const { dso_party_id } = (await scan.get("/v0/dso-party-id")) as Answer<"getDsoPartyId">;
    expect(rules.template_id).toMatch(/^[0-9a-f]{64}:Splice\.AmuletRules:AmuletRules$/);
    expect(rules.payload).toMatchObject({ dso: dso_party_id, isDevNet: true });
    expect(await scan.isDevNet()).toBe(true);
    const synchronizer = await scan.getAmuletSynchronizerId();
    expect(synchronizer).toMatch(/^global-domain::1220[0-9a-f]{64}$/);
    const { scans } = (await scan.get("/v0/scans")) as Answer<"listDsoScans">;
    expect(scans.map((group) => [group.domainId, group.scans.length])).toEqual([[synchronizer, 4]]);
    const sequencers = (await scan.get("/v0/dso-sequencers")) as Answer<"listDsoSequencers">;
    const listed = sequencers.domainSequencers.map((group) => [
      group.domainId,
      ...group.sequencers.map(({ url, migrationId, synchronizerSerial }) => [
        url,
        migrationId,
        synchronizerSerial,
      ]),
    ]);
    expect(listed).toEqual([
      [synchronizer, ...world.net.svs.map(({ sequencerUrl }) => [sequencerUrl, 0, null])],
    ]);
    const names = (await scan.get("/v0/splice-instance-names")) as Answer<"getSpliceInstanceNames">;
    expect(names).toMatchObject({ amulet_name: "Amulet", name_service_name_acronym: "CNS" });
    const dso = (await scan.get("/v0/dso")) as Answer<"getDsoInfo">;
    expect(dso).toMatchObject({ dso_party_id, voting_threshold: 3 });
    expect(dso.amulet_rules.contract.contract_id).toBe(rules.contract_id);
  });

  test("rounds, the latest last, and the one that is open now", async () => {
    const rounds = await scan.getOpenMiningRounds();
    const numbers = numbersOf(rounds);
    expect(numbers.length).toBeGreaterThanOrEqual(2);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const active = await scan.getActiveOpenMiningRound();
    expect(rounds.map(({ contract_id }) => contract_id)).toContain(active?.contract_id);
  });

  test("names, both ways and by prefix", async () => {
    const found = await scan.get("/v0/ans-entries/by-name/{name}", { path: { name: NAME } });
    const { entry } = found as Answer<"lookupAnsEntryByName">;
    expect(entry).toMatchObject({ user: party, name: NAME, url: "https://example.com", description: "Hi" });
    expect(await scan.get("/v0/ans-entries/by-party/{party}", { path: { party } })).toEqual({ entry });
    const query = { name_prefix: "ali", page_size: "10" };
    expect(await scan.get("/v0/ans-entries", { query })).toEqual({ entries: [entry] });
    expect(await scan.post("/v0/ans-rules", {})).toMatchObject({
      ans_rules_update: { contract: { payload: { config: { entryFee: "1.0" } } } },
    });
    const missing = scan.get("/v0/ans-entries/by-name/{name}", { path: { name: "bob.unverified.cns" } });
    await expect(missing).rejects.toEqual({ error: expect.stringContaining("bob.unverified.cns") });
  });

  test("deprecated operations", async () => {
    expect(await scan.get("/v0/rewards-collected")).toEqual({ amount: "0.0000000000" });
    const [round] = numbersOf(await scan.getOpenMiningRounds());
    const query = { round: String(round) };
    expect(await scan.get("/v0/amulet-config-for-round", { query })).toMatchObject({
      holding_fee: expect.any(String),
    });
  });

  test("version and status", async () => {
    expect(await scan.get("/version")).toMatchObject({ version: expect.any(String) });
    expect(await scan.get("/status")).toMatchObject({ success: { active: true } });
  });
});

describe.each(places)("ScanProxyClient, %s", (place) => {
  let proxy: ScanProxyClient;
  beforeAll(() => {
    proxy = scanProxyClient(validatorAt(place), "app-user");
  });

  test("scan proxies answer what the scans answer", async () => {
    const scan = scanAt("directly");
    expect(await proxy.getAmuletRules()).toEqual(await scan.getAmuletRules());
    expect(await proxy.isDevNet()).toBe(true);
    expect(await proxy.getAmuletSynchronizerId()).toBe(await scan.getAmuletSynchronizerId());
    expect(await proxy.getOpenMiningRounds()).toEqual(await scan.getOpenMiningRounds());
    const active = await proxy.getActiveOpenMiningRound();
    expect(active?.contract_id).toBe((await scan.getActiveOpenMiningRound())?.contract_id);
    expect(await proxy.get("/v0/scan-proxy/dso-party-id")).toEqual(await scan.get("/v0/dso-party-id"));
  });

  test("the DSO, rights, preapprovals, commands and coupons are those of the scans", async () => {
    const scan = scanAt("directly");
    const shared = (answer: unknown) => {
      const { sv_user: _user, sv_party_id, ...rest } = answer as Answer<"getDsoInfo">;
      expect(sv_party_id).toMatch(/::1220[0-9a-f]{64}$/);
      return rest;
    };
    expect(shared(await proxy.get("/v0/scan-proxy/dso"))).toEqual(shared(await scan.get("/v0/dso")));
    const provider = { path: { provider_party_id: party } };
    const right = await proxy.get("/v0/scan-proxy/featured-apps/{provider_party_id}", provider);
    expect(right).toEqual({ featured_app_right: null });
    const coupons = await proxy.get("/v0/scan-proxy/unclaimed-development-fund-coupons");
    expect(coupons).toEqual(await scan.get("/v0/unclaimed-development-fund-coupons"));
    const path = { party };
    const preapproval = proxy.get("/v0/scan-proxy/transfer-preapprovals/by-party/{party}", { path });
    await expect(preapproval).rejects.toEqual({
      error: `No TransferPreapproval found for party: ${party}`,
    });
    const counter = proxy.get("/v0/scan-proxy/transfer-command-counter/{party}", { path });
    await expect(counter).rejects.toEqual({
      error: `No TransferCommandCounter found for party: ${party}, use 0 for the nonce`,
    });
    const body = { migration_id: 0, record_time: "2000-01-01T00:00:00Z", owner_party_ids: [party] };
    const summary = proxy.post("/v0/scan-proxy/holdings/summary", body);
    await expect(summary).rejects.toEqual({ error: "Summary not found for given parameters" });
  });

  test("names, both ways and by prefix", async () => {
    const found = await proxy.get("/v0/scan-proxy/ans-entries/by-name/{name}", { path: { name: NAME } });
    const { entry } = found as Answer<"lookupAnsEntryByName">;
    expect(entry).toMatchObject({ user: party, name: NAME });
    const byParty = await proxy.get("/v0/scan-proxy/ans-entries/by-party/{party}", { path: { party } });
    expect(byParty).toEqual(found);
    const query = { name_prefix: "ali", page_size: "10" };
    expect(await proxy.get("/v0/scan-proxy/ans-entries", { query })).toEqual({ entries: [entry] });
    expect(await proxy.post("/v0/scan-proxy/ans-rules", {})).toMatchObject({
      ans_rules_update: { contract: { payload: { config: { entryFee: "1.0" } } } },
    });
  });
});

describe.each(places)("ValidatorInternalClient, %s", (place) => {
  let validator: ValidatorInternalClient;
  beforeAll(() => {
    validator = validatorClient(validatorAt(place), "ledger-api-user");
  });

  test("the validator's operator, version and status", async () => {
    expect(await validator.get("/v0/validator-user")).toEqual({
      party_id: party,
      user_name: "ledger-api-user",
      featured: false,
    });
    expect(await validator.get("/version")).toMatchObject({ version: expect.any(String) });
    expect(await validator.get("/status")).toMatchObject({ success: { active: true } });
  });

  test("a path that is not served answers 404", async () => {
    await expect(validator.get("/v0/admin/external-party/setup-proposal")).rejects.toEqual({
      error: expect.stringContaining("could not be found"),
    });
  });
});
