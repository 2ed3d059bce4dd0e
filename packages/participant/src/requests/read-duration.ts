import { SECOND } from "@callsign/ledger";
import { invalidField } from "./identifiers.ts";

/** A protobuf duration in microseconds. */
export function readDuration(
  { seconds, nanos }: { readonly seconds: number; readonly nanos: number },
  field: string,
): bigint {
  const microseconds = BigInt(seconds) * SECOND + BigInt(Math.trunc(nanos / 1000));
  if (microseconds < 0n) throw invalidField(field, "Duration must be positive");
  return microseconds;
}
