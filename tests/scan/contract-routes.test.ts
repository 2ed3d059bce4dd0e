import { createClient, scanApi } from "@callsign/api";
import { describe, expect, test } from "vitest";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsRules } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { SvNodeState } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { parseBlob } from "../../packages/ledger/src/engine/contract.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();

interface Shown {
  readonly template_id: string;
  readonly contract_id: string;
  readonly payload: Record<string, unknown>;
  readonly created_event_blob: string;
  readonly created_at: string;
}

/** A shown contract must be the ledger's own: its blob proves it. */
function expectGenuine(world: ServedWorld, shown: Shown, contractId: ContractId): void {
  const stored = world.network.state.findContract(contractId);
  expect(shown.contract_id).toBe(contractId);
  expect(shown.template_id).toBe(stored?.templateId);
  const blob = Buffer.from(shown.created_event_blob, "base64").toString();
  expect(parseBlob(sha256, blob)).toEqual({ ok: true, value: stored });
}

describe("the rules for names", () => {
  const path = "/v0/ans-rules";

  test("are the contract, whatever way the caller says that it has none", async () => {
    const world = shared();
    const { contractId } = world.network.only(AnsRules);
    const requests = [
      null,
      "{}",
      '{"cached_ans_rules_contract_id":null,"cached_ans_rules_domain_id":null}',
      '{"cached_ans_rules_contract_id":"00ab","cached_ans_rules_domain_id":"x","more":1}',
    ];
    for (const prefix of ["", "/api/scan"]) {
      for (const request of requests) {
        const { status, text } = await world.post(prefix + path, request);
        expect(status).toBe(200);
        const { ans_rules_update: update } = JSON.parse(text);
        expect(Object.keys(update)).toEqual(["contract", "domain_id"]);
        expect(update.domain_id).toBe(world.network.network.synchronizerId);
        expect(update.contract.template_id).toMatch(/^[0-9a-f]{64}:Splice\.Ans:AnsRules$/);
        expect(update.contract.payload).toEqual({
          dso: world.network.dso,
          config: {
            renewalDuration: { microseconds: "2592000000000" },
            entryLifetime: { microseconds: "7776000000000" },
            entryFee: "1.0",
            descriptionPrefix: "ANS entry: ",
          },
        });
        // The network was founded at midnight.
        expect(update.contract.created_at).toBe("2026-01-01T00:00:00Z");
        expectGenuine(world, update.contract, contractId);
      }
    }
  });

  test("are left out for a caller that has them, with the synchronizer still there", async () => {
    const world = shared();
    const { contractId } = world.network.only(AnsRules);
    const { body } = await world.postJson(path, { cached_ans_rules_contract_id: contractId });
    expect(body).toEqual({
      ans_rules_update: { contract: null, domain_id: world.network.network.synchronizerId },
    });
  });
});

describe("the rules of the coin", () => {
  const path = "/v0/amulet-rules";

  test("are shown, and left out for a caller that has them", async () => {
    const world = shared();
    const { contractId } = world.network.only(AmuletRules);
    const { synchronizerId } = world.network.network;
    const { status, body } = await world.postJson(path, {});
    const { contract, domain_id } = (body as { amulet_rules_update: { contract: Shown; domain_id: string } })
      .amulet_rules_update;
    expect(status).toBe(200);
    expect(domain_id).toBe(synchronizerId);
    expectGenuine(world, contract, contractId);
    expect(contract.template_id).toMatch(/:Splice\.AmuletRules:AmuletRules$/);
    // The fields that clients of Splice read.
    expect(contract.payload).toMatchObject({
      dso: world.network.dso,
      isDevNet: true,
      configSchedule: {
        initialValue: {
          tickDuration: { microseconds: "600000000" },
          decentralizedSynchronizer: { activeSynchronizer: synchronizerId },
        },
        futureValues: [],
      },
    });
    const cached = await world.postJson(path, { cached_amulet_rules_contract_id: contractId });
    expect(cached.body).toEqual({ amulet_rules_update: { contract: null, domain_id: synchronizerId } });
    const other = await world.postJson(path, { cached_amulet_rules_contract_id: `${contractId}0` });
    expect(other.body).toEqual(body);
  });
});

describe("the rounds", () => {
  const path = "/v0/open-and-issuing-mining-rounds";
  const none = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };

  interface Rounds {
    readonly time_to_live_in_microseconds: number;
    readonly open_mining_rounds: Record<string, { contract: Shown | null; domain_id: string }>;
    readonly issuing_mining_rounds: object;
  }

  test("come by contract id in the order of their numbers, without those that the caller has", async () => {
    const world = await ServedWorld.start();
    for (let i = 0; i < 2; i++) {
      world.network.advance(20n * MINUTE);
      world.dso.advanceRounds();
    }
    await world.scan();
    const rounds = world.network.active(OpenMiningRound);
    expect(rounds.map(({ payload }) => payload.round.number)).toEqual([2n, 3n, 4n]);
    const ids = rounds.map(({ contractId }) => contractId);
    const { status, body } = await world.postJson(path, none);
    expect(status).toBe(200);
    const all = body as Rounds;
    expect(Object.keys(all)).toEqual([
      "time_to_live_in_microseconds",
      "open_mining_rounds",
      "issuing_mining_rounds",
    ]);
    // Ten minutes: the tick.
    expect(all.time_to_live_in_microseconds).toBe(600_000_000);
    expect(all.issuing_mining_rounds).toEqual({});
    expect(Object.keys(all.open_mining_rounds)).toEqual(ids);
    for (const { contractId, payload } of rounds) {
      const shown = all.open_mining_rounds[contractId];
      expect(shown?.domain_id).toBe(world.network.network.synchronizerId);
      if (shown?.contract == null) throw new Error("the round is not shown");
      expectGenuine(world, shown.contract, contractId);
      expect(shown.contract.payload).toMatchObject({
        round: { number: `${payload.round.number}` },
        amuletPrice: "0.005",
        tickDuration: { microseconds: "600000000" },
      });
      expect(Date.parse(String(shown.contract.payload["opensAt"]))).toBe(Number(payload.opensAt / 1000n));
    }
    const known = { ...none, cached_open_mining_round_contract_ids: [ids[1], "00ff"] };
    const rest = (await world.postJson(path, known)).body as Rounds;
    expect(Object.keys(rest.open_mining_rounds)).toEqual(ids);
    expect(ids.map((id) => rest.open_mining_rounds[id]?.contract === null)).toEqual([false, true, false]);
  });
});

describe("the network's parties and rules", () => {
  test("the DSO's rules, its SVs and its newest round", async () => {
    const world = shared();
    const { network } = world;
    const { status, body } = await world.getJson("/api/scan/v0/dso");
    expect(status).toBe(200);
    const info = body as Record<string, { contract: Shown; domain_id: string }> & {
      readonly sv_node_states: readonly { contract: Shown; domain_id: string }[];
    };
    expect(info).toMatchObject({
      sv_user: "sv",
      sv_party_id: network.svs[0]?.party,
      dso_party_id: network.dso,
      // Of four SVs three: ⌈(4 + 1 + 1) / 2⌉.
      voting_threshold: 3,
      initial_round: "0",
    });
    const newest = network.active(OpenMiningRound).at(-1);
    if (newest === undefined) throw new Error("there is no round");
    for (const [key, contractId] of [
      ["latest_mining_round", newest.contractId],
      ["amulet_rules", network.only(AmuletRules).contractId],
      ["dso_rules", network.only(DsoRules).contractId],
    ] as const) {
      const shown = info[key];
      if (shown === undefined) throw new Error(`${key} is missing`);
      expect(shown.domain_id).toBe(network.network.synchronizerId);
      expectGenuine(world, shown.contract, contractId);
    }
    const states = network.active(SvNodeState, network.dso);
    expect(info.sv_node_states.map(({ contract }) => contract.contract_id)).toEqual(
      network.svs.map(({ party }) => states.find(({ payload }) => payload.sv === party)?.contractId),
    );
  });

  test("the DSO's party", async () => {
    const world = shared();
    const { dso } = world.network;
    expect(await world.getJson("/v0/dso-party-id")).toEqual({ status: 200, body: { dso_party_id: dso } });
  });
});

const bodies = [
  ["/v0/ans-rules", '{"cached_ans_rules_contract_id":7}', "cached_ans_rules_contract_id"],
  ["/v0/amulet-rules", '{"cached_amulet_rules_contract_id":[]}', "cached_amulet_rules_contract_id"],
  ["/v0/open-and-issuing-mining-rounds", "{}", "cached_open_mining_round_contract_ids"],
  [
    "/v0/open-and-issuing-mining-rounds",
    '{"cached_open_mining_round_contract_ids":[1],"cached_issuing_round_contract_ids":[]}',
    "cached_open_mining_round_contract_ids[0]",
  ],
] as const;

test.each(bodies)("%s refuses %s", async (path, body, field) => {
  const world = shared();
  const { status, headers, text } = await world.post(path, body);
  expect(status).toBe(400);
  expect(headers.get("content-type")).toMatch(/^text\/plain/);
  expect(text).toContain("The request content was malformed:\n");
  expect(text).toContain(field);
});

test.each(["/v0/ans-rules", "/v0/amulet-rules", "/v0/open-and-issuing-mining-rounds"])(
  "%s refuses what is not JSON, and another content type",
  async (path) => {
    const world = shared();
    const broken = await world.post(path, '{"a":');
    expect(broken.status).toBe(400);
    expect(broken.text).toMatch(/^The request content was malformed:\n./);
    const list = await world.post(path, "[]");
    expect(list.status).toBe(400);
    const xml = await world.post(path, "<a/>", "application/xml");
    expect(xml.status).toBe(415);
    expect(xml.text).toBe(
      "The request's Content-Type [application/xml] is not supported. Expected:\napplication/json",
    );
  },
);

test.each(["/v0/amulet-rules", "/v0/open-and-issuing-mining-rounds"])("%s needs a body", async (path) => {
  const world = shared();
  const { status, headers, text } = await world.post(path, null);
  expect({ status, text }).toEqual({ status: 400, text: "Request entity expected but not supplied" });
  expect(headers.get("content-type")).toMatch(/^text\/plain/);
});

test("without the founding's contracts the rules, the rounds and the DSO are an unexpected error", async () => {
  const world = await ServedWorld.start({ behindAll: true });
  const unexpected = { status: 500, body: { error: "An unexpected error occurred." } };
  const rounds = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
  expect(await world.postJson("/v0/ans-rules", {})).toEqual(unexpected);
  expect(await world.postJson("/v0/amulet-rules", {})).toEqual(unexpected);
  expect(await world.postJson("/v0/open-and-issuing-mining-rounds", rounds)).toEqual(unexpected);
  expect(await world.getJson("/v0/dso")).toEqual(unexpected);
  expect(await world.getJson("/v0/dso-party-id")).toEqual(unexpected);
  expect(await world.getJson("/v0/scans")).toEqual({ status: 200, body: { scans: [] } });
});

test("a typed client reads all of them", async () => {
  const world = shared();
  const client = createClient(scanApi, { fetch, baseUrl: `${world.url}/api/scan` });
  const body = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
  const answers = await Promise.all([
    client.getAnsRules(),
    client.getAmuletRules({ body: {} }),
    client.getOpenAndIssuingMiningRounds({ body }),
    client.getDsoInfo(),
    client.getDsoPartyId(),
    client.listDsoScans(),
    client.listDsoSequencers(),
    client.getRewardsCollected(),
    client.getAmuletConfigForRound({ query: { round: 0n } }),
    client.getVersion(),
    client.getHealthStatus(),
  ]);
  expect(answers.every((answer) => typeof answer === "object")).toBe(true);
});
