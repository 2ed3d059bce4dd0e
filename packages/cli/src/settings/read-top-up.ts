/** How much traffic a validator buys. */
import type { TopUpConfig } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

/** The interval at which automations look, and the bytes that a purchase must exceed. */
const POLLING_SECONDS = 30;
const RESERVED_BYTES = 200_000;

/** Undefined if nothing is bought. */
export function readTopUp(reader: KeyReader): TopUpConfig | undefined {
  const [throughput, interval] = ["topup.targetThroughput", "topup.minTopupInterval"];
  const [targetThroughput, seconds] = [reader.number(throughput), reader.number(interval)];
  const isEnabled = reader.flag("topup.enabled") ?? targetThroughput !== undefined;
  if (!isEnabled || targetThroughput === 0) return undefined;
  const fix = "Give it beside topup.enabled: true, or set topup.enabled to false";
  if (targetThroughput === undefined) reader.require(throughput, fix);
  if (seconds === undefined) reader.require(interval, fix);
  if (targetThroughput === undefined || seconds === undefined) return undefined;
  if (!Number.isInteger(seconds))
    return reader.refuse(interval, "is no whole number of seconds", "Give whole seconds");
  if (seconds < POLLING_SECONDS) {
    return reader.refuse(
      interval,
      `is shorter than ${POLLING_SECONDS} seconds, the interval at which automations look`,
      `Give ${POLLING_SECONDS}s or more`,
    );
  }
  const reserved = reader.number("topup.reservedTraffic") ?? RESERVED_BYTES;
  const bytes = targetThroughput * seconds;
  if (bytes <= reserved) {
    const problem = `times ${seconds} seconds is ${bytes} bytes, and a purchase must exceed the ${reserved} bytes of reserved traffic`;
    return reader.refuse(
      throughput,
      problem,
      "Raise the throughput or the interval, or set 0 to buy nothing",
    );
  }
  return { targetThroughput, minTopupIntervalSeconds: seconds, reservedTraffic: reserved };
}
