import { expect, test } from "vitest";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsRules } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import { formatBlob, parseBlob } from "../../packages/ledger/src/engine/contract.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { Refusal } from "../../packages/node/src/http/refusal.ts";
import { DsoText } from "../../packages/scan/src/routes/dso-text.ts";
import { ScannedWorld } from "./name-world.ts";

test.each([AmuletRules, AnsRules, DsoRules])("$entity is shown as it was created", async (template) => {
  const world = new ScannedWorld();
  const { index } = await world.scan();
  const { contractId, payload } = world.network.only(template);
  const found = index.contracts.find(template);
  expect(found?.contract).toEqual(world.network.state.findContract(contractId));
  expect(found?.payload).toEqual(payload);
});

test("the blob of a current contract is the one that can be disclosed", async () => {
  const world = new ScannedWorld();
  const { index } = await world.scan();
  const contract = index.contracts.find(AnsRules)?.contract;
  if (contract === undefined) throw new Error("there are no rules");
  expect(parseBlob(sha256, formatBlob(contract))).toEqual({ ok: true, value: contract });
  expect(sha256(formatBlob(contract))).toBe(world.network.blobHash(contract.contractId));
});

test("rounds come and go with the ledger, the lowest number first", async () => {
  const world = new ScannedWorld();
  const numbers = async (template: typeof OpenMiningRound | typeof SummarizingMiningRound) =>
    (await world.scan()).index.contracts.list(template).map(({ payload }) => payload.round.number);
  expect(await numbers(OpenMiningRound)).toEqual([0n, 1n, 2n]);
  expect(await numbers(SummarizingMiningRound)).toEqual([]);
  for (let i = 0; i < 11; i++) {
    world.network.advance(20n * MINUTE);
    world.dso.advanceRounds();
  }
  expect(await numbers(OpenMiningRound)).toEqual([11n, 12n, 13n]);
  expect(await numbers(SummarizingMiningRound)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
});

test("contracts of somebody's own DSO are not shown", async () => {
  const world = new ScannedWorld();
  const mallory = world.wallet("mallory");
  const round = world.network.active(OpenMiningRound)[0]?.payload;
  if (round === undefined) throw new Error("there is no round");
  const forged = [
    createCommand(OpenMiningRound, { ...round, dso: mallory.party, round: { number: 99n } }),
    createCommand(AnsRules, { ...world.network.only(AnsRules).payload, dso: mallory.party }),
  ];
  const made = world.network.submit(mallory.member, { actAs: [mallory.party], commands: forged });
  expect(made.created).toHaveLength(2);
  const { index } = await world.scan();
  expect(index.contracts.list(OpenMiningRound)).toHaveLength(3);
  expect(index.contracts.find(AnsRules)?.contract.contractId).toBe(world.network.only(AnsRules).contractId);
  expect(index.openedRounds.findConfig(99n)).toBeUndefined();
});

test("scan has the current contracts by which the network is run", async () => {
  const world = new ScannedWorld();
  world.network.advance(20n * MINUTE);
  world.dso.advanceRounds();
  const { index } = await world.scan();
  const { dso } = world.network;
  const text = new DsoText(() => index, { user: "operator", party: dso });
  const info = JSON.parse(text.find() ?? "null");
  expect(info).toMatchObject({ sv_user: "operator", sv_party_id: dso, dso_party_id: dso });
  // Of four SVs three must agree: ⌈(4 + 1 + 1) / 2⌉.
  expect(info.voting_threshold).toBe(3);
  // The newest round, though it does not open before the next tick.
  expect(info.latest_mining_round.contract.payload.round.number).toBe("3");
  expect(info.initial_round).toBe("0");
  expect(info.amulet_rules.contract.contract_id).toBe(world.network.only(AmuletRules).contractId);
  expect(info.dso_rules.contract.contract_id).toBe(world.network.only(DsoRules).contractId);
  const svs = info.sv_node_states.map((state: typeof info.dso_rules) => state.contract.payload.svName);
  expect(svs).toEqual(["sv-1", "sv-2", "sv-3", "sv-4"]);
});

test("the DSO's text is kept until one of its contracts changes", async () => {
  const world = new ScannedWorld();
  const { index } = await world.scan();
  const text = new DsoText(() => index, { user: "operator", party: world.network.dso });
  const roundOf = () => JSON.parse(text.find() ?? "null").latest_mining_round.contract.payload.round.number;
  expect(roundOf()).toBe("2");
  const kept = text.find();
  world.network.advance(20n * MINUTE);
  await world.scan();
  expect(text.find()).toBe(kept);
  world.dso.advanceRounds();
  await world.scan();
  expect(roundOf()).toBe("3");
});

test("before the founding nothing runs the network", () => {
  const world = new ScannedWorld();
  const { index } = world.node;
  const text = new DsoText(() => index, { user: "operator", party: world.network.dso });
  expect(text.find()).toBeNull();
  expect(() => text.answer()).toThrow(Refusal);
  expect(index.contracts.find(AnsRules)).toBeUndefined();
});
