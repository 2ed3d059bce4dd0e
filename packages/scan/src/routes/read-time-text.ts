import { spliceError } from "@callsign/api";
import { parseTime, type Time } from "@callsign/ledger";
import { Refusal } from "@callsign/node";

/** Throws a refusal that names the field or header, if the text is no time. */
export function readTimeText(field: string, given: string): Time {
  const time = parseTime(given);
  if (time.ok) return time.value;
  throw new Refusal(spliceError(400, `${field}: ${time.error}`));
}
