import { join } from "node:path";
import { expect, test } from "vitest";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import type { PayloadOf } from "../../packages/ledger/src/engine/declaration.ts";
import type { CreateNode, ExerciseNode } from "../../packages/ledger/src/engine/transaction.ts";
import type { FoundNetwork } from "../../packages/ledger/src/transition/entry-content.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { partyHint } from "../../packages/ledger/src/values/party-id.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { foundingOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import { ReplicaConsumers } from "../../packages/synchronizer/src/replica/consumers.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { NameWorld, ScannedWorld, shown } from "./name-world.ts";
import { NetworkLog, openScanReplica } from "./scan-replica.ts";

/** A founding in which the SVs have these names. */
function foundingWith(names: readonly string[], acronym = "cns"): Partial<FoundNetwork> {
  const { svs } = foundingOf(new SimulatedNetwork({ svs: names.length }));
  return { acronym, svs: svs.map((sv, i) => ({ ...sv, name: names[i] ?? "" })) };
}

test("the DSO and the SVs have names without contract and expiry", async () => {
  const world = new ScannedWorld();
  const entry = { contract_id: null, url: "", description: "", expires_at: null };
  const [, second] = world.network.svs;
  const dso = { ...entry, user: world.network.dso, name: "dso.cns" };
  expect(await world.findByName("dso.cns")).toEqual(dso);
  expect(await world.findByParty(world.network.dso)).toEqual(dso);
  const sv = { ...entry, user: second?.party, name: "sv-2.sv.cns" };
  expect(await world.findByName("sv-2.sv.cns")).toEqual(sv);
  expect(await world.findByParty(second?.party ?? world.network.dso)).toEqual(sv);
});

test("an SV's name is in lower case, and found in lower case only", async () => {
  const world = new ScannedWorld({ svs: 2, founding: foundingWith(["Digital-Asset-2", "SV"], "CNS") });
  expect(await world.findByName("digital-asset-2.sv.cns")).toMatchObject({ name: "digital-asset-2.sv.cns" });
  expect(await world.findByName("Digital-Asset-2.sv.cns")).toBe("not-found");
  expect(await world.findByName("DSO.cns")).toBe("not-found");
  expect(await world.findByName("dso.CNS")).toBe("not-found");
  expect(await world.list("D")).toEqual([]);
  expect(await world.list("di")).toEqual(["digital-asset-2.sv.cns"]);
});

test("an SV whose name has other characters is listed and found by party, but not by name", async () => {
  const world = new ScannedWorld({ svs: 2, founding: foundingWith(["Big Bank", "sv.two"]) });
  const [first, second] = world.network.svs;
  if (first === undefined || second === undefined) throw new Error("there are no SVs");
  expect(await world.list("")).toEqual(["dso.cns", "big bank.sv.cns", "sv.two.sv.cns"]);
  expect(await world.findByParty(first.party)).toMatchObject({ name: "big bank.sv.cns" });
  expect(await world.findByParty(second.party)).toMatchObject({ name: "sv.two.sv.cns" });
  expect(await world.findByName("big bank.sv.cns")).toBe("not-found");
  expect(await world.findByName("sv.two.sv.cns")).toBe("not-found");
});

test("SVs are listed in the order of DsoRules, which is that of their parties", async () => {
  // Parties are sv1::…, sv2::…, sv3::…, so that the order of names says nothing.
  const world = new ScannedWorld({ svs: 3, founding: foundingWith(["zeta", "alpha", "mid"]) });
  expect(await world.list("")).toEqual(["dso.cns", "zeta.sv.cns", "alpha.sv.cns", "mid.sv.cns"]);
});

test("an SV's registered name is hidden by its well-known one, but found by name", async () => {
  const world = new ScannedWorld();
  const [sv] = world.network.svs;
  if (sv === undefined) throw new Error("there is no SV");
  const wallet = new WalletActor(world.network, sv, partyHint(sv.party));
  expect(wallet.party).toBe(sv.party);
  world.buy(wallet, { name: "first.unverified.cns" });
  expect(await world.findByParty(sv.party)).toMatchObject({ name: "sv-1.sv.cns" });
  expect(await world.findByName("first.unverified.cns")).toMatchObject({ user: sv.party });
});

test("rules that somebody makes for a DSO of their own change nothing", async () => {
  const world = new ScannedWorld();
  const mallory = world.wallet("mallory");
  const { payload } = world.network.only(DsoRules);
  const forged = { ...payload, dso: mallory.party, svs: [] };
  const made = world.network.submit(mallory.member, {
    actAs: [mallory.party],
    commands: [createCommand(DsoRules, forged)],
  });
  expect(made.created).toHaveLength(1);
  expect(await world.findByName("sv-1.sv.cns")).toMatchObject({ user: world.network.svs[0]?.party });
  expect((await world.scan()).index.contracts.list(DsoRules)).toHaveLength(1);
});

test("before the founding there are no DsoRules: nothing is found, and nothing is listed", async () => {
  const folder = temporaryFolder();
  const log = new NetworkLog(join(folder, "log.db"), { log: [] });
  const node = openScanReplica(log.log, join(folder, "replica.db"));
  const { names, now } = node.index;
  expect(names.findByName("alice.unverified.cns", now)).toEqual({ kind: "no-dso-rules" });
  expect(names.findByName("dso.cns", now)).toEqual({ kind: "no-dso-rules" });
  expect(names.findByParty(new SimulatedNetwork().dso, now)).toEqual({ kind: "no-dso-rules" });
  expect(names.listByPrefix("", now, 10)).toEqual([]);
  node.close();
  await log.close();
});

/** An index that was fed by hand: today's ledger never replaces or archives DsoRules once the network is founded. */
function founded(): { readonly world: NameWorld; readonly index: ScanIndex; readonly rules: CreateNode } {
  const outcomes: Outcome[] = [];
  const world = new NameWorld({ observe: (_entry, outcome) => outcomes.push(outcome) });
  world.buy(world.wallet("alice"), { name: "alice.unverified.cns" });
  const index = new ScanIndex(new SqliteState(openDatabase(":memory:")));
  const consumers = new ReplicaConsumers(index.state, [index]);
  for (const outcome of outcomes) consumers.absorb(outcome);
  const rules = outcomes[0]?.created.find(({ contract }) => contract.templateId === DsoRules.id);
  if (rules === undefined) throw new Error("there are no rules");
  return { world, index, rules };
}

/** The next entry archives the rules, and perhaps creates others. */
function replaceRules(
  { world, index, rules }: ReturnType<typeof founded>,
  created: readonly CreateNode[],
): void {
  const { head } = world.network.state;
  const { contractId, templateId } = rules.contract;
  const archived = [{ contractId, templateId } as ExerciseNode];
  const verdict: Outcome["verdict"] = { kind: "ignored", reason: "made by hand" };
  const next = { ...head, sequence: head.sequence + 1 };
  new ReplicaConsumers(index.state, [index]).absorb({
    head: next,
    verdict,
    archived,
    created,
    changes: [],
    completion: null,
    imported: null,
  });
}

function listNames({ names, now }: ScanIndex): readonly string[] {
  return names.listByPrefix("", now, 100).map((json) => JSON.parse(json).name);
}

test("with other DsoRules there are other names", () => {
  const given = founded();
  const { index, rules } = given;
  expect(listNames(index)).toHaveLength(6);
  const value = rules.value as PayloadOf<typeof DsoRules>;
  const changed = { ...value, svs: value.svs.slice(1, 2) };
  const contract = { ...rules.contract, payload: DsoRules.record.encode(changed) };
  replaceRules(given, [{ ...rules, value: changed, contract }]);
  expect(listNames(index)).toEqual(["alice.unverified.cns", "dso.cns", "sv-2.sv.cns"]);
  expect(index.names.findByName("sv-1.sv.cns", index.now)).toEqual({ kind: "not-found" });
});

test("without DsoRules registered names are listed, but not found", () => {
  const given = founded();
  const { index, world } = given;
  const { now } = index;
  expect(shown(index.names.findByName("alice.unverified.cns", now))).not.toBe("no-dso-rules");
  replaceRules(given, []);
  expect(index.names.findByName("alice.unverified.cns", now)).toEqual({ kind: "no-dso-rules" });
  expect(index.names.findByParty(world.network.dso, now)).toEqual({ kind: "no-dso-rules" });
  expect(listNames(index)).toEqual(["alice.unverified.cns"]);
});
