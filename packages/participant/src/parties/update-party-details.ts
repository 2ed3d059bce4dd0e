/** PATCH of a party's details: the checks in Canton's order, then the change in one transaction. */
import type { ledgerApi, PartyDetails, ServerRequest } from "@callsign/api";
import { failWith, missingField, needParty, permissionDenied } from "../requests/identifiers.ts";
import { type Annotations, mergeAnnotations } from "../resources/annotations.ts";
import { changeMetadata, readChange } from "../resources/object-meta.ts";
import { parseUpdateMask, type UpdateMask } from "../resources/update-mask.ts";
import { checkIdentityProvider, type IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { KnownParty, PartyRecord, PartyStore } from "../store/party-store.ts";

type UpdateRequest = ServerRequest<typeof ledgerApi.endpoints.updatePartyDetails>["body"];

const FIELDS = [
  "party",
  "is_local",
  "local_metadata.annotations",
  "local_metadata.resource_version",
  "identity_provider_id",
];

export async function updatePartyDetails(
  { parties, providers }: { readonly parties: PartyStore; readonly providers: IdentityProviderStore },
  request: UpdateRequest,
  identityProviderId: string,
): Promise<PartyDetails> {
  const details = request.partyDetails;
  if (details === null) throw missingField("party_details");
  const party = needParty(details.party);
  const { version, annotations } = readChange(details.localMetadata, {
    field: "party_details.local_metadata",
    versionField: "party_details.local_metadata",
  });
  if (request.updateMask === null) throw missingField("update_mask");
  await checkIdentityProvider(providers, identityProviderId);
  const read = parseUpdateMask(request.updateMask.paths, FIELDS);
  if (!read.ok) refuseUpdate(party, read.error);
  const { isLocal } = details;
  const change = { party, has: read.value, isLocal, annotations, version, identityProviderId };
  const changed = await parties.update(party, (known) => changeRecord({ ...change, known }));
  if (changed === undefined) notFound(party);
  return formatPartyDetails(changed);
}

export function formatPartyDetails({ party, isLocal, record }: KnownParty): PartyDetails {
  return {
    party,
    isLocal,
    localMetadata: {
      resourceVersion: record === null ? "" : `${record.resourceVersion}`,
      annotations: { ...record?.annotations },
    },
    identityProviderId: record?.identityProviderId ?? "",
  };
}

interface Change {
  readonly party: string;
  readonly known: KnownParty | undefined;
  readonly has: UpdateMask;
  readonly isLocal: boolean;
  readonly annotations: Annotations;
  readonly version: bigint | null;
  readonly identityProviderId: string;
}

function changeRecord(change: Change): PartyRecord {
  const { party, known, has, isLocal, annotations, version, identityProviderId } = change;
  if (known === undefined) notFound(party);
  if (has("is_local") && isLocal !== known.isLocal) {
    refuseUpdate(party, "The update request attempted to modify not-modifiable 'is_local' attribute");
  }
  const taken = has("local_metadata.annotations") ? annotations : {};
  const { record } = known;
  if (record === null && !known.isLocal) notFound(party);
  // Without a record, a party belongs to the default identity provider: the first writer must not take it over.
  if ((record?.identityProviderId ?? "") !== identityProviderId)
    throw permissionDenied("the party belongs to another identity provider");
  if (record === null) {
    // Without a record there is no version to compare.
    return { identityProviderId, resourceVersion: 0n, annotations: mergeAnnotations({}, taken) };
  }
  return { ...record, ...changeMetadata("party", party, record, { version, annotations: taken }) };
}

function notFound(party: string): never {
  const cause = `Party: '${party}' was not found when updating a party record`;
  return failWith("PARTY_NOT_FOUND", cause, { resources: [["PARTY", party]] });
}

function refuseUpdate(party: string, reason: string): never {
  const cause = `Update operation for party '${party}' failed due to: ${reason}`;
  return failWith("INVALID_PARTY_DETAILS_UPDATE_REQUEST", cause, { resources: [["PARTY", party]] });
}
