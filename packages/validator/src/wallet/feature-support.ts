/** The features of the network's packages: those of the version whose contracts this validator knows. */
import { type PartyId, TransferPreapproval } from "@callsign/ledger";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";

export interface FeatureParts {
  readonly participant: ParticipantClient;
  readonly dso: PartyId;
}

/** That version has the token standard, and descriptions in transfers by preapproval. */
export async function findSupportedFeatures({ participant, dso }: FeatureParts) {
  const { id, name } = TransferPreapproval.package;
  const query = { parties: [dso], "package-name": name };
  const { packagePreference } = await participant.client
    .getPreferredPackageVersion({ query })
    .catch((error: unknown) => {
      throw toValidatorError(error);
    });
  const isSupported = packagePreference?.packageReference.packageId === id;
  return { token_standard: isSupported, transfer_preapproval_description: isSupported };
}
