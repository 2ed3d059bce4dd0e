/** Users of the participant and their rights. */
import type { ledgerApi, Right, User } from "@callsign/api";
import { type LedgerError, ledgerError } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";
import { withinRightsLimit } from "../access/rights-limit.ts";
import {
  failWith,
  invalidArgument,
  invalidField,
  isUserId,
  missingField,
  needParty,
  permissionDenied,
} from "../identifiers.ts";
import { userNotFound } from "../parties/allocate-party.ts";
import { findAnnotationsFault, findEmptyValue } from "../parties/annotations.ts";
import { checkIdentityProvider } from "../parties/update-party-details.ts";
import { rightKinds, type StoredUser, type UserRight, type UserStore } from "../store/user-store.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, Caller>,
  | "createUser"
  | "getUser"
  | "getAuthenticatedUser"
  | "listUserRights"
  | "grantUserRights"
  | "revokeUserRights"
>;

export function userRoutes({ users }: { readonly users: UserStore }): Routes {
  return {
    createUser: async ({ body }) => {
      if (body.user === null) throw missingField("user");
      const user = readUser(body.user);
      const rights = body.rights.map(readRight);
      if (!(await withinRightsLimit(user.id, users.create(user, rights)))) {
        const resources = [["USER", user.id]] as const;
        failWith(ledgerError("USER_ALREADY_EXISTS", `User already exists: ${user.id}`, { resources }));
      }
      return { user: formatUser(user) };
    },
    getUser: async ({ params, query }) => {
      const user = await needUser(users, params["user-id"]);
      return { user: formatUser(checkedFor(query["identity-provider-id"], user)) };
    },
    getAuthenticatedUser: async ({ query }, { caller }) => {
      if (caller.userId === null) {
        throw invalidArgument("requests with an empty user-id are only supported for users with a token");
      }
      const user = await needUser(users, caller.userId);
      return { user: formatUser(checkedFor(query["identity-provider-id"], user)) };
    },
    listUserRights: async ({ params }) => {
      const { id } = await needUser(users, params["user-id"]);
      return { rights: (await users.listRights(id)).map(formatRight) };
    },
    grantUserRights: async ({ params, body }) => {
      const id = readUserId(params["user-id"], body.userId);
      checkIdentityProvider(body.identityProviderId);
      const rights = body.rights.map(readRight);
      const granted = (await withinRightsLimit(id, users.grant(id, rights))) ?? failWith(userNotFound(id));
      return { newlyGrantedRights: granted.map(formatRight) };
    },
    revokeUserRights: async ({ params, body }, { caller }) => {
      const id = readUserId(params["user-id"], body.userId);
      checkIdentityProvider(body.identityProviderId);
      const rights = body.rights.map(readRight);
      if (id === caller.userId && rights.some(({ kind }) => kind === "ParticipantAdmin")) {
        throw invalidArgument("users cannot revoke their own ParticipantAdmin right");
      }
      const revoked = (await users.revoke(id, rights)) ?? failWith(userNotFound(id));
      return { newlyRevokedRights: revoked.map(formatRight) };
    },
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

async function needUser(users: UserStore, id: string): Promise<StoredUser> {
  return (await users.find(readUserId(id, ""))) ?? failWith(userNotFound(id));
}

/** Empty: whichever the user's is. */
function checkedFor(identityProviderId: string, user: StoredUser): StoredUser {
  if (identityProviderId === "" || identityProviderId === user.identityProviderId) return user;
  throw permissionDenied();
}

/** The path names the user; a body that names another one is a mistake. */
function readUserId(inPath: string, inBody: string): string {
  if (!isUserId(inPath)) throw invalidArgument(`Malformed user-id: "${inPath.slice(0, 128)}"`);
  if (inBody !== "" && inBody !== inPath) {
    throw invalidArgument(`${inPath} does not match user in body ${inBody.slice(0, 128)}`);
  }
  return inPath;
}

function readUser(given: User): StoredUser {
  if (given.id === "") throw missingField("user.id");
  if (!isUserId(given.id))
    throw invalidField("user.id", `User ID "${given.id.slice(0, 128)}" does not match regex`);
  if (given.primaryParty !== "") needParty(given.primaryParty);
  const { annotations = {}, resourceVersion = "" } = given.metadata ?? {};
  if (resourceVersion !== "") throw invalidArgument("field user.metadata.resource_version must be not set");
  const fault: LedgerError | null =
    findEmptyValue(annotations) ?? findAnnotationsFault(annotations, "user.metadata.annotations");
  if (fault !== null) failWith(fault);
  checkIdentityProvider(given.identityProviderId);
  const { id, primaryParty, isDeactivated, identityProviderId, primaryPartyAuthentication } = given;
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

function readRight({ kind }: Right): UserRight {
  if ("CanActAs" in kind) return { kind: "CanActAs", party: needParty(kind.CanActAs.value.party) };
  if ("CanReadAs" in kind) return { kind: "CanReadAs", party: needParty(kind.CanReadAs.value.party) };
  if ("CanExecuteAs" in kind)
    return { kind: "CanExecuteAs", party: needParty(kind.CanExecuteAs.value.party) };
  const found = rightKinds.find((name) => name in kind);
  if (found === undefined) throw invalidArgument("unknown kind of right: Empty");
  return { kind: found, party: "" };
}

function formatRight({ kind, party }: UserRight): Right {
  switch (kind) {
    case "CanActAs":
      return { kind: { CanActAs: { value: { party } } } };
    case "CanReadAs":
      return { kind: { CanReadAs: { value: { party } } } };
    case "CanExecuteAs":
      return { kind: { CanExecuteAs: { value: { party } } } };
    case "CanReadAsAnyParty":
      return { kind: { CanReadAsAnyParty: { value: {} } } };
    case "CanExecuteAsAnyParty":
      return { kind: { CanExecuteAsAnyParty: { value: {} } } };
    case "ParticipantAdmin":
      return { kind: { ParticipantAdmin: { value: {} } } };
    case "IdentityProviderAdmin":
      return { kind: { IdentityProviderAdmin: { value: {} } } };
  }
}
