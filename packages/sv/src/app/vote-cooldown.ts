/** The pause between two votes of an SV on one matter, which the ledger asks for. */
import { addDuration, formatInstant, type Time } from "@callsign/ledger";
import { DEFAULT_VOTE_COOLDOWN } from "../limits/limits.ts";
import { getDsoRules, type SvApp } from "./sv-app.ts";
import { invalidRequest } from "./sv-app-error.ts";

/** Throws a refusal that names the time from which the SV may vote again. */
export function checkVoteCooldown(app: SvApp, votedAt: Time): void {
  const { voteCooldownTime } = getDsoRules(app).payload.config;
  const nextAllowed = addDuration(votedAt, voteCooldownTime?.microseconds ?? DEFAULT_VOTE_COOLDOWN);
  if (app.now() >= nextAllowed) return;
  throw invalidRequest(
    `This SV has voted at ${formatInstant(votedAt)}, and may vote again at ${formatInstant(nextAllowed)}: send the vote then`,
  );
}
