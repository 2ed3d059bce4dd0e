/**
 * The amount of traffic that a top-up buys, and the least time it has to last. The operator sets the throughput and the
 * interval; the network's least purchase may make purchases larger and rarer.
 */
import { SECOND } from "@callsign/ledger";
import { POLLING_SECONDS } from "../limits/limits.ts";
import type { TopUpConfig } from "../settings/top-up-settings.ts";

export interface TopUpTerms {
  readonly bytes: bigint;
  readonly intervalMicroseconds: bigint;
}

const MILLISECOND = 1000n;

export function decideTopUpTerms(
  { targetThroughput, minTopupIntervalSeconds }: TopUpConfig,
  minTopupBytes: bigint,
  pollingSeconds: number = POLLING_SECONDS,
): TopUpTerms {
  const [perSecond, polling] = [BigInt(targetThroughput), BigInt(pollingSeconds) * SECOND];
  const interval = roundUp(BigInt(minTopupIntervalSeconds) * SECOND, polling);
  const bytes = ceilingOf(perSecond * interval, SECOND);
  if (bytes >= minTopupBytes) return { bytes, intervalMicroseconds: interval };
  const milliseconds = ceilingOf(1000n * minTopupBytes, perSecond);
  const longer = roundUp(milliseconds * MILLISECOND, polling);
  return { bytes: ceilingOf(perSecond * longer, SECOND), intervalMicroseconds: longer };
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function roundUp(value: bigint, step: bigint): bigint {
  return ceilingOf(value, step) * step;
}
