/** The traffic that a validator buys. */
import type { TopUpConfig } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

const [ENABLED, THROUGHPUT, INTERVAL, RESERVED] = [
  "topup.enabled",
  "topup.targetThroughput",
  "topup.minTopupInterval",
  "topup.reservedTraffic",
] as const;

/** Undefined if nothing is bought. */
export function readTopUp(reader: KeyReader): TopUpConfig | undefined {
  const [targetThroughput, seconds] = [reader.number(THROUGHPUT), reader.number(INTERVAL)];
  const isEnabled = reader.flag(ENABLED) ?? targetThroughput !== undefined;
  if (!isEnabled || targetThroughput === 0) return undefined;
  const fix = "Give it beside topup.enabled: true, or set topup.enabled to false";
  if (targetThroughput === undefined) reader.require(THROUGHPUT, fix);
  if (seconds === undefined) reader.require(INTERVAL, fix);
  if (targetThroughput === undefined || seconds === undefined) return undefined;
  const reservedTraffic = reader.number(RESERVED);
  return {
    targetThroughput,
    minTopupIntervalSeconds: seconds,
    ...(reservedTraffic === undefined ? {} : { reservedTraffic }),
  };
}
