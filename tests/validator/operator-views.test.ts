// The operator's views: the participant's identity and connections, a snapshot of users and contracts, preapprovals.

import { gunzipSync } from "node:zlib";
import { Amulet, type PartyId, TransferPreapproval, TransferPreapprovalProposal } from "@callsign/ledger";
import { makeToken } from "@callsign/localnet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { outcomeOf, statusOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let operator: ValidatorClient;
let anna: { readonly party: PartyId; readonly wallet: ValidatorClient };

beforeAll(async () => {
  network = await LocalNetwork.start();
  operator = network.validator("app-user", network.net.serviceToken);
  const wallet = network.validator("app-user", await makeToken("anna"));
  anna = { party: (await wallet.register()).party_id as PartyId, wallet };
});
afterAll(() => network?.close());

test("the participant's identity: its id, and keys by fingerprint, none of them in clear", async () => {
  const { participantId } = await network.ledger().getParticipantId();
  const namespace = participantId.split("::").at(-1);
  const { id, keys, authorizedStoreSnapshot, version } = await operator.dumpParticipantIdentities();
  expect(id).toBe(`PAR::${participantId}`);
  expect(keys).toEqual([
    { type: "signing", keyId: namespace, name: "namespace" },
    { type: "signing", keyId: expect.stringMatching(/^1220[0-9a-f]{64}$/), name: "signing" },
  ]);
  expect(version).toBe((await operator.getVersion()).version);
  const snapshot = JSON.parse(Buffer.from(authorizedStoreSnapshot, "base64").toString());
  expect(snapshot).toMatchObject({ participantId, keys: [{ name: "namespace" }, { name: "signing" }] });
  expect(snapshot.parties).toContain(anna.party);
  expect(Object.keys(snapshot.keys[0]).sort()).toEqual(["fingerprint", "name", "publicKey"]);
});

test("the participant's connections: every sequencer, three of four needed", async () => {
  const { sequencer_connections } = await operator.getDecentralizedSynchronizerConnectionConfig();
  const urls = network.net.svs.map(({ sequencerUrl }) => sequencerUrl);
  expect(sequencer_connections).toEqual({
    connections: urls.map((url) => ({
      sequencer_alias: url,
      endpoints: [new URL(url).host],
      transport_security: false,
    })),
    sequencer_trust_threshold: 3,
    sequencer_liveness_margin: 1,
    submission_request_amplification: { factor: 4, patience_seconds: 0.3 },
  });
});

test("the features of the packages, for any valid token", async () => {
  const stranger = network.validator("app-user", await makeToken("stranger"));
  const all = { token_standard: true, transfer_preapproval_description: true };
  expect(await stranger.featureSupport()).toEqual(all);
});

interface SnapshotLine {
  readonly createdEvent: { readonly contractId: string; readonly templateId: string };
  readonly synchronizerId: string;
}

async function takeSnapshot(
  timestamp: string,
  more: { readonly force?: "true"; readonly migration_id?: bigint } = {},
) {
  const { data_snapshot, migration_id } = await operator.getValidatorDomainDataSnapshot({
    query: { timestamp, ...more },
  });
  const text = gunzipSync(Buffer.from(data_snapshot.acs_snapshot, "base64")).toString();
  const lines = text.split("\n").slice(0, -1);
  return { data_snapshot, migration_id, contracts: lines.map((line) => JSON.parse(line) as SnapshotLine) };
}

async function createdAt(contractId: string): Promise<string> {
  const body = { contractId, eventFormat: { filtersByParty: { [anna.party]: {} }, verbose: false } };
  const { created } = await network.ledger().getEventsByContractId({ body });
  return created?.createdEvent.createdAt ?? "";
}

test("a snapshot has the contracts of its time, and the users with their rights", async () => {
  const first = (await anna.wallet.tap({ body: { amount: "1" } })).contract_id;
  const second = (await anna.wallet.tap({ body: { amount: "1" } })).contract_id;
  const third = (await anna.wallet.tap({ body: { amount: "1" } })).contract_id;
  await network.net.settle();
  const coinsAt = async (time: string) => {
    const { contracts } = await takeSnapshot(time);
    const ids = contracts.map(({ createdEvent }) => createdEvent.contractId);
    return [first, second, third].map((id) => ids.includes(id));
  };
  expect(await coinsAt(await createdAt(first))).toEqual([true, false, false]);
  expect(await coinsAt(await createdAt(second))).toEqual([true, true, false]);
  const now = await createdAt(third);
  expect(await coinsAt(now)).toEqual([true, true, true]);
  expect(await coinsAt("2020-01-01T00:00:00Z")).toEqual([false, false, false]);

  const { data_snapshot, migration_id, contracts } = await takeSnapshot(now);
  const { domain_id } = data_snapshot;
  expect(new Set(contracts.map(({ synchronizerId }) => synchronizerId))).toEqual(new Set([domain_id]));
  expect(contracts.some(({ createdEvent }) => createdEvent.templateId === Amulet.id)).toBe(true);
  expect([migration_id, data_snapshot.migration_id]).toEqual([1, 1]);
  expect(data_snapshot).toMatchObject({
    ...{ participant: await operator.dumpParticipantIdentities(), acs_timestamp: now, dars: [] },
    ...{ synchronizer_was_paused: false, separate_payload_files: false, acs_format: "ledger_api" },
  });
  const { users, identityProviders } = data_snapshot.participant_users;
  expect(identityProviders).toEqual([]);
  expect(users.find(({ id }) => id === "anna")).toEqual({
    ...{
      id: "anna",
      primaryParty: anna.party,
      isDeactivated: false,
      annotations: [],
      identityProviderId: "",
    },
    rights: [{ kind: "canActAs", party: anna.party }],
  });
  expect(users.find(({ id }) => id === "ledger-api-user")?.rights).toContainEqual({
    kind: "participantAdmin",
    party: null,
  });
});

test("a snapshot of another migration, of a time that has not come, of no time", async () => {
  const far = "9000-01-01T00:00:00Z";
  expect(await outcomeOf(operator.getValidatorDomainDataSnapshot({ query: { timestamp: far } }))).toEqual({
    status: 400,
    body: { error: expect.stringContaining("timestamp") },
  });
  const forced = await takeSnapshot(far, { force: "true", migration_id: 7n });
  expect(forced.migration_id).toBe(7);
  expect(forced.contracts.length).toBeGreaterThan(0);
  for (const timestamp of ["now", "2026-01-01"])
    expect(await statusOf(operator.getValidatorDomainDataSnapshot({ query: { timestamp } }))).toBe(400);
});

test("preapprovals that the validator provides are found, listed and cancelled", async () => {
  const receiver = anna.party;
  const byReceiver = { params: { "receiver-party": receiver } };
  const missing = {
    status: 404,
    body: { error: `No TransferPreapproval found for party: ${receiver}` },
  };
  expect(await outcomeOf(operator.lookupTransferPreapprovalByParty(byReceiver))).toEqual(missing);
  expect(await outcomeOf(operator.cancelTransferPreapprovalByParty(byReceiver))).toEqual(missing);
  expect(await operator.listTransferPreapprovals()).toEqual({ contracts: [] });
  await network.tap("app-user", "10");
  const provider = (await operator.getValidatorUserInfo()).party_id as PartyId;
  const expectedDso = (await operator.scanProxyGetDsoPartyId()).dso_party_id as PartyId;
  await network.submit(
    [receiver],
    [create(TransferPreapprovalProposal, { receiver, provider, expectedDso })],
  );
  const [made] = await network.listActive(TransferPreapproval, receiver);
  const { transfer_preapproval: found } = await operator.lookupTransferPreapprovalByParty(byReceiver);
  expect(found.contract.contract_id).toBe(made?.contractId);
  expect(found.contract.payload).toMatchObject({ receiver, provider, dso: expectedDso });
  const { amulet_rules } = await operator.scanProxyGetAmuletRules();
  expect(found.domain_id).toBe(amulet_rules.domain_id);
  expect(await operator.listTransferPreapprovals()).toEqual({ contracts: [found] });
  await operator.cancelTransferPreapprovalByParty(byReceiver);
  expect(await operator.listTransferPreapprovals()).toEqual({ contracts: [] });
  expect(await network.listActive(TransferPreapproval, receiver)).toEqual([]);
  expect(await outcomeOf(operator.cancelTransferPreapprovalByParty(byReceiver))).toEqual(missing);
});
