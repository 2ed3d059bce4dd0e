/**
 * The party of a user, in the participant's own namespace. A party that is created for a user carries the user's name as
 * an annotation: so a call that was cut off finds its party again, and nobody takes over a party of another purpose that
 * begins with the same text (decision 0047).
 */
import { type PartyId, parsePartyId } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { findLocalParty } from "../ledger/local-party.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { readParty } from "../ledger/read-party.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";

const CREATED_FOR = "callsign/created-for-user";

export interface FoundParty {
  readonly party: PartyId;
  /** The user for whom the validator created it; null for a party of another origin. */
  readonly createdFor: string | null;
}

/**
 * Splice's rule: letters, digits, `:`, `-` and spaces stay, `_` is doubled, any other character becomes `_` and its code in
 * four hex digits. No two names have the same hint.
 */
export function formatPartyHint(userName: string): string {
  return userName.replace(/[^a-zA-Z0-9:\- ]/g, (character) =>
    character === "_" ? "__" : `_${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Finds the party of that hint, or allocates it. */
export async function findOrAllocateParty(
  participant: ParticipantClient,
  hint: string,
  userName: string,
): Promise<FoundParty> {
  const namespace = (await participant.participantId()).split("::").at(-1);
  const id = parsePartyId(`${hint}::${namespace}`);
  if (!id.ok) throw new ValidatorError({ kind: "invalid-request", text: id.error });
  try {
    // First of all: it also ends an allocation that was cut off.
    const localMetadata = { annotations: { [CREATED_FOR]: userName } };
    const { partyDetails } = await participant.client.allocateParty({
      body: { partyIdHint: hint, localMetadata },
    });
    return { party: readParty(partyDetails.party), createdFor: userName };
  } catch (error) {
    const found =
      ledgerErrorOf(error) === undefined ? undefined : await findHostedParty(participant, id.value);
    if (found === undefined) throw error;
    return found;
  }
}

/** Undefined unless the participant hosts it. */
export async function findHostedParty(
  participant: ParticipantClient,
  party: PartyId,
): Promise<FoundParty | undefined> {
  const found = await findLocalParty(participant, party);
  if (found === undefined) return undefined;
  return { party, createdFor: found.localMetadata?.annotations[CREATED_FOR] ?? null };
}
