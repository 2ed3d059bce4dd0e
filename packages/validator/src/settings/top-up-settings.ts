/** The traffic that a validator buys for its participant, and the checks of Splice on it. */
import { POLLING_SECONDS, RESERVED_BYTES } from "../limits/limits.ts";
import type { SettingFinding } from "./setting-finding.ts";

export interface TopUpConfig {
  /** In bytes a second; nothing is bought for 0. */
  readonly targetThroughput: number;
  /** From one purchase to the next. */
  readonly minTopupIntervalSeconds: number;
  /** Operations of low priority are refused while no more bought traffic than this is left; 200,000 bytes if omitted. */
  readonly reservedTraffic?: number;
}

/** Undefined if nothing is to be bought: an SV's validator has traffic for free, and without a wallet there is no coin. */
export function usedTopUp(config: {
  readonly topup?: TopUpConfig;
  readonly enableWallet?: boolean;
  readonly svValidator?: boolean;
}): TopUpConfig | undefined {
  const { topup, enableWallet = true, svValidator = false } = config;
  return topup?.targetThroughput === 0 || !enableWallet || svValidator ? undefined : topup;
}

export function reservedBytes({ reservedTraffic }: TopUpConfig): bigint {
  return reservedTraffic === undefined ? RESERVED_BYTES : BigInt(reservedTraffic);
}

export function findTopUpProblems(config: TopUpConfig | undefined): readonly SettingFinding[] {
  if (config === undefined) return [];
  const { targetThroughput, minTopupIntervalSeconds, reservedTraffic = Number(RESERVED_BYTES) } = config;
  const numbers = [
    ["topup.targetThroughput", targetThroughput],
    ["topup.minTopupIntervalSeconds", minTopupIntervalSeconds],
    ["topup.reservedTraffic", reservedTraffic],
  ] as const;
  const findings: SettingFinding[] = numbers
    .filter(([, value]) => !Number.isSafeInteger(value) || value < 0)
    .map(([key, value]) => ({
      ...{ key, value: String(value) },
      problem: `${value} is not allowed`,
      fix: "give a whole number that is not negative",
    }));
  if (findings.length > 0 || targetThroughput === 0) return findings;
  if (minTopupIntervalSeconds < POLLING_SECONDS)
    findings.push({
      key: "topup.minTopupIntervalSeconds",
      value: String(minTopupIntervalSeconds),
      problem: `${minTopupIntervalSeconds} is too short`,
      fix: `give ${POLLING_SECONDS} seconds or more`,
    });
  const bytes = BigInt(targetThroughput) * BigInt(minTopupIntervalSeconds);
  if (bytes <= reservedBytes(config))
    findings.push({
      key: "topup.targetThroughput",
      value: String(targetThroughput),
      problem:
        `${targetThroughput} bytes a second for ${minTopupIntervalSeconds} s are ${bytes} bytes, and more than ` +
        `the ${reservedBytes(config)} of reserved traffic are needed`,
      fix: "give more of either, or 0 to buy nothing",
    });
  return findings;
}
