/** Users of the participant and their rights. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, ObjectMeta, string } from "./proto.ts";

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

export const ledgerUsers = defineEndpoints({
  createUser: {
    method: "POST",
    path: "/v2/users",
    tags: ["users"],
    summary: "Makes a user, with rights",
    auth: "ledger:grant-rights",
    body: z.object({ user: orNull(User), rights }).meta({ id: "CreateUserRequest", required: ["user"] }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403, 404, 409],
  },
  getUser: {
    method: "GET",
    path: "/v2/users/{user-id}",
    tags: ["users"],
    summary: "One user",
    auth: "ledger:admin-or-idp-admin-or-self",
    params,
    query: z.object({ "identity-provider-id": z.string().default("") }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403, 404],
  },
  getAuthenticatedUser: {
    method: "GET",
    path: "/v2/authenticated-user",
    tags: ["users"],
    summary: "The user of the caller's token",
    auth: "ledger:public",
    query: z.object({ "identity-provider-id": z.string().default("") }),
    success: json(z.object({ user: User })),
    errors: [400, 401, 403],
  },
  listUserRights: {
    method: "GET",
    path: "/v2/users/{user-id}/rights",
    tags: ["users"],
    summary: "The rights of a user",
    auth: "ledger:admin-or-idp-admin-or-self",
    params,
    success: json(z.object({ rights })),
    errors: [400, 401, 403, 404],
  },
  grantUserRights: {
    method: "POST",
    path: "/v2/users/{user-id}/rights",
    tags: ["users"],
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
    tags: ["users"],
    summary: "Revokes rights, and answers those the user had",
    auth: "ledger:grant-rights",
    params,
    body: changeOfRights.meta({ id: "RevokeUserRightsRequest" }),
    success: json(z.object({ newlyRevokedRights: rights })),
    errors: [400, 401, 403, 404],
  },
});
