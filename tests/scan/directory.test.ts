/** The network's directory: scans and sequencers as SVs publish them, and the names that applications show. */
import { expect, test } from "vitest";
import { SvNodeState } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import type { PayloadOf } from "../../packages/ledger/src/index.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { ServedWorld } from "./served-world.ts";

type NodeConfig = PayloadOf<typeof SvNodeState>["state"]["synchronizerNodes"][number][1];

const NOTHING: NodeConfig = {
  cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] },
  sequencer: null,
  mediator: null,
  scan: null,
  legacySequencerConfig: null,
  sequencerIdentity: null,
  physicalSynchronizers: null,
};

async function publish(world: ServedWorld, sv: SimulatedMember, config: Partial<NodeConfig>) {
  const { network } = world;
  const state = network.active(SvNodeState, network.dso).find(({ payload }) => payload.sv === sv.party);
  if (state === undefined) throw new Error("the SV has no state");
  accept(
    new SvActor(network, sv).act("DsoRules_SetSynchronizerNodeConfig", {
      synchronizerId: network.network.synchronizerId,
      newNodeConfig: { ...NOTHING, ...config },
      nodeStateCid: state.contractId,
    }),
  );
  await world.scan();
}

const at = "2026-02-03T04:05:06.789Z";

test("scans are listed as their SVs publish them, in the order of the SVs, without those that nobody can call", async () => {
  const world = await ServedWorld.start();
  const [first, second, third, fourth] = world.network.svs as [SimulatedMember, ...SimulatedMember[]];
  expect(await world.getJson("/v0/scans")).toEqual({ status: 200, body: { scans: [] } });
  await publish(world, third as SimulatedMember, { scan: { publicUrl: "ftp://scan.example.com" } });
  await publish(world, fourth as SimulatedMember, { scan: { publicUrl: "https://four.example.com/x" } });
  await publish(world, first, { scan: { publicUrl: "http://old.example.com" } });
  await publish(world, first, { scan: { publicUrl: "http://one.example.com:5012" } });
  await publish(world, second as SimulatedMember, {});
  const names = world.network.active(SvNodeState, world.network.dso);
  const nameOf = (sv: SimulatedMember | undefined) =>
    names.find(({ payload }) => payload.sv === sv?.party)?.payload.svName;
  expect(await world.getJson("/v0/scans")).toEqual({
    status: 200,
    body: {
      scans: [
        {
          domainId: world.network.network.synchronizerId,
          scans: [
            { publicUrl: "http://one.example.com:5012", svName: nameOf(first) },
            { publicUrl: "https://four.example.com/x", svName: nameOf(fourth) },
          ],
        },
      ],
    },
  });
});

test("sequencers are listed by migration, the earlier one from ever on, and by serial with migration -1", async () => {
  const world = await ServedWorld.start();
  const [first, second, third, fourth] = world.network.svs as [
    SimulatedMember,
    SimulatedMember,
    SimulatedMember,
    SimulatedMember,
  ];
  const sequencer = { migrationId: 3n, sequencerId: "SEQ::a", url: "https://a.example.com" };
  await publish(world, first, {
    sequencer: { ...sequencer, availableAfter: time(at) },
    legacySequencerConfig: { migrationId: 2n, sequencerId: "SEQ::old", url: "https://old.example.com" },
  });
  await publish(world, second, { sequencer: { ...sequencer, availableAfter: null } });
  await publish(world, third, { sequencer: { ...sequencer, url: "", availableAfter: time(at) } });
  await publish(world, fourth, {
    sequencerIdentity: { sequencerId: "SEQ::d", availableAfter: time(at) },
    physicalSynchronizers: [
      [7n, { sequencer: { url: "https://d7.example.com" } }],
      [8n, { sequencer: null }],
    ],
  });
  const { body } = await world.getJson("/v0/dso-sequencers");
  const [sv1, , , sv4] = world.network
    .active(SvNodeState, world.network.dso)
    .toSorted((a, b) => (a.payload.svName < b.payload.svName ? -1 : 1))
    .map(({ payload }) => payload.svName);
  const ofFirst = { synchronizerSerial: null, svName: sv1 };
  expect(body).toEqual({
    domainSequencers: [
      {
        domainId: world.network.network.synchronizerId,
        sequencers: [
          { ...ofFirst, migrationId: 3, id: "SEQ::a", url: "https://a.example.com", availableAfter: at },
          {
            ...{ ...ofFirst, migrationId: 2, id: "SEQ::old", url: "https://old.example.com" },
            availableAfter: "0001-01-01T00:00:00Z",
          },
          {
            ...{ migrationId: -1, synchronizerSerial: 7, id: "SEQ::d", url: "https://d7.example.com" },
            ...{ svName: sv4, availableAfter: at },
          },
        ],
      },
    ],
  });
});

test("names for applications come from configuration, and the acronym from the ledger", async () => {
  const names = {
    networkName: "Net",
    networkFaviconUrl: "https://net.example.com/icon.png",
    amuletName: "Coin",
    amuletNameAcronym: "CN",
    nameServiceName: "Coin Name Service",
  };
  const world = await ServedWorld.start({ instanceNames: { ...names, nameServiceNameAcronym: "Cns" } });
  expect(await world.getJson("/v0/splice-instance-names")).toEqual({
    status: 200,
    body: {
      network_name: "Net",
      network_favicon_url: "https://net.example.com/icon.png",
      amulet_name: "Coin",
      amulet_name_acronym: "CN",
      name_service_name: "Coin Name Service",
      name_service_name_acronym: "Cns",
    },
  });
  const other = await ServedWorld.start({ instanceNames: { ...names, nameServiceNameAcronym: "ans" } });
  expect((await other.getJson("/v0/splice-instance-names")).body).toMatchObject({
    name_service_name_acronym: "CNS",
  });
});
