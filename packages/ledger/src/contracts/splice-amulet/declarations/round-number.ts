/** Splice.Types: the round record that contracts carry. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { int64 } from "../../../daml/scalars.ts";

export const Round = record("Round", { number: int64 });
export type Round = ValueOf<typeof Round>;
