/** The founding of a network: one entry, signed by every key of every founding SV. */
import {
  draftFounding,
  type Envelope,
  type FoundingSvTerms,
  type FoundingTerms,
  type PartyId,
  parsePartyId,
} from "@callsign/ledger";
import { type MemberIdentity, sha256, signEntry } from "@callsign/node";

/** An SV's identity, and what it wants to be called. */
export interface FoundingMember extends Pick<FoundingSvTerms, "name" | "partyHint" | "rewardWeight"> {
  readonly identity: MemberIdentity;
}

export interface NetworkFounding extends Omit<FoundingTerms, "svs"> {
  readonly svs: readonly FoundingMember[];
}

/** The first entry of a log. */
export function signFounding(founding: NetworkFounding): Envelope {
  const keys = founding.svs.flatMap(({ identity }) => [identity.namespaceKey, identity.signingKey]);
  const svs = founding.svs.map(({ identity, ...wishes }) => ({
    ...wishes,
    nodeIdentifier: identity.nodeIdentifier,
    namespaceKey: identity.namespaceKey.publicKey,
    signingKeys: [identity.signingKey.publicKey],
  }));
  return signEntry({ tag: "FoundNetwork", value: draftFounding(sha256, { ...founding, svs }) }, keys);
}

/** The party that an SV acts as. */
export function svPartyOf({ identity, partyHint = identity.nodeIdentifier }: FoundingMember): PartyId {
  const party = parsePartyId(`${partyHint}::${identity.namespace}`);
  if (party.ok) return party.value;
  throw new Error(`the party of SV ${identity.nodeIdentifier} cannot be named: ${party.error}`);
}
