/** Templates whose active contracts scan finds by a party. The DSO signs all of them but a PrimaryName, which its party signs. */
import {
  type Contract,
  FeaturedAppRight,
  type PartyId,
  type PayloadOf,
  PrimaryName,
  TransferCommandCounter,
  TransferPreapproval,
} from "@callsign/ledger";

export const PARTY_TEMPLATES = [
  FeaturedAppRight,
  TransferPreapproval,
  TransferCommandCounter,
  PrimaryName,
] as const;
export type PartyTemplate = (typeof PARTY_TEMPLATES)[number];

/** Orders the contracts of a party, and of a template. */
interface PartyKey {
  readonly party: string;
  /** In microseconds. */
  readonly rank: bigint;
}

/** Anybody may create contracts that name a DSO of their own. */
export function belongsToDso(
  { templateId, signatories, value }: { templateId: string; signatories: readonly PartyId[]; value: unknown },
  dso: PartyId,
): boolean {
  return templateId === PrimaryName.id ? (value as PrimaryName).dso === dso : signatories.includes(dso);
}

/** The rank is the time of creation; for a preapproval, the time from which it is valid. Null for other templates. */
export function partyKeyOf({ templateId, createdAt }: Contract, value: unknown): PartyKey | null {
  switch (templateId) {
    case FeaturedAppRight.id:
      return { party: (value as PayloadOf<typeof FeaturedAppRight>).provider, rank: createdAt };
    case TransferCommandCounter.id:
      return { party: (value as TransferCommandCounter).sender, rank: createdAt };
    case TransferPreapproval.id: {
      const { receiver, validFrom } = value as TransferPreapproval;
      return { party: receiver, rank: validFrom };
    }
    case PrimaryName.id:
      return { party: (value as PrimaryName).user, rank: createdAt };
    default:
      return null;
  }
}
