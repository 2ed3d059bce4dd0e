// The token standard's registry: its metadata, the form of its contexts, its refusals. That the ledger takes them is shown in
// tests/participant/token-standard.test.ts.

import { expect, test } from "vitest";
import { LockedAmulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletTransferInstruction } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { EMPTY_METADATA } from "../../packages/ledger/src/contracts/splice-api-token-v1/metadata.ts";
import { TransferFactory } from "../../packages/ledger/src/contracts/splice-api-token-v1/transfer-instruction.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, formatInstant } from "../../packages/ledger/src/values/time.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();

interface Disclosed {
  readonly contractId: string;
  readonly templateId: string;
  readonly debugPayload: unknown;
}

interface Context {
  readonly choiceContextData: { readonly values: Readonly<Record<string, { readonly value: unknown }>> };
  readonly disclosedContracts: readonly Disclosed[];
}

test("says who administers the coin, and what it is", async () => {
  const world = shared();
  expect((await world.getJson("/registry/metadata/v1/info")).body).toEqual({
    adminId: world.network.dso,
    supportedApis: { "splice-api-token-metadata-v1": 1 },
  });
  const apis = ["metadata", "holding", "transfer-instruction", "allocation", "allocation-instruction"];
  const coin = {
    ...{ id: "Amulet", name: "Amulet", symbol: "AMT", decimals: 10 },
    // The network was founded at the time of a snapshot.
    ...{ totalSupply: "0.0000000000", totalSupplyAsOf: "2026-01-01T00:00:00Z" },
    supportedApis: Object.fromEntries(apis.map((name) => [`splice-api-token-${name}-v1`, 1])),
  };
  for (const query of ["", "?pageSize=1&pageToken=x"]) {
    const { body } = await world.getJson(`/registry/metadata/v1/instruments${query}`);
    expect(body).toEqual({ instruments: [coin], nextPageToken: null });
  }
  expect((await world.getJson("/registry/metadata/v1/instruments/Amulet")).body).toEqual(coin);
  expect(await world.getJson("/registry/metadata/v1/instruments/Gold")).toEqual({
    status: 404,
    body: { error: "No instrument with id Gold found" },
  });
});

test("discloses the factory and the terms, with what helps to find a fault unless that is excluded", async () => {
  const world = shared();
  const factory = world.network.only(ExternalPartyAmuletRules);
  const path = "/registry/allocation-instruction/v1/allocation-factory";
  const ask = async (more: object) =>
    (await world.postJson(path, { choiceArguments: {}, ...more })).body as {
      readonly factoryId: string;
      readonly choiceContext: Context;
    };
  const { factoryId, choiceContext } = await ask({});
  expect(factoryId).toBe(factory.contractId);
  const { values } = choiceContext.choiceContextData;
  expect(Object.keys(values)).toEqual(["amulet-rules", "open-round", "external-party-config-state"]);
  const named = Object.values(values).map(({ value }) => value);
  expect(choiceContext.disclosedContracts.map(({ contractId }) => contractId)).toEqual([
    ...named,
    factory.contractId,
  ]);
  expect(choiceContext.disclosedContracts.at(-1)).toMatchObject({
    templateId: ExternalPartyAmuletRules.id,
    synchronizerId: world.network.network.synchronizerId,
    debugPackageName: "splice-amulet",
    debugPayload: { dso: world.network.dso },
    debugCreatedAt: "2026-01-01T00:00:00Z",
  });
  const plain = await ask({ excludeDebugFields: true });
  for (const disclosed of plain.choiceContext.disclosedContracts)
    expect(disclosed).toMatchObject({ debugPackageName: null, debugPayload: null, debugCreatedAt: null });
  expect(plain.choiceContext.choiceContextData).toEqual(choiceContext.choiceContextData);
});

test.each([
  ["nothing", {}, "Missing non-optional fields"],
  ["a transfer without its receiver", { expectedAdmin: "x", transfer: {}, extraArgs: {} }, ""],
])("refuses the argument of a transfer that is %s", async (_, choiceArguments, reason) => {
  const world = shared();
  const path = "/registry/transfer-instruction/v1/transfer-factory";
  const { status, body } = await world.postJson(path, { choiceArguments });
  expect(status).toBe(400);
  const text = "Field `choiceArguments` does not contain a valid `TransferFactory_Transfer`: ";
  expect((body as { error: string }).error).toContain(text + reason);
});

/** Alice offers coin to Bob for so many minutes. */
function offer(world: ServedWorld, alice: WalletActor, bob: WalletActor, minutes: bigint) {
  const { network } = world;
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const [state] = network.active(ExternalPartyConfigState, network.dso);
  const stateCid = state?.contractId ?? ("" as ContractId);
  const transfer = {
    ...{ sender: alice.party, receiver: bob.party, amount: decimal("4.0") },
    instrumentId: { admin: network.dso, id: "Amulet" },
    requestedAt: network.now,
    executeBefore: addDuration(network.now, minutes * MINUTE),
    inputHoldingCids: alice.coins().map(({ contractId }) => contractId),
    meta: EMPTY_METADATA,
  };
  const key = "external-party-config-state";
  const context = { values: [[key, { tag: "AV_ContractId", value: stateCid }] as const] };
  const argument = { expectedAdmin: network.dso, transfer, extraArgs: { context, meta: EMPTY_METADATA } };
  const command = exerciseCommand(TransferFactory, rules, "TransferFactory_Transfer", argument);
  const submission = { actAs: [alice.party], commands: [command], disclose: [rules, stateCid] };
  accept(network.submit(alice.member, submission));
  return network.only(AmuletTransferInstruction);
}

test("of a transfer whose lock ran out and was taken off, only the end is left", async () => {
  const world = await ServedWorld.start();
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  accept(alice.tap(decimal("10.0")));
  const { contractId, payload } = offer(world, alice, bob, 5n);
  const ask = async (choice: string) => {
    await world.scan();
    return world.postJson(
      `/registry/transfer-instruction/v1/${contractId}/choice-contexts/${choice}`,
      {},
    ) as Promise<{ readonly status: number; readonly body: Context }>;
  };
  for (const choice of ["accept", "reject", "withdraw"]) {
    const { body } = await ask(choice);
    expect(body.choiceContextData.values["expire-lock"]).toEqual({ tag: "AV_Bool", value: true });
    expect(body.disclosedContracts.at(-1)).toMatchObject({
      templateId: LockedAmulet.id,
      contractId: payload.lockedAmulet,
    });
  }
  world.network.advance(6n * MINUTE);
  accept(alice.takeOut(payload.lockedAmulet));
  for (const choice of ["reject", "withdraw"]) {
    expect((await ask(choice)).body).toEqual({
      choiceContextData: { values: { "expire-lock": { tag: "AV_Bool", value: false } } },
      disclosedContracts: [],
    });
  }
  const expiry = formatInstant(payload.transfer.executeBefore);
  const what = `AmuletTransferInstruction '${contractId}'`;
  expect(await ask("accept")).toEqual({
    status: 404,
    body: {
      error: `LockedAmulet '${payload.lockedAmulet}' not found for ${what}, which expires on ${expiry}`,
    },
  });
});

test("knows no transfer of another DSO, nor a contract that is none", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  const transfer = {
    ...{ sender: alice.party, receiver: alice.party, amount: decimal("4.0"), inputHoldingCids: [] },
    instrumentId: { admin: alice.party, id: "Amulet" },
    ...{ requestedAt: world.network.now, executeBefore: addDuration(world.network.now, MINUTE) },
    meta: EMPTY_METADATA,
  };
  const rules = world.network.only(ExternalPartyAmuletRules).contractId;
  const forged = createCommand(AmuletTransferInstruction, { lockedAmulet: rules, transfer });
  accept(world.network.submit(alice.member, { actAs: [alice.party], commands: [forged] }));
  await world.scan();
  const [instruction] = world.network.active(AmuletTransferInstruction, alice.party);
  if (instruction === undefined) throw new Error("it was not created");
  for (const id of [instruction.contractId, rules, "00ff", "nonsense"]) {
    const path = `/registry/transfer-instruction/v1/${id}/choice-contexts/accept`;
    expect(await world.postJson(path, {})).toEqual({
      status: 404,
      body: { error: `AmuletTransferInstruction '${id}' not found.` },
    });
  }
});
