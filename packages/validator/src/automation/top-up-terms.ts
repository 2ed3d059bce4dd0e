/**
 * The amount of traffic that a top-up buys, and the least time it has to last. The operator sets the throughput and the
 * interval; the network's least purchase may make purchases larger and rarer.
 */
import { SECOND } from "@callsign/ledger";
import { POLLING_SECONDS, RESERVED_BYTES } from "../limits/limits.ts";

export interface TopUpConfig {
  /** In bytes a second; nothing is bought for 0. */
  readonly targetThroughput: number;
  /** From one purchase to the next. */
  readonly minTopupIntervalSeconds: number;
  /** The migration of the network that traffic is bought for; 0 unless given. */
  readonly migrationId?: bigint;
}

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

/** Undefined if nothing is to be bought. */
export function checkTopUp(config: TopUpConfig | undefined): TopUpConfig | undefined {
  if (config === undefined) return undefined;
  const { targetThroughput, minTopupIntervalSeconds } = config;
  const [throughput, interval] = ["topup.targetThroughput", "topup.minTopupIntervalSeconds"];
  checkWhole(throughput, targetThroughput);
  checkWhole(interval, minTopupIntervalSeconds);
  if (targetThroughput === 0) return undefined;
  if (minTopupIntervalSeconds < POLLING_SECONDS) {
    const text = `${minTopupIntervalSeconds} is too short: give ${POLLING_SECONDS} seconds or more`;
    throw new Error(`${interval}: ${text}`);
  }
  const bytes = BigInt(targetThroughput) * BigInt(minTopupIntervalSeconds);
  if (bytes > RESERVED_BYTES) return config;
  throw new Error(
    `${throughput}: ${targetThroughput} bytes a second for ${minTopupIntervalSeconds} seconds are ${bytes} bytes, ` +
      `and more than ${RESERVED_BYTES} are needed: give more of either, or 0 to buy nothing`,
  );
}

function checkWhole(key: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new Error(`${key}: ${value} is not allowed; give a whole number that is not negative`);
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function roundUp(value: bigint, step: bigint): bigint {
  return ceilingOf(value, step) * step;
}
