/** Users of the participant and their rights. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32Parameter } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, FieldMask, ObjectMeta, string } from "./proto.ts";

export const User = z
  .object({
    id: string,
    primaryParty: string,
    isDeactivated: boolean,
    metadata: orNull(ObjectMeta),
    identityProviderId: string,
    primaryPartyAuthentication: boolean,
  })
  .meta({ id: "User" });
export type User = z.output<typeof User>;

const party = value(z.object({ party: string }));
const flag = value(nothing);

export const Right = z
  .object({
    kind: oneOf({
      CanActAs: party,
      CanReadAs: party,
      CanExecuteAs: party,
      CanReadAsAnyParty: flag,
      CanExecuteAsAnyParty: flag,
      ParticipantAdmin: flag,
      IdentityProviderAdmin: flag,
      Empty: nothing,
    }).default({ Empty: {} }),
  })
  .meta({ id: "Right" });
export type Right = z.output<typeof Right>;

const rights = z.array(Right).default([]);
const changeOfRights = z.object({ userId: string, rights, identityProviderId: string });
const params = z.object({ "user-id": z.string() });

export const ledgerUsers = defineEndpoints({ tags: ["users"] })({
  listUsers: {
    method: "GET",
    path: "/v2/users",
    summary: "Users of the caller's identity provider, a page at a time, ordered by their ids",
    auth: "ledger:admin-or-idp-admin",
    query: z.object({
      /** 0, or more than the server allows: as many as it allows. */
      pageSize: int32Parameter.default(0),
      pageToken: z.string().default(""),
    }),
    success: json(z.object({ users: z.array(User).default([]), nextPageToken: string })),
    errors: [400, 401, 403],
  },
  createUser: {
    method: "POST",
    path: "/v2/users",
    summary: "Makes a user, with rights",
    auth: "ledger:grant-rights",
    body: z.object({ user: orNull(User), rights }).meta({ id: "CreateUserRequest", required: ["user"] }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403, 404, 409],
  },
  getUser: {
    method: "GET",
    path: "/v2/users/{user-id}",
    summary: "One user",
    auth: "ledger:admin-or-idp-admin-or-self",
    params,
    query: z.object({ "identity-provider-id": z.string().default("") }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403, 404],
  },
  updateUser: {
    method: "PATCH",
    path: "/v2/users/{user-id}",
    summary: "Changes a user, as the update mask selects",
    auth: "ledger:admin-or-idp-admin",
    params,
    body: z
      .object({ user: orNull(User), updateMask: orNull(FieldMask) })
      .meta({ id: "UpdateUserRequest", required: ["user", "updateMask"] }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403, 404, 409],
  },
  deleteUser: {
    method: "DELETE",
    path: "/v2/users/{user-id}",
    summary: "Deletes a user of the caller's identity provider, with all rights",
    auth: "ledger:admin-or-idp-admin",
    params,
    success: json(nothing),
    errors: [400, 401, 403, 404],
  },
  updateUserIdentityProviderId: {
    method: "PATCH",
    path: "/v2/users/{user-id}/identity-provider-id",
    summary: "Moves a user from one identity provider to another",
    auth: "ledger:admin",
    params,
    body: z
      .object({ userId: string, sourceIdentityProviderId: string, targetIdentityProviderId: string })
      .meta({ id: "UpdateUserIdentityProviderIdRequest", required: ["userId"] }),
    success: json(nothing),
    errors: [400, 401, 403, 404],
  },
  getAuthenticatedUser: {
    method: "GET",
    path: "/v2/authenticated-user",
    summary: "The user of the caller's token",
    auth: "ledger:public",
    query: z.object({ "identity-provider-id": z.string().default("") }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403],
  },
  listUserRights: {
    method: "GET",
    path: "/v2/users/{user-id}/rights",
    summary: "The rights of a user",
    auth: "ledger:admin-or-idp-admin-or-self",
    params,
    success: json(z.object({ rights })),
    errors: [400, 401, 403, 404],
  },
  grantUserRights: {
    method: "POST",
    path: "/v2/users/{user-id}/rights",
    summary: "Grants rights, and answers those the user did not have",
    auth: "ledger:grant-rights",
    params,
    body: changeOfRights.meta({ id: "GrantUserRightsRequest" }),
    success: json(z.object({ newlyGrantedRights: rights })),
    errors: [400, 401, 403, 404],
  },
  revokeUserRights: {
    method: "PATCH",
    path: "/v2/users/{user-id}/rights",
    summary: "Revokes rights, and answers those the user had",
    auth: "ledger:grant-rights",
    params,
    body: changeOfRights.meta({ id: "RevokeUserRightsRequest" }),
    success: json(z.object({ newlyRevokedRights: rights })),
    errors: [400, 401, 403, 404],
  },
});
