/** Rights of the participant's users: which parties a user acts and reads as. */
import type { Right } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import type { ParticipantClient } from "./participant-client.ts";

export function canActAs(party: PartyId): Right {
  return { kind: { CanActAs: { value: { party } } } };
}

export function canReadAs(party: PartyId): Right {
  return { kind: { CanReadAs: { value: { party } } } };
}

export const canReadAsAnyParty: Right = { kind: { CanReadAsAnyParty: { value: {} } } };

/** Granting a right again does nothing. */
export async function grantRight({ client }: ParticipantClient, userId: string, right: Right): Promise<void> {
  await client.grantUserRights({ params: { "user-id": userId }, body: { userId, rights: [right] } });
}

export interface GrantedParties {
  readonly actAs: ReadonlySet<string>;
  readonly readAs: ReadonlySet<string>;
}

/** The parties as which a user may act, and the parties as which it may read only. */
export async function listGranted({ client }: ParticipantClient, userId: string): Promise<GrantedParties> {
  const { rights } = await client.listUserRights({ params: { "user-id": userId } });
  return {
    actAs: new Set(rights.flatMap(({ kind }) => ("CanActAs" in kind ? [kind.CanActAs.value.party] : []))),
    readAs: new Set(rights.flatMap(({ kind }) => ("CanReadAs" in kind ? [kind.CanReadAs.value.party] : []))),
  };
}
