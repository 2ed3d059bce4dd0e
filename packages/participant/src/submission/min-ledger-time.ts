/** The earliest ledger time of a submission: absolute, or relative to the network's time when it is sent. */
import type { Commands } from "@callsign/api";
import { isTimeMicros, parseTime, SECOND, type Time } from "@callsign/ledger";
import { invalidArgument, invalidField } from "../requests/identifiers.ts";
import { readDuration } from "../requests/read-duration.ts";

export type MinLedgerTime =
  | { readonly kind: "none" }
  | { readonly kind: "at"; readonly time: Time }
  | { readonly kind: "after"; readonly microseconds: bigint };

export function readMinLedgerTime({
  minLedgerTimeAbs: at,
  minLedgerTimeRel: after,
}: Pick<Commands, "minLedgerTimeAbs" | "minLedgerTimeRel">): MinLedgerTime {
  if (at !== null && after !== null) {
    throw invalidArgument("min_ledger_time_abs cannot be specified when min_ledger_time_rel is specified");
  }
  if (after !== null) return { kind: "after", microseconds: readDuration(after, "min_ledger_time_rel") };
  if (at === null) return { kind: "none" };
  const time = parseTime(at);
  if (!time.ok) throw invalidField("min_ledger_time_abs", time.error);
  return { kind: "at", time: time.value };
}

export function resolveMinLedgerTime(given: MinLedgerTime, now: Time): Time | null {
  switch (given.kind) {
    case "none":
      return null;
    case "at":
      return given.time;
    case "after": {
      const time = now + given.microseconds;
      if (isTimeMicros(time)) return time;
      const seconds = given.microseconds / SECOND;
      throw invalidField("min_ledger_time_rel", `${seconds} seconds from now lie beyond the year 9999`);
    }
  }
}
