/** Requests that their user follows by a tracking id: the checks that offers and traffic requests share. */
import { formatTime, type PartyId, type Time } from "@callsign/ledger";
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
  /** The thing and the name of its id, as they begin a refusal. */
  readonly what: string;
  readonly trackingId: string;
  readonly expiresAt: Time;
}

/** Throws if the tracking id was used before, or if nobody could answer the request any more. */
export async function checkNewRequest(
  parts: TrackedParts,
  { party, kind, what, trackingId: id, expiresAt }: NewRequest,
): Promise<void> {
  if ((await parts.history.find(party, kind, id)) !== undefined)
    throw new ValidatorError({ kind: "id-in-use", what, id });
  await requireAhead(parts, "expires_at", expiresAt);
}

/** Throws unless the ledger's time has yet to reach that of the field. */
export async function requireAhead(
  { facts, clock }: Pick<WalletParts, "facts" | "clock">,
  field: string,
  time: Time,
): Promise<void> {
  await facts.refreshTime();
  if (time > clock.now) return;
  const [given, now] = [formatTime(time), formatTime(clock.now)];
  throw invalid(`${field}: ${given} is over; the ledger's time is ${now}. Choose a later time.`);
}

/** Throws unless a participant of the network hosts the party. */
export async function requireHosted({ facts }: Pick<WalletParts, "facts">, party: PartyId): Promise<void> {
  if (!(await facts.isHosted(party))) throw new ValidatorError({ kind: "party-not-hosted", party });
}
