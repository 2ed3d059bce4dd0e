import type { Incoming } from "./call.ts";
import type { CallerRates } from "./caller-rates.ts";
import { dialectOf } from "./dialect.ts";
import type { MountedApi } from "./mount-api.ts";
import { Refusal } from "./refusal.ts";

/** Counts a call of the user whom the token names, if it names one; throws if it is one too many. */
export function countUser(
  user: string | null,
  { api }: MountedApi,
  incoming: Incoming,
  rates: CallerRates,
): void {
  const retryAfter = rates.countUser(user);
  if (retryAfter !== null) throw new Refusal(dialectOf(api).tooOften(incoming.traceId, retryAfter));
}
