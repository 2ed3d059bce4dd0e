// Contracts that scan finds by a party: over HTTP, at a network whose SVs and wallets are simulated.

import { join } from "node:path";
import { expect, test } from "vitest";
import { FeaturedAppRight } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommand,
  TransferCommandCounter,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { TransferPreapproval } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import { onDsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { accept, EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { ScannedWorld } from "./name-world.ts";
import { FORMER_INDEX, openScanReplica, type ScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const NOBODY = `nobody::1220${"ab".repeat(32)}`;

function economyOf(wallet: WalletActor): EconomyWallet {
  return new EconomyWallet(wallet.network, wallet.member, wallet.party);
}

function idsOf(contracts: unknown): readonly string[] {
  return (contracts as readonly { readonly contract_id: string }[]).map(({ contract_id }) => contract_id);
}

test("rights of featured apps: all, a provider's, one by its id, and none of another DSO", async () => {
  const world = await ServedWorld.start();
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  for (const wallet of [bob, alice, bob]) accept(economyOf(wallet).feature());
  const forged = createCommand(FeaturedAppRight, { dso: alice.party, provider: alice.party });
  const made = accept(world.network.submit(alice.member, { actAs: [alice.party], commands: [forged] }));
  await world.scan();
  const rights = world.network.active(FeaturedAppRight, world.network.dso);
  const ofBob = rights.filter(({ payload }) => payload.provider === bob.party);
  expect([rights.length, ofBob.length]).toEqual([3, 2]);
  const get = async (path: string) =>
    (await world.getJson(`/v0/featured-apps${path}`)).body as Record<string, never>;
  expect(idsOf((await get(""))["featured_apps"])).toEqual(rights.map(({ contractId }) => contractId));
  expect(idsOf((await get(`/by-provider/${bob.party}`))["featured_apps"])).toEqual(
    ofBob.map(({ contractId }) => contractId),
  );
  expect((await get(`/${bob.party}`))["featured_app_right"]).toMatchObject({
    template_id: FeaturedAppRight.id,
    contract_id: ofBob[0]?.contractId,
    payload: { dso: world.network.dso, provider: bob.party },
  });
  expect(await get(`/by-contract-id/${ofBob[1]?.contractId}`)).toMatchObject({
    featured_app_right: { contract_id: ofBob[1]?.contractId },
  });
  const [forgedId] = made.created.map(({ contract }) => contract.contractId);
  for (const id of [forgedId, world.network.only(AmuletRules).contractId, "nonsense"])
    expect(await get(`/by-contract-id/${id}`)).toEqual({ featured_app_right: null });
  expect(await get(`/${NOBODY}`)).toEqual({ featured_app_right: null });
  expect((await world.getJson("/v0/featured-apps/nobody")).status).toBe(400);
  const [first] = ofBob as [(typeof ofBob)[number]];
  const withdraw = exerciseCommand(FeaturedAppRight, first.contractId, "FeaturedAppRight_Cancel", {});
  accept(world.network.submit(bob.member, { actAs: [bob.party], commands: [withdraw] }));
  await world.scan();
  expect(await get(`/${bob.party}`)).toMatchObject({
    featured_app_right: { contract_id: ofBob[1]?.contractId },
  });
});

test("the preapproval that is valid from the latest time is a receiver's", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  const path = `/v0/transfer-preapprovals/by-party/${alice.party}`;
  expect(await world.getJson(path)).toEqual({
    status: 404,
    body: { error: `No TransferPreapproval found for party: ${alice.party}` },
  });
  for (const days of [30n, 20n]) {
    accept(alice.tap(decimal("100.0")));
    const economy = economyOf(alice);
    accept(
      economy.exercise("AmuletRules_CreateTransferPreapproval", {
        context: {
          amuletRules: world.network.only(AmuletRules).contractId,
          context: economy.context(),
        },
        ...{ inputs: alice.inputs(), receiver: alice.party, provider: alice.party },
        ...{ expiresAt: addDuration(world.network.now, days * DAY), expectedDso: world.network.dso },
      }),
    );
    world.network.advance(MINUTE);
  }
  await world.scan();
  const [, latest] = world.network.active(TransferPreapproval, world.network.dso);
  const { status, body } = await world.getJson(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    transfer_preapproval: {
      contract: { contract_id: latest?.contractId, payload: { receiver: alice.party } },
      domain_id: world.network.network.synchronizerId,
    },
  });
});

test("transfer commands: the sender's counter, and how each command ended", async () => {
  const world = await ServedWorld.start();
  const { network } = world;
  const alice = world.wallet("alice");
  accept(alice.tap(decimal("10.0")));
  const counterPath = `/v0/transfer-command-counter/${alice.party}`;
  expect(await world.getJson(counterPath)).toEqual({
    status: 404,
    body: {
      error: `No TransferCommandCounter found for party: ${alice.party}, use 0 for the nonce`,
    },
  });
  const action = { tag: "SRARC_CreateTransferCommandCounter", value: { sender: alice.party } } as const;
  new EconomyDso(world.dso).agree(onDsoRules(action));
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const submit = (commands: Parameters<typeof network.submit>[1]["commands"]) =>
    accept(network.submit(alice.member, { actAs: [alice.party], commands, disclose: [rules] }));
  const command = (nonce: bigint, minutes = 60n) => {
    const choice = "ExternalPartyAmuletRules_CreateTransferCommand";
    const terms = { sender: alice.party, receiver: alice.party, delegate: alice.party };
    const expiresAt = addDuration(network.now, minutes * MINUTE);
    const argument = { ...terms, amount: decimal("1.0"), nonce, expiresAt, description: null };
    const given = { ...argument, expectedDso: network.dso };
    const { created } = submit([exerciseCommand(ExternalPartyAmuletRules, rules, choice, given)]);
    return created[0]?.contract.contractId ?? ("" as never);
  };
  const statusOf = async (nonce: number) => {
    await world.scan();
    const query = `sender=${encodeURIComponent(alice.party)}&nonce=${nonce}`;
    const { body } = await world.getJson(`/v0/transfer-command/status?${query}`);
    return (body as { transfer_commands_by_contract_id?: object }).transfer_commands_by_contract_id;
  };
  const [failing, waiting, other] = [command(0n), command(1n), command(1n, 1n)];
  const economy = economyOf(alice);
  const context = {
    amuletRules: network.only(AmuletRules).contractId,
    context: economy.context(),
  };
  accept(
    network.submit(alice.member, {
      actAs: [alice.party],
      commands: [
        exerciseCommand(TransferCommand, failing, "TransferCommand_Send", {
          ...{ context, inputs: alice.inputs(), transferPreapprovalCidO: null },
          transferCounterCid: network.only(TransferCommandCounter).contractId,
        }),
      ],
      disclose: [context.amuletRules, context.context.openMiningRound],
    }),
  );
  expect(await statusOf(0)).toMatchObject({
    [failing]: {
      contract: { contract_id: failing, template_id: TransferCommand.id },
      status: {
        status: "failed",
        failure_kind: "failed",
        reason: `ITR_Other(No TransferPreapproval for receiver '${alice.party}')`,
      },
    },
  });
  expect((await world.getJson(counterPath)).body).toMatchObject({
    transfer_command_counter: { contract: { payload: { sender: alice.party, nextNonce: "1" } } },
  });
  const created = { status: "created", failure_kind: null, reason: null };
  expect(await statusOf(1)).toMatchObject({ [waiting]: { status: created }, [other]: { status: created } });
  submit([exerciseCommand(TransferCommand, waiting, "TransferCommand_Withdraw", {})]);
  network.advance(2n * MINUTE);
  submit([exerciseCommand(TransferCommand, other, "TransferCommand_Expire", { p: alice.party })]);
  expect(await statusOf(1)).toMatchObject({
    [waiting]: {
      status: {
        ...{ status: "failed", failure_kind: "withdrawn" },
        reason: "The TransferCommand has been withdrawn by the sender",
      },
    },
    [other]: {
      status: { status: "failed", failure_kind: "expired", reason: "The TransferCommand has expired" },
    },
  });
  const query = `sender=${encodeURIComponent(alice.party)}&nonce=7`;
  const text = `Couldn't find transfer command for sender ${alice.party} with nonce 7 created in the last 24h`;
  expect(await world.getJson(`/v0/transfer-command/status?${query}`)).toEqual({
    status: 404,
    body: { error: text },
  });
  // Commands that ended long ago are forgotten with the next that ends.
  network.advance(31n * DAY);
  const last = command(1n, 1n);
  submit([exerciseCommand(TransferCommand, last, "TransferCommand_Withdraw", {})]);
  expect(Object.keys((await statusOf(1)) ?? {})).toEqual([last]);
});

test("the rules for external parties are left out for a caller that has them", async () => {
  const world = await ServedWorld.start();
  const { contractId } = world.network.only(ExternalPartyAmuletRules);
  const { synchronizerId } = world.network.network;
  const path = "/v0/external-party-amulet-rules";
  expect((await world.postJson(path, {})).body).toMatchObject({
    external_party_amulet_rules_update: {
      contract: { contract_id: contractId, payload: { dso: world.network.dso } },
      domain_id: synchronizerId,
    },
  });
  const cached = { cached_external_party_amulet_rules_contract_id: contractId };
  expect((await world.postJson(path, cached)).body).toEqual({
    external_party_amulet_rules_update: { contract: null, domain_id: synchronizerId },
  });
});

test("an index from before finds them too, and the coin of the next snapshot", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  for (let i = 0; i < 3; i++) accept(economyOf(alice).feature());
  accept(alice.tap(decimal("10.0")));
  await world.scan();
  const path = join(world.folder, "old.db");
  const old = openScanReplica(world.log.log, path);
  await old.catchUp();
  old.database.exec(FORMER_INDEX);
  old.database.exec("create table scan_index as select 2 as version");
  old.close();
  accept(alice.tap(decimal("5.0")));
  world.network.advance(20n * MINUTE);
  accept(alice.tap(decimal("1.0")));
  await world.scan();
  const answersOf = ({ index }: ScanReplica) => {
    const snapshot = index.holdings.findSnapshotAtOrBefore(index.now);
    if (snapshot === undefined) throw new Error("there is no snapshot");
    return {
      rights: index.partyContracts.listOf(FeaturedAppRight, alice.party, 10),
      rules: index.contracts.find(ExternalPartyAmuletRules),
      snapshot,
      coins: index.holdings.listAt(snapshot.recordTime, alice.party, 10).map(({ amount }) => amount),
    };
  };
  for (let i = 0; i < 2; i++) {
    const again = openScanReplica(world.log.log, path);
    await again.catchUp();
    expect(answersOf(again)).toEqual(answersOf(world.node));
    expect(answersOf(again)).toMatchObject({
      rights: [{}, {}, {}],
      snapshot: { supply: decimal("15.0") },
    });
    again.close();
  }
});
