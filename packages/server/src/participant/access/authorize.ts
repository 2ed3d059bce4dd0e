/** Whether a caller may make a call: each operation's rule, by name, with the rights it asks for. */
import type { AuthRule, Commands, Endpoint, ledgerApi, Right, ServerRequest } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "../../http/refusal.ts";
import { invalidArgument, isLedgerString, jsonLayer, permissionDenied } from "../identifiers.ts";
import type { Caller } from "./caller.ts";
import { listReadScopes, type ReadScope } from "./read-scopes.ts";

type Endpoints = typeof ledgerApi.endpoints;
type RequestOf<Id extends keyof Endpoints> = ServerRequest<Endpoints[Id]>;

/** Answers the caller; throws what the API answers instead. */
export function authorize(endpoint: Endpoint, request: ServerRequest<Endpoint>, caller: Caller): Caller {
  if (endpoint.id === "updatePartyDetails")
    checkNamesSameParty(request as unknown as RequestOf<"updatePartyDetails">);
  if (endpoint.auth === "ledger:none") return caller;
  if (!caller.isAuthenticated) {
    throw new LedgerFailure(ledgerError("UNAUTHENTICATED", "The call needs a valid token"));
  }
  if (!mayCall(endpoint.auth, endpoint.id, request, caller)) throw permissionDenied();
  return caller;
}

function mayCall(rule: AuthRule, id: string, request: ServerRequest<Endpoint>, caller: Caller): boolean {
  switch (rule) {
    case "ledger:none":
    case "ledger:public":
      return true;
    case "ledger:admin":
      return caller.isAdmin;
    case "ledger:admin-or-idp-admin":
      return isAdminFor(caller, identityProviderOf(request));
    case "ledger:admin-or-idp-admin-or-self":
      return isAdminFor(caller, identityProviderOf(request)) || isSelf(caller, request);
    case "ledger:admin-or-idp-admin-or-operate-as": {
      const { params, query } = request as RequestOf<"getParties">;
      const parties = [params.party, ...query.parties];
      return isAdminFor(caller, identityProviderOf(request)) || parties.every(caller.canOperateAs);
    }
    case "ledger:public-or-operate-as": {
      const { party } = (request as RequestOf<"listConnectedSynchronizers">).query;
      return party === "" || isAdminFor(caller, identityProviderOf(request)) || caller.canOperateAs(party);
    }
    case "ledger:read-own-completions": {
      const { userId, parties } = (request as unknown as RequestOf<"listCompletions">).body;
      const isOwn = caller.userId === null || userId === "" || userId === caller.userId;
      return (isOwn || caller.canReadAsAny) && parties.every(caller.canReadAs);
    }
    case "ledger:grant-rights":
      return isAdminFor(caller, identityProviderOf(request)) && mayGrant(caller, request);
    case "ledger:act-as":
      return mayAct(id, request, caller);
    case "ledger:read-as":
      return listReadScopes(request).every((scope) => mayRead(caller, scope));
    case "none":
    case "user":
    case "wallet-user":
    case "member":
    case "loopback":
      throw new Error(`the rule ${rule} is not the ledger API's`);
  }
}

/** An identity provider's admin is bound to it, and so is a participant admin who lives in one. */
function isAdminFor(caller: Caller, requested: string): boolean {
  if (!caller.isAdmin && !caller.isIdentityProviderAdmin) return false;
  const asked = requested === "" && !caller.isAdmin ? caller.identityProviderId : requested;
  if (asked !== "" && !isLedgerString(asked)) {
    const cause = "The submitted token has a field with invalid value: Invalid field identity_provider_id: ";
    const reason = `"${asked.slice(0, 100)}" has other characters than letters, digits, ._:-#/ and space`;
    throw new LedgerFailure(ledgerError("INVALID_TOKEN", cause + reason));
  }
  return caller.identityProviderId === "" || asked === caller.identityProviderId;
}

/** Wherever the request has it. */
function identityProviderOf({ query, body }: ServerRequest<Endpoint>): string {
  const places: readonly unknown[] = [
    query,
    body,
    (body as { partyDetails?: unknown } | undefined)?.partyDetails,
    (body as { user?: unknown } | undefined)?.user,
  ];
  for (const place of places) {
    if (typeof place !== "object" || place === null) continue;
    const { "identity-provider-id": inQuery, identityProviderId } = place as Record<string, unknown>;
    const given = inQuery ?? identityProviderId;
    if (typeof given === "string" && given !== "") return given;
  }
  return "";
}

function isSelf({ userId }: Caller, request: ServerRequest<Endpoint>): boolean {
  const params = request.params as { "user-id"?: string };
  const body = request.body as { userId?: string } | undefined;
  const about = params["user-id"] ?? body?.userId ?? "";
  return userId !== null && about === userId;
}

function mayGrant(caller: Caller, request: ServerRequest<Endpoint>): boolean {
  const { rights } = request.body as unknown as { readonly rights: readonly Right[] };
  const powerful = rights.some(
    ({ kind }) => "ParticipantAdmin" in kind || "CanReadAsAnyParty" in kind || "CanExecuteAsAnyParty" in kind,
  );
  return caller.isAdmin || !powerful;
}

function mayAct(id: string, request: ServerRequest<Endpoint>, caller: Caller): boolean {
  const body: unknown = request.body;
  const commands =
    id === "submitAndWaitForTransaction" ? (body as { commands: Commands }).commands : (body as Commands);
  const { userId, actAs, readAs } = commands;
  if (caller.userId !== null && userId !== null && userId !== "" && userId !== caller.userId) return false;
  return (
    actAs.every(caller.canActAs) &&
    // Who may act as a party may read as it.
    readAs.every((party) => caller.canReadAs(party)) &&
    listReadScopes(request).every((scope) => mayRead(caller, scope))
  );
}

function mayRead(caller: Caller, { parties, any }: ReadScope): boolean {
  return (!any || caller.canReadAsAny) && parties.every(caller.canReadAs);
}

/** Checked before the caller is: whoever asks for two parties at once is told so. */
function checkNamesSameParty({ params, body }: RequestOf<"updatePartyDetails">): void {
  const given = body.partyDetails?.party;
  if (given === params.party) return;
  const reason = `${params.party.slice(0, 255)} does not match party in body ${given?.slice(0, 255) ?? "(none)"}`;
  throw jsonLayer(invalidArgument(reason));
}
