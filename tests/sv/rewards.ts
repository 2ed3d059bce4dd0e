/** Activity that earns rewards in the tests, and the rounds that are left of it. */
import { expect } from "vitest";
import {
  ClosedMiningRound,
  type Decimal,
  IssuingMiningRound,
  OpenMiningRound,
  type Outcome,
  SummarizingMiningRound,
  SvRewardCoupon,
} from "../../packages/ledger/src/index.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import type { Wallet } from "./wallet.ts";

/** The least that can be bought; it costs 666.8 coins, and the buyer's validator earns a coupon for them. */
const TRAFFIC_BYTES = 200_000n;

export function buyTraffic(wallet: Wallet, bytes = TRAFFIC_BYTES): Promise<Outcome> {
  return wallet.economy.buyTraffic(`PAR::${wallet.member.id}`, bytes, wallet.inputs());
}

/** The SV turns its coupons into coin, as far as their rounds issue; answers how much that makes. */
export async function mintSvCoupons(network: SvNetwork, sv: UnservedSv): Promise<Decimal> {
  const wallet = new EconomyWallet(network, sv.member);
  let minted = 0n;
  const coupons = wallet.rewards();
  for (const { contractId, payload } of network.active(SvRewardCoupon)) {
    if (!coupons.some(({ value }) => value === contractId)) continue;
    const issuing = network.active(IssuingMiningRound);
    const round = issuing.find((other) => other.payload.round.number === payload.round.number);
    minted += payload.weight * (round?.payload.issuancePerSvRewardCoupon ?? 0n);
  }
  if (coupons.length > 0) await wallet.mint(coupons);
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
