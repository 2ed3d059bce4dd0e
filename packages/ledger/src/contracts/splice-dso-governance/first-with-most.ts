/** The first of those that a measure finds largest, as Daml's `maximumOn` picks. */
import { abort } from "../../engine/failure.ts";

export function firstWithMost<T>(values: readonly T[], measure: (value: T) => bigint): T {
  const [first, ...others] = values;
  if (first === undefined) abort("maximumOn: empty list");
  return others.reduce((most, value) => (measure(value) > measure(most) ? value : most), first);
}
