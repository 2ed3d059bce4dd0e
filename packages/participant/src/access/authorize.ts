/** Whether a caller may make a call: each operation's rule, by name, with the rights it asks for. */
import type { AuthRule, Commands, Endpoint, ledgerApi, Right, ServerRequest } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";
import { permissionDenied } from "../requests/identifiers.ts";
import type { Caller } from "./caller.ts";
import { matchesIdentityProvider } from "./identity-provider-rule.ts";
import { checkPathAndBody } from "./path-and-body.ts";
import { listReadScopes, type ReadScope } from "./read-scopes.ts";

type Endpoints = typeof ledgerApi.endpoints;
type RequestOf<Id extends keyof Endpoints> = ServerRequest<Endpoints[Id]>;

/** The parties whom a request names, in one field or the other. */
interface Parties {
  readonly parties: readonly string[];
  readonly queryingParties: readonly string[];
}

/** A body of somebody unknown is decoded before they are refused, unless that would be much work. */
const MAX_STRANGERS_BODY = 524_288;

export function admitBody({ auth }: Endpoint, { isAuthenticated }: Caller, characters: number): void {
  if (isAuthenticated || auth === "ledger:none" || characters <= MAX_STRANGERS_BODY) return;
  throw unauthenticated();
}

/** Answers the caller; throws what the API answers instead. */
export function authorize(endpoint: Endpoint, request: ServerRequest<Endpoint>, caller: Caller): Caller {
  checkPathAndBody(endpoint, request);
  if (endpoint.auth === "ledger:none") return caller;
  if (!caller.isAuthenticated) throw unauthenticated();
  if (caller.isMisaddressed) throw permissionDenied();
  if (!mayCall(endpoint.auth, endpoint.id, request, caller)) throw permissionDenied();
  return caller;
}

function unauthenticated(): LedgerFailure {
  return new LedgerFailure(ledgerError("UNAUTHENTICATED", "The call needs a valid token"));
}

function mayCall(rule: AuthRule, id: string, request: ServerRequest<Endpoint>, caller: Caller): boolean {
  switch (rule) {
    case "ledger:none":
      return true;
    case "ledger:public":
      // Nobody is looked up here but oneself; the request may still say where.
      return id !== "getAuthenticatedUser" || matchesIdentityProvider(caller, request);
    case "ledger:admin":
      return caller.isAdmin;
    case "ledger:admin-or-idp-admin":
      return isSomeAdmin(caller) && matchesIdentityProvider(caller, request);
    case "ledger:admin-or-idp-admin-or-self":
      return (isSomeAdmin(caller) || isSelf(caller, request)) && matchesIdentityProvider(caller, request);
    case "ledger:admin-or-idp-admin-or-operate-as": {
      const { params, query } = request as RequestOf<"getParties">;
      const may = isSomeAdmin(caller) || [params.party, ...query.parties].every(caller.canOperateAs);
      return may && matchesIdentityProvider(caller, request);
    }
    case "ledger:public-or-operate-as": {
      const { party } = (request as RequestOf<"listConnectedSynchronizers">).query;
      if (party === "") return true;
      const may = isSomeAdmin(caller) || caller.canOperateAs(party);
      return may && matchesIdentityProvider(caller, request);
    }
    case "ledger:read-own-completions": {
      const { userId, parties } = (request as unknown as RequestOf<"listCompletions">).body;
      const isOwn = caller.userId === null || userId === "" || userId === caller.userId;
      return (isOwn || caller.canReadAsAny) && parties.every(caller.canReadAs);
    }
    case "ledger:read-completions-of-parties":
      return mayReadAll(caller, (request.body as unknown as Parties).parties);
    case "ledger:read-contract":
      return mayReadAll(caller, (request.body as unknown as Parties).queryingParties);
    case "ledger:grant-rights":
      return mayGrant(caller, request) && matchesIdentityProvider(caller, request);
    case "ledger:act-as":
      return mayAct(id, request, caller);
    case "ledger:act-as-submitter": {
      const { reassignmentCommands } = (request as unknown as RequestOf<"submitReassignment">).body;
      if (reassignmentCommands === null) return true;
      const { userId, submitter } = reassignmentCommands;
      return isCallers(caller, userId) && (submitter === "" || caller.canActAs(submitter));
    }
    case "ledger:prepare": {
      const { userId, actAs, readAs } = (request as unknown as RequestOf<"prepareSubmission">).body;
      return isCallers(caller, userId) && [...actAs, ...readAs].every(caller.canReadAs);
    }
    case "ledger:read-as":
      return listReadScopes(request).every((scope) => mayRead(caller, scope));
    case "none":
    case "user":
    case "wallet-user":
    case "member":
    case "validator-operator":
    case "sv-operator":
    case "loopback":
      throw new Error(`the rule ${rule} is not the ledger API's`);
  }
}

/** Of the participant, or of the identity provider that the caller belongs to. */
function isSomeAdmin({ isAdmin, isIdentityProviderAdmin }: Caller): boolean {
  return isAdmin || isIdentityProviderAdmin;
}

/** Whom the request is about. To look nobody up is to look oneself up; a body that names nobody means nobody. */
function isSelf({ userId }: Caller, { params, body }: ServerRequest<Endpoint>): boolean {
  if (userId === null) return false;
  if (body !== undefined) return (body as { readonly userId?: string }).userId === userId;
  const about = (params as { readonly "user-id"?: string })["user-id"] ?? "";
  return about === "" || about === userId;
}

function mayGrant(caller: Caller, request: ServerRequest<Endpoint>): boolean {
  const { rights } = request.body as unknown as { readonly rights: readonly Right[] };
  const powerful = rights.some(
    ({ kind }) => "ParticipantAdmin" in kind || "CanReadAsAnyParty" in kind || "CanExecuteAsAnyParty" in kind,
  );
  return powerful ? caller.isAdmin : isSomeAdmin(caller);
}

/** A request that names no user means the caller's. */
function isCallers(caller: Caller, userId: string): boolean {
  return caller.userId === null || userId === "" || userId === caller.userId;
}

function mayAct(id: string, request: ServerRequest<Endpoint>, caller: Caller): boolean {
  const body: unknown = request.body;
  const commands =
    id === "submitAndWaitForTransaction" ? (body as { commands: Commands }).commands : (body as Commands);
  const { userId, actAs, readAs } = commands;
  if (!isCallers(caller, userId ?? "")) return false;
  return (
    actAs.every(caller.canActAs) &&
    // Who may act as a party may read as it.
    readAs.every((party) => caller.canReadAs(party)) &&
    listReadScopes(request).every((scope) => mayRead(caller, scope))
  );
}

/** Nobody in particular is everybody. */
function mayReadAll(caller: Caller, parties: readonly string[]): boolean {
  return parties.length === 0 ? caller.canReadAsAny : parties.every(caller.canReadAs);
}

function mayRead(caller: Caller, { parties, any }: ReadScope): boolean {
  return (!any || caller.canReadAsAny) && parties.every(caller.canReadAs);
}
