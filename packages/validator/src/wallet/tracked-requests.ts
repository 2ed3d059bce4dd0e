/** Requests that their user follows by a tracking id: what offers and traffic requests have in common. */
import { formatTime, type Time } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { TrackedKind, TrackedOutcomes } from "../history/tracked-outcomes.ts";
import type { OnceOnly } from "./once-only.ts";
import { invalid } from "./request-fields.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export interface TrackedParts extends WalletParts {
  readonly once: OnceOnly;
  readonly history: TrackedOutcomes;
}

export interface NewRequest {
  readonly party: string;
  readonly kind: TrackedKind;
  /** As it begins a refusal. */
  readonly what: string;
  readonly trackingId: string;
  readonly expiresAt: Time;
}

/** Throws if the tracking id was used before, or if nobody could answer the request any more. */
export async function checkNewRequest(
  { history, facts, clock }: TrackedParts,
  { party, kind, what, trackingId: id, expiresAt }: NewRequest,
): Promise<void> {
  if ((await history.find(party, kind, id)) !== undefined)
    throw new ValidatorError({ kind: "id-in-use", what, id });
  await facts.refreshTime();
  if (expiresAt > clock.now) return;
  const [given, now] = [formatTime(expiresAt), formatTime(clock.now)];
  throw invalid(`expires_at: ${given} is over; the ledger's time is ${now}. Choose a later time.`);
}
