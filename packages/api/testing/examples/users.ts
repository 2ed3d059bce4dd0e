/** Examples of the operations on users and their rights. */
import type { ledgerApi } from "../../src/index.ts";
import { type Examples, nothing } from "../example.ts";
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

export const userExamples: Pick<
  Examples<typeof ledgerApi>,
  | "listUsers"
  | "createUser"
  | "getUser"
  | "updateUser"
  | "deleteUser"
  | "updateUserIdentityProviderId"
  | "getAuthenticatedUser"
  | "listUserRights"
  | "grantUserRights"
  | "revokeUserRights"
> = {
  listUsers: {
    request: { query: { pageSize: 10, pageToken: "CgE_" } },
    received: { ...nothing, query: { pageSize: 10, pageToken: "CgE_" } },
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
      ...nothing,
      ...byUser,
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
  deleteUser: { request: byUser, received: { ...nothing, ...byUser }, response: {} },
  updateUserIdentityProviderId: {
    request: { ...byUser, body: { userId: "app-user@clients|x", targetIdentityProviderId: "idp-1" } },
    received: {
      ...nothing,
      ...byUser,
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
    received: { ...nothing, body: { user: { ...user, metadata: null }, rights } },
    response: { user },
  },
  getUser: {
    request: byUser,
    received: { ...nothing, ...byUser, query: { "identity-provider-id": "" } },
    response: { user },
  },
  getAuthenticatedUser: {
    request: {},
    received: { ...nothing, query: { "identity-provider-id": "" } },
    response: { user },
  },
  listUserRights: { request: byUser, received: { ...nothing, ...byUser }, response: { rights } },
  grantUserRights: {
    request: { ...byUser, body: { userId: "app-user", rights } },
    received: { ...nothing, ...byUser, body: { userId: "app-user", rights, identityProviderId: "" } },
    response: { newlyGrantedRights: rights },
  },
  revokeUserRights: {
    request: { ...byUser, body: { userId: "app-user", rights: [{}] } },
    received: {
      ...nothing,
      ...byUser,
      body: { userId: "app-user", rights: [{ kind: { Empty: {} } }], identityProviderId: "" },
    },
    response: { newlyRevokedRights: [] },
  },
};
