/** Deadlines: within means strictly before, exceeded means at or after. */
import { requireThat } from "../../engine/failure.ts";
import type { Time } from "../../values/time.ts";

export function requireWithinDeadline(label: string, now: Time, deadline: Time): void {
  requireThat(`Ledger time is before deadline ${label}`, now < deadline);
}

export function requireDeadlineExceeded(label: string, now: Time, deadline: Time): void {
  requireThat(`Ledger time is at or after deadline ${label}`, now >= deadline);
}
