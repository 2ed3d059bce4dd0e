/** Examples of the operations on users and their rights. */
import type { ledgerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice } from "./samples.ts";

const user = {
  id: "app-user",
  primaryParty: alice,
  isDeactivated: false,
  metadata: { resourceVersion: "0", annotations: {} },
  identityProviderId: "",
  primaryPartyAuthentication: false,
};
const rights = [
  { kind: { CanActAs: { value: { party: alice } } } },
  { kind: { ParticipantAdmin: { value: {} } } },
];
const byUser = { params: { "user-id": "app-user@clients|x" } };

export const userExamples = {
  listUsers: {
    request: { query: { pageSize: 10, pageToken: "CgE_" } },
    response: { users: [user], nextPageToken: "" },
  },
  updateUser: {
    request: {
      ...byUser,
      body: {
        user: { id: "app-user@clients|x", isDeactivated: true },
        updateMask: { paths: ["is_deactivated"] },
      },
    },
    received: {
      body: {
        user: {
          ...user,
          id: "app-user@clients|x",
          primaryParty: "",
          isDeactivated: true,
          metadata: null,
        },
        updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
      },
    },
    response: { user: { ...user, isDeactivated: true } },
  },
  deleteUser: { request: byUser, response: {} },
  updateUserIdentityProviderId: {
    request: { ...byUser, body: { userId: "app-user@clients|x", targetIdentityProviderId: "idp-1" } },
    received: {
      body: {
        userId: "app-user@clients|x",
        sourceIdentityProviderId: "",
        targetIdentityProviderId: "idp-1",
      },
    },
    response: {},
  },
  createUser: {
    request: { body: { user: { id: "app-user", primaryParty: alice }, rights } },
    received: { body: { user: { ...user, metadata: null }, rights } },
    response: { user },
  },
  getUser: {
    request: byUser,
    received: { query: { "identity-provider-id": "" } },
    response: { user },
  },
  getAuthenticatedUser: {
    received: { query: { "identity-provider-id": "" } },
    response: { user },
  },
  listUserRights: { request: byUser, response: { rights } },
  grantUserRights: {
    request: { ...byUser, body: { userId: "app-user", rights } },
    received: { body: { userId: "app-user", rights, identityProviderId: "" } },
    response: { newlyGrantedRights: rights },
  },
  revokeUserRights: {
    request: { ...byUser, body: { userId: "app-user", rights: [{}] } },
    received: { body: { userId: "app-user", rights: [{ kind: { Empty: {} } }], identityProviderId: "" } },
    response: { newlyRevokedRights: [] },
  },
} satisfies Partial<Examples<typeof ledgerApi>>;
