/** The pause between two votes of an SV on one matter, which the ledger asks for. */
import { addDuration, formatInstant, type Time, voteCooldown } from "@callsign/ledger";
import { getDsoRules, type SvApp } from "./sv-app.ts";
import { invalidRequest } from "./sv-app-error.ts";

/** Throws a refusal that names the time from which the SV may vote again. */
export function checkVoteCooldown(app: SvApp, votedAt: Time): void {
  const nextAllowed = addDuration(votedAt, voteCooldown(getDsoRules(app).payload.config));
  if (app.now() >= nextAllowed) return;
  throw invalidRequest(
    `This SV has voted at ${formatInstant(votedAt)}, and may vote again at ${formatInstant(nextAllowed)}: send the vote then`,
  );
}
