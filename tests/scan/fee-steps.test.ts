// Fees with steps. Today's rules refuse every fee but the one for holding, so that no network can have them; rounds of
// a network from before could, and scan would still be asked for them. Here such a round's payload is shown to it.

import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { defaultAmuletConfig } from "../../packages/ledger/src/contracts/splice-amulet/rules/default-amulet-config.ts";
import type { PayloadOf } from "../../packages/ledger/src/engine/declaration.ts";
import type { CreateNode } from "../../packages/ledger/src/engine/transaction.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { ReplicaConsumers } from "../../packages/synchronizer/src/replica/consumers.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { serveMount } from "../support/serve-mount.ts";
import { HISTORIC_FEES } from "./historic-fees.ts";

test("a network cannot be founded with historic fees", () => {
  const { synchronizerId } = new SimulatedNetwork().network;
  const usual = defaultAmuletConfig(synchronizerId);
  const amuletConfig = { ...usual, transferConfig: { ...usual.transferConfig, ...HISTORIC_FEES } };
  const network = new SimulatedNetwork({ founding: { amuletConfig } });
  expect(() => network.network).toThrow("the founding was rejected");
});

test("historic fees are shown in coin at the round's price, and rates unchanged", async () => {
  const outcomes: Outcome[] = [];
  const network = new SimulatedNetwork({ observe: (_entry, outcome) => outcomes.push(outcome) });
  const index = new ScanIndex(new SqliteState(openDatabase(":memory:")));
  const consumers = new ReplicaConsumers(index.state, [index]);
  for (const outcome of outcomes)
    consumers.absorb({ ...outcome, created: outcome.created.map(withHistoricFees) });
  const server = await serveMount(
    mountScan({
      source: ownSource(index, { onApplied: () => undefined }),
      sv: { user: "sv", party: network.dso },
      timers: systemHost.timers,
      health: { id: "scan", missing: () => null, port: () => 0, clock: systemHost.clock },
    }),
  );
  for (const query of ["", "?round=1"]) {
    const answer = await fetch(`${server.url}/api/scan/v0/amulet-config-for-round${query}`);
    expect(await answer.text()).toBe(
      '{"amulet_create_fee":"6.0000000000","holding_fee":"0.0038051800","lock_holder_fee":"1.0000000000",' +
        '"transfer_fee":{"initial":"0.0100000000","steps":[{"amount":"20000.0000000000","rate":"0.0010000000"},' +
        '{"amount":"200000.0000000000","rate":"0.0001000000"},' +
        '{"amount":"200000000.0000000000","rate":"0.0000100000"}]}}',
    );
  }
});

function withHistoricFees(node: CreateNode): CreateNode {
  if (node.contract.templateId !== OpenMiningRound.id) return node;
  const round = node.value as PayloadOf<typeof OpenMiningRound>;
  return {
    ...node,
    value: { ...round, transferConfigUsd: { ...round.transferConfigUsd, ...HISTORIC_FEES } },
  };
}
