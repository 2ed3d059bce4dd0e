/** Changes of the coin's configuration, field by field. */
import { RelTime } from "../../rel-time.ts";
import { AmuletConfig, IssuanceConfig, type IssuanceCurve } from "../declarations/amulet-config.ts";
import { type Patch, patchFields, patchMap, patchOf, patchRecord } from "./patch.ts";

/** The curve's later segments are told apart by the time from which they hold. */
const patchSegment = patchOf(IssuanceConfig);
const patchSegments = patchMap(RelTime, patchSegment);
const patchIssuanceCurve: Patch<IssuanceCurve> = (next, base, current) => {
  const segments = ({ futureValues }: IssuanceCurve) => futureValues.map(({ _1, _2 }) => [_1, _2] as const);
  const futureValues = patchSegments(segments(next), segments(base), segments(current));
  return {
    initialValue: patchSegment(next.initialValue, base.initialValue, current.initialValue),
    futureValues: futureValues.map(([_1, _2]) => ({ _1, _2 })),
  };
};

export const patchAmuletConfig: Patch<AmuletConfig> = patchRecord({
  ...patchFields(AmuletConfig.fields),
  issuanceCurve: patchIssuanceCurve,
});
