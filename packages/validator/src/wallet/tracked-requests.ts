/** Requests that their user follows by a tracking id: what offers and traffic requests have in common. */
import { formatTime, type Time } from "@callsign/ledger";
import type { OnceOnly } from "./once-only.ts";
import { invalid } from "./request-fields.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export interface TrackedParts extends WalletParts {
  readonly once: OnceOnly;
}

export interface NewRequest {
  readonly expiresAt: Time;
}

/** Throws if nobody could answer the request any more. */
export async function checkNewRequest(
  { facts, clock }: TrackedParts,
  { expiresAt }: NewRequest,
): Promise<void> {
  await facts.refreshTime();
  if (expiresAt > clock.now) return;
  const [given, now] = [formatTime(expiresAt), formatTime(clock.now)];
  throw invalid(`expires_at: ${given} is over; the ledger's time is ${now}. Choose a later time.`);
}
