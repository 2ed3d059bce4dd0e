/** Users, from the wire and back. */
import type { User } from "@callsign/api";
import { findUserIdFault, invalidField, isUserId, missingField, needParty } from "../requests/identifiers.ts";
import { readNewAnnotations } from "../resources/object-meta.ts";
import type { StoredUser } from "../store/user-store.ts";

export function readUserId(id: string, field: string): string {
  if (id === "") throw missingField(field);
  if (isUserId(id)) return id;
  throw invalidField(field, findUserIdFault(id));
}

export function readNewUser(given: User, identityProviderId: string): StoredUser {
  const id = readUserId(given.id, "user.id");
  const annotations = readNewAnnotations(given.metadata, "user.metadata");
  const { isDeactivated, primaryPartyAuthentication } = given;
  const primaryParty = given.primaryParty === "" ? "" : needParty(given.primaryParty);
  return {
    id,
    primaryParty,
    isDeactivated,
    identityProviderId,
    primaryPartyAuthentication,
    resourceVersion: 0n,
    annotations,
  };
}

export function formatUser(user: StoredUser): User {
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    metadata: { resourceVersion: `${user.resourceVersion}`, annotations: { ...user.annotations } },
    identityProviderId: user.identityProviderId,
    primaryPartyAuthentication: user.primaryPartyAuthentication,
  };
}
