/** PATCH of a user: the checks in Canton's order, then the change in one transaction. */
import type { ledgerApi, ServerRequest } from "@callsign/api";
import { invalidArgument, missingField, needParty } from "../requests/identifiers.ts";
import { changeMetadata, readChange } from "../resources/object-meta.ts";
import { parseUpdateMask } from "../resources/update-mask.ts";
import { checkIdentityProvider, type IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { StoredUser, UserStore } from "../store/user-store.ts";
import { readUserId } from "./read-user.ts";
import { needUserOf, userFailure } from "./user-failures.ts";

type UpdateRequest = ServerRequest<typeof ledgerApi.endpoints.updateUser>["body"];

const FIELDS = [
  "id",
  "primary_party",
  "is_deactivated",
  "metadata.annotations",
  "metadata.resource_version",
  "identity_provider_id",
  "primary_party_authentication",
];

export interface UserUpdate {
  readonly request: UpdateRequest;
  readonly identityProviderId: string;
  /** Null where there is no token. */
  readonly callerId: string | null;
}

export async function updateUser(
  { users, providers }: { readonly users: UserStore; readonly providers: IdentityProviderStore },
  { request, identityProviderId, callerId }: UserUpdate,
): Promise<StoredUser> {
  const given = request.user;
  if (given === null) throw missingField("user");
  const id = readUserId(given.id, "user.id");
  if (request.updateMask === null) throw missingField("update_mask");
  const primaryParty = given.primaryParty === "" ? "" : needParty(given.primaryParty);
  const { version, annotations } = readChange(given.metadata, {
    field: "user.metadata",
    versionField: "user.metadata.resource_version",
  });
  const read = parseUpdateMask(request.updateMask.paths, FIELDS);
  if (!read.ok) {
    const cause = `Update operation for user id '${id}' failed due to: ${read.error}`;
    throw userFailure("INVALID_USER_UPDATE_REQUEST", id, cause);
  }
  const has = read.value;
  await checkIdentityProvider(providers, identityProviderId);
  if (id === callerId && has("is_deactivated") && given.isDeactivated) {
    throw invalidArgument("users cannot deactivate themselves: another administrator can");
  }
  const need = needUserOf(id, identityProviderId);
  return users.update(id, (present) => {
    const user = need(present);
    const change = { version, annotations: has("metadata.annotations") ? annotations : {} };
    return {
      ...user,
      ...changeMetadata("user", id, user, change),
      ...(has("primary_party") ? { primaryParty } : {}),
      ...(has("is_deactivated") ? { isDeactivated: given.isDeactivated } : {}),
      ...(has("primary_party_authentication")
        ? { primaryPartyAuthentication: given.primaryPartyAuthentication }
        : {}),
    };
  });
}
