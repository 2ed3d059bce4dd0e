/** The cost of traffic: bytes ÷ 10⁶ × price of a megabyte, then ÷ price of coin, each step rounded to ten places. */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, decimal, decimalFromInt, divide, multiply } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { fetchOpenRound } from "../rounds/fetch-open-round.ts";

const BYTES_PER_MEGABYTE = decimal("1000000.0");

export interface TrafficCost {
  readonly usd: Decimal;
  readonly amulet: Decimal;
}

export function trafficCost(
  update: Update,
  { dso, configSchedule }: AmuletRules,
  trafficAmount: bigint,
  round: { readonly openMiningRound: ContractId; readonly reader: PartyId },
): TrafficCost {
  const { extraTrafficPrice } = configSchedule.initialValue.decentralizedSynchronizer.fees;
  const usd = multiply(divide(decimalFromInt(trafficAmount), BYTES_PER_MEGABYTE), extraTrafficPrice);
  const { amuletPrice } = fetchOpenRound(update, round.openMiningRound, { dso, reader: round.reader });
  return { usd, amulet: divide(usd, amuletPrice) };
}
