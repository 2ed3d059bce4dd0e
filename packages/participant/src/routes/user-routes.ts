/** Users of the participant and their rights. A user belongs to one identity provider and is visible only there. */
import { identityProviderFor } from "../access/identity-provider-rule.ts";
import { withinRightsLimit } from "../access/rights-limit.ts";
import { MAX_USERS_PAGE_SIZE } from "../limits/limits.ts";
import {
  invalidArgument,
  invalidField,
  isLedgerString,
  isUserId,
  missingField,
  needUserId,
  permissionDenied,
} from "../requests/identifiers.ts";
import { formatPageToken, parsePageToken } from "../resources/page-token.ts";
import { checkIdentityProvider } from "../store/identity-provider-store.ts";
import { formatUser, readNewUser, readUserId } from "../users/read-user.ts";
import { updateUser } from "../users/update-user.ts";
import { needUserOf, userFailure } from "../users/user-failures.ts";
import { checkPartiesOf, formatRight, readRights } from "../users/user-rights.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

type Parts = Pick<LedgerApiParts, "users" | "parties" | "providers">;

export function userRoutes(parts: Parts) {
  return { ...accountRoutes(parts), ...rightRoutes(parts) };
}

function accountRoutes(parts: Parts) {
  const { users, parties, providers } = parts;
  const find = async (id: string, identityProviderId: string) =>
    formatUser(needUserOf(id, identityProviderId)(await users.find(id)));
  return {
    listUsers: async ({ query }, { caller }) => {
      const after = readPageToken(query.pageToken);
      if (query.pageSize < 0) throw invalidArgument("Max page size must be non-negative");
      const limit = Math.min(query.pageSize || MAX_USERS_PAGE_SIZE, MAX_USERS_PAGE_SIZE);
      const page = await users.list({
        identityProviderId: identityProviderFor(caller, ""),
        after,
        limit,
      });
      const last = page.mayGoOn ? page.items.at(-1) : undefined;
      return {
        users: page.items.map(formatUser),
        nextPageToken: last === undefined ? "" : formatPageToken(last.id),
      };
    },
    createUser: async ({ body }, { caller }) => {
      if (body.user === null) throw missingField("user");
      const identityProviderId = identityProviderFor(caller, body.user.identityProviderId);
      const user = readNewUser(body.user, identityProviderId);
      const rights = readRights(body.rights);
      await checkIdentityProvider(providers, identityProviderId);
      await checkPartiesOf(identityProviderId, rights, { caller, parties });
      if (await withinRightsLimit(user.id, users.create(user, rights))) return { user: formatUser(user) };
      const there = await users.find(user.id);
      const isOthers = there !== undefined && there.identityProviderId !== identityProviderId;
      // An admin of one identity provider does not learn the users of others.
      if (isOthers && !caller.isAdmin)
        throw permissionDenied("the user exists, and belongs to another identity provider");
      throw userFailure("USER_ALREADY_EXISTS", user.id, `User already exists: ${user.id}`);
    },
    getUser: async ({ params, query }, { caller }) => {
      const identityProviderId = identityProviderFor(caller, query["identity-provider-id"]);
      return { user: await find(params["user-id"], identityProviderId) };
    },
    getAuthenticatedUser: async ({ query }, { caller }) => {
      const userId = needUserId("", caller.userId);
      // By default the caller's own identity provider is meant.
      const asked = query["identity-provider-id"];
      return { user: await find(userId, asked === "" ? caller.identityProviderId : asked) };
    },
    updateUser: async ({ body }, { caller }) => {
      const identityProviderId = identityProviderFor(caller, body.user?.identityProviderId ?? "");
      const update = { request: body, identityProviderId, callerId: caller.userId };
      return { user: formatUser(await updateUser(parts, update)) };
    },
    deleteUser: async ({ params }, { caller }) => {
      const id = params["user-id"];
      if (id === caller.userId) {
        throw invalidArgument("users cannot delete themselves: another administrator can");
      }
      await users.delete(id, needUserOf(id, identityProviderFor(caller, "")));
      return {};
    },
    updateUserIdentityProviderId: async ({ params, body }) => {
      const id = readUserId(params["user-id"], "user_id");
      const source = readIdentityProvider("source_identity_provider_id", body.sourceIdentityProviderId);
      const target = readIdentityProvider("target_identity_provider_id", body.targetIdentityProviderId);
      await checkIdentityProvider(providers, source);
      await checkIdentityProvider(providers, target);
      const need = needUserOf(id, source);
      await users.update(id, (user) => ({ ...need(user), identityProviderId: target }));
      return {};
    },
  } satisfies Partial<LedgerHandlers>;
}

function rightRoutes({ users, parties }: Parts) {
  return {
    listUserRights: async ({ params }, { caller }) => {
      const id = params["user-id"];
      needUserOf(id, identityProviderFor(caller, ""))(await users.find(id));
      return { rights: (await users.listRights(id)).map(formatRight) };
    },
    grantUserRights: async ({ params, body }, { caller }) => {
      const id = readUserId(params["user-id"], "user_id");
      const rights = readRights(body.rights);
      const identityProviderId = identityProviderFor(caller, body.identityProviderId);
      await checkPartiesOf(identityProviderId, rights, { caller, parties });
      const need = needUserOf(id, identityProviderId);
      const granted = await withinRightsLimit(id, users.grant(id, rights, need));
      return { newlyGrantedRights: (granted ?? []).map(formatRight) };
    },
    revokeUserRights: async ({ params, body }, { caller }) => {
      const id = readUserId(params["user-id"], "user_id");
      const rights = readRights(body.rights);
      if (id === caller.userId && rights.some(({ kind }) => kind === "ParticipantAdmin")) {
        throw invalidArgument("users cannot revoke their own ParticipantAdmin right");
      }
      const identityProviderId = identityProviderFor(caller, body.identityProviderId);
      await checkPartiesOf(identityProviderId, rights, { caller, parties });
      const revoked = await users.revoke(id, rights, needUserOf(id, identityProviderId));
      return { newlyRevokedRights: revoked.map(formatRight) };
    },
  } satisfies Partial<LedgerHandlers>;
}

function readPageToken(token: string): string {
  const after = parsePageToken(token);
  if (after === "" || (after !== undefined && isUserId(after))) return after;
  throw invalidArgument("Invalid page token");
}

function readIdentityProvider(field: string, id: string): string {
  if (id === "" || isLedgerString(id)) return id;
  const allowed = "1 to 255 letters, digits, ._:-#/ and spaces";
  throw invalidField(field, `"${id.slice(0, 100)}" is not a name of ${allowed}`);
}
