/** A value that changes along an axis: a first one, and later ones each with the key from which it holds. */
import type { RelTime } from "../../rel-time.ts";
import type { IssuanceConfig, IssuanceCurve } from "../declarations/amulet-config.ts";

interface Schedule<K, V> {
  readonly initialValue: V;
  readonly futureValues: readonly { readonly _1: K; readonly _2: V }[];
}

/** The value whose key is the last one at or before the place asked for. */
function valueAsOf<V>({ initialValue, futureValues }: Schedule<RelTime, V>, micros: bigint): V {
  let value = initialValue;
  for (const { _1: from, _2: later } of futureValues) {
    if (micros < from.microseconds) break;
    value = later;
  }
  return value;
}

/** The issuance configuration of a round, by the issuance time it stands for. */
export function issuanceAt(curve: IssuanceCurve, issuingFor: RelTime): IssuanceConfig {
  return valueAsOf(curve, issuingFor.microseconds);
}

export function isValidSchedule<V>(
  { initialValue, futureValues }: Schedule<RelTime, V>,
  isValidValue: (value: V) => boolean,
): boolean {
  let previous: bigint | null = null;
  for (const { _1: from, _2: value } of futureValues) {
    if (!isValidValue(value) || (previous !== null && from.microseconds <= previous)) return false;
    previous = from.microseconds;
  }
  return isValidValue(initialValue);
}
