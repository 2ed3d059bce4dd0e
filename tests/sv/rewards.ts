/** What earns rewards in the tests, and what is left of them. */
import {
  AmuletRules,
  type ContractId,
  exerciseCommand,
  OpenMiningRound,
  type Outcome,
} from "../../packages/ledger/src/index.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { Wallet } from "./wallet.ts";

/** The least that can be bought; it costs 666.8 coins, and the buyer's validator earns a coupon for them. */
const TRAFFIC_BYTES = 200_000n;

export function latestOpenRound(network: SvNetwork): ContractId {
  const open = network.active(OpenMiningRound).filter(({ payload }) => payload.opensAt <= network.now);
  const latest = open.at(-1);
  if (latest === undefined) throw new Error("no round is open");
  return latest.contractId;
}

export function buyTraffic(network: SvNetwork, wallet: Wallet): Promise<Outcome> {
  const amuletRules = network.only(AmuletRules);
  const openMiningRound = latestOpenRound(network);
  const { requiredSynchronizers } = amuletRules.payload.configSchedule.initialValue.decentralizedSynchronizer;
  const synchronizerId = requiredSynchronizers.map[0]?.[0] ?? "";
  const command = exerciseCommand(AmuletRules, amuletRules.contractId, "AmuletRules_BuyMemberTraffic", {
    inputs: wallet.coins().map(({ contractId }) => ({ tag: "InputAmulet" as const, value: contractId })),
    context: { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null },
    provider: wallet.party,
    memberId: `PAR::${wallet.identity.id}`,
    synchronizerId,
    migrationId: 0n,
    trafficAmount: TRAFFIC_BYTES,
    expectedDso: network.dso,
  });
  return wallet.submit([wallet.party], [command], [amuletRules.contractId, openMiningRound]);
}
