/** Contracts of the onboarding of validators, as a replica hands them to its consumers. */
import {
  type Contract,
  type ContractId,
  type PartyId,
  type Time,
  timeFromMicros,
  UsedSecret,
  ValidatorOnboarding,
} from "@callsign/ledger";

/** Made at five microseconds. */
function contract(id: string, templateId: string, payload: string): Contract {
  return { contractId: id as ContractId, templateId, payload, createdAt: timeFromMicros(5n) };
}

export interface MadeSecret {
  readonly sv: PartyId;
  readonly secret: string;
}

export function preparedSecret(
  id: string,
  { sv, secret, expiresAt = 10n }: MadeSecret & { readonly expiresAt?: bigint },
): Contract {
  const payload = { sv, candidateSecret: secret, expiresAt: expiresAt as Time };
  return contract(id, ValidatorOnboarding.id, ValidatorOnboarding.record.encode(payload));
}

export function usedSecret(id: string, made: MadeSecret & { readonly validator: PartyId }): Contract {
  return contract(id, UsedSecret.id, UsedSecret.record.encode(made));
}
