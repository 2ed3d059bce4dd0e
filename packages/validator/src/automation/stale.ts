/** What an attempt finds to be done already, or not to be done any more. */
import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";

export function stale(what: string): Refusal {
  return new Refusal(spliceError(404, `${what}: nothing is left to be done`));
}
