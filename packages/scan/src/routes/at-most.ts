/** Lists of a request that are limited in number. */
import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";

/** Each text once; refused in Splice's words if there are more. */
export function atMost(most: number, field: string, given: readonly string[]): readonly string[] {
  const texts = [...new Set(given)];
  if (texts.length <= most) return texts;
  const text = `Expected '${field}' to contain at most ${most} items, but contained ${texts.length}.`;
  throw new Refusal(spliceError(400, text));
}
