/** Deadlines, as Daml's standard library checks them: within means strictly before, exceeded at or after. */
import { fail } from "../../engine/failure.ts";
import { formatInstant, type Time } from "../../values/time.ts";

export function requireWithinDeadline(name: string, now: Time, deadline: Time): void {
  if (now < deadline) return;
  const at = formatInstant(deadline);
  fail("stdlib.daml.com/deadline-exceeded", `Ledger time is at or past deadline '${name}' at ${at}`, {
    deadline: at,
  });
}

export function requireDeadlineExceeded(name: string, now: Time, deadline: Time): void {
  if (now >= deadline) return;
  const at = formatInstant(deadline);
  fail(
    "stdlib.daml.com/deadline-not-exceeded",
    `Ledger time is strictly before deadline '${name}' at ${at}`,
    {
      deadline: at,
    },
  );
}
