import type { Row } from "../measure.ts";

/** A part of the benchmark of validators. */
export interface Section {
  readonly rows: readonly Row[];
  readonly note: string;
}
