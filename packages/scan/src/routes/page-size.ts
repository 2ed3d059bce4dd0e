import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";
import { MAX_LISTED } from "../limits/limits.ts";

/** Throws a refusal of Splice's, unless an answer may have so many. */
export function checkPageSize(size: number): void {
  if (size < 1) throw new Refusal(spliceError(400, "Limit must be at least 1."));
  if (size > MAX_LISTED)
    throw new Refusal(spliceError(400, `Exceeded limit maximum (${size} > ${MAX_LISTED}).`));
}
