/** Activity that earns rewards in the tests, and the rounds that are left of it. */
import { expect } from "vitest";
import {
  AmuletRules,
  ClosedMiningRound,
  type ContractId,
  type Decimal,
  exerciseCommand,
  IssuingMiningRound,
  OpenMiningRound,
  type Outcome,
  SummarizingMiningRound,
  SvRewardCoupon,
} from "../../packages/ledger/src/index.ts";
import type { SvNetwork, SvNode } from "./sv-network.ts";
import type { Wallet } from "./wallet.ts";

/** The least that can be bought; it costs 666.8 coins, and the buyer's validator earns a coupon for them. */
const TRAFFIC_BYTES = 200_000n;

export function latestOpenRound(network: SvNetwork): ContractId {
  const open = network.active(OpenMiningRound).filter(({ payload }) => payload.opensAt <= network.now);
  const latest = open.at(-1);
  if (latest === undefined) throw new Error("no round is open");
  return latest.contractId;
}

export function buyTraffic(
  network: SvNetwork,
  wallet: Wallet,
  trafficAmount = TRAFFIC_BYTES,
): Promise<Outcome> {
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
    trafficAmount,
    expectedDso: network.dso,
  });
  return wallet.submit([wallet.party], [command], [amuletRules.contractId, openMiningRound]);
}

/** The SV turns its coupons into coin, as far as their rounds issue; answers how much that makes. */
export async function mintSvCoupons(network: SvNetwork, sv: SvNode): Promise<Decimal> {
  const issuing = network.active(IssuingMiningRound).filter(({ payload }) => payload.opensAt <= network.now);
  let minted = 0n;
  for (const { contractId, payload } of network.active(SvRewardCoupon)) {
    const round = issuing.find((other) => other.payload.round.number === payload.round.number);
    if (round === undefined || payload.beneficiary !== sv.party) continue;
    const context = {
      openMiningRound: latestOpenRound(network),
      issuingMiningRounds: [[payload.round, round.contractId] as const],
      validatorRights: [],
      featuredAppRight: null,
    };
    const inputs = [{ tag: "InputSvRewardCoupon" as const, value: contractId }];
    const transfer = { sender: sv.party, provider: sv.party, inputs, outputs: [], beneficiaries: null };
    const argument = { transfer, context, expectedDso: network.dso };
    const rules = network.only(AmuletRules).contractId;
    const command = exerciseCommand(AmuletRules, rules, "AmuletRules_Transfer", argument);
    const { verdict } = await network.byHand(sv, command);
    expect(verdict.kind).toBe("accepted");
    minted += payload.weight * round.payload.issuancePerSvRewardCoupon;
  }
  return minted as Decimal;
}

type Numbered = { readonly round: { readonly number: bigint } };

/** Sorted: rounds go on side by side, and which of them is first is open. */
export function numbers(contracts: readonly { readonly payload: Numbered }[]): readonly bigint[] {
  return contracts.map(({ payload }) => payload.round.number).toSorted((a, b) => Number(a - b));
}

/** A round is in one state at a time, and three are open. */
export function expectSoundRounds(network: SvNetwork): void {
  const open = numbers(network.active(OpenMiningRound));
  const [oldest = 0n] = open;
  expect(open).toEqual([oldest, oldest + 1n, oldest + 2n]);
  const past = [
    ...numbers(network.active(SummarizingMiningRound)),
    ...numbers(network.active(IssuingMiningRound)),
    ...numbers(network.active(ClosedMiningRound)),
  ];
  expect(new Set(past).size).toBe(past.length);
  expect(past.every((number) => number < oldest)).toBe(true);
}
