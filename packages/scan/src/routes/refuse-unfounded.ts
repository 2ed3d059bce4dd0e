import { unexpectedError } from "@callsign/api";
import { Refusal } from "@callsign/node";

/** Before the network is founded it has no DSO. */
export function refuseUnfounded(): never {
  throw new Refusal(unexpectedError());
}
