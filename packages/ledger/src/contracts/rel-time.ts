/** DA.Time's RelTime: a span of time in microseconds, wrapped in a record. */
import type { ValueOf } from "../daml/daml-type.ts";
import { record } from "../daml/record.ts";
import { int64 } from "../daml/scalars.ts";
import { int64 as checkedInt64 } from "../values/int64.ts";

export const RelTime = record("RelTime", { microseconds: int64 });
export type RelTime = ValueOf<typeof RelTime>;

export function relTime(microseconds: bigint): RelTime {
  return { microseconds: checkedInt64(microseconds) };
}
