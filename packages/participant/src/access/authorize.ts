/** Authorization: each operation's rule, by name, with the rights it asks for. */
import { authRules, type Endpoint } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";
import { MAX_STRANGERS_BODY } from "../limits/limits.ts";
import { permissionDenied } from "../requests/identifiers.ts";
import type { LedgerCaller } from "./caller.ts";
import { matchesIdentityProvider } from "./identity-provider-rule.ts";
import type { LedgerRequest, RequestUnder } from "./ledger-request.ts";
import { checkPathAndBody } from "./path-and-body.ts";
import { listReadScopes, type ReadScope } from "./read-scopes.ts";

export function admitBody({ auth }: Endpoint, caller: LedgerCaller, characters: number): void {
  if (caller.isAuthenticated || auth === "ledger:none" || characters <= MAX_STRANGERS_BODY) return;
  throw unauthenticated(caller);
}

/** Returns the caller, or throws the error that the API answers. A call that needs no token need not wait. */
export function authorize(
  _endpoint: Endpoint,
  request: LedgerRequest,
  caller: LedgerCaller,
): LedgerCaller | Promise<LedgerCaller> {
  checkPathAndBody(request);
  return request.auth === "ledger:none" ? caller : checkRule(request, caller);
}

async function checkRule(request: LedgerRequest, caller: LedgerCaller): Promise<LedgerCaller> {
  if (!caller.isAuthenticated) throw unauthenticated(caller);
  if (caller.isMisaddressed) throw permissionDenied("the token is for another participant");
  if (!(await mayCall(request, caller)))
    throw permissionDenied(`the rule ${request.auth} is not met: ${authRules[request.auth]}`);
  return caller;
}

function unauthenticated({ tokenProblem = "the call has no token" }: LedgerCaller): LedgerFailure {
  return new LedgerFailure(ledgerError("UNAUTHENTICATED", "The call needs a valid token"), {}, tokenProblem);
}

async function mayCall(request: LedgerRequest, caller: LedgerCaller): Promise<boolean> {
  switch (request.auth) {
    case "ledger:none":
      return true;
    case "ledger:public":
      // A caller looks up only itself here, but may name an identity provider.
      return request.id !== "getAuthenticatedUser" || matchesIdentityProvider(caller, request);
    case "ledger:admin":
      return caller.isAdmin;
    case "ledger:admin-or-idp-admin":
      return isSomeAdmin(caller) && matchesIdentityProvider(caller, request);
    case "ledger:admin-or-idp-admin-or-self":
      return (isSomeAdmin(caller) || isSelf(caller, request)) && matchesIdentityProvider(caller, request);
    case "ledger:admin-or-idp-admin-or-operate-as": {
      const { params, query } = request;
      const may = isSomeAdmin(caller) || (await caller.canOperateAs([params.party, ...query.parties]));
      return may && matchesIdentityProvider(caller, request);
    }
    case "ledger:public-or-operate-as": {
      const { party } = request.query;
      if (party === "") return true;
      const may = isSomeAdmin(caller) || (await caller.canOperateAs([party]));
      return may && matchesIdentityProvider(caller, request);
    }
    case "ledger:read-own-completions": {
      const { userId, parties } = request.body;
      return (isCallers(caller, userId) || caller.canReadAsAny) && (await caller.canReadAs(parties));
    }
    case "ledger:read-completions-of-parties":
      return await mayReadAll(caller, request.body.parties);
    case "ledger:read-contract":
      return await mayReadAll(caller, request.body.queryingParties);
    case "ledger:grant-rights":
      return mayGrant(caller, request) && matchesIdentityProvider(caller, request);
    case "ledger:act-as":
      return await mayAct(caller, request);
    case "ledger:act-as-submitter": {
      const { reassignmentCommands } = request.body;
      if (reassignmentCommands === null) return true;
      const { userId, submitter } = reassignmentCommands;
      return isCallers(caller, userId) && (submitter === "" || (await caller.canActAs([submitter])));
    }
    case "ledger:prepare": {
      const { userId, actAs, readAs } = request.body;
      return isCallers(caller, userId) && (await caller.canReadAs([...actAs, ...readAs]));
    }
    case "ledger:read-as":
      return await mayRead(caller, listReadScopes(request));
  }
}

/** True for an admin of the participant or of the caller's identity provider. */
function isSomeAdmin({ isAdmin, isIdentityProviderAdmin }: LedgerCaller): boolean {
  return isAdmin || isIdentityProviderAdmin;
}

/** True if the request is about its caller. */
function isSelf(
  { userId }: LedgerCaller,
  request: RequestUnder<"ledger:admin-or-idp-admin-or-self">,
): boolean {
  const about = request.body === undefined ? request.params["user-id"] : request.body.userId;
  return userId !== null && about === userId;
}

function mayGrant(caller: LedgerCaller, { body }: RequestUnder<"ledger:grant-rights">): boolean {
  const powerful = body.rights.some(
    ({ kind }) => "ParticipantAdmin" in kind || "CanReadAsAnyParty" in kind || "CanExecuteAsAnyParty" in kind,
  );
  return powerful ? caller.isAdmin : isSomeAdmin(caller);
}

/** A request that names no user means the caller. */
function isCallers(caller: LedgerCaller, userId: string): boolean {
  return caller.userId === null || userId === "" || userId === caller.userId;
}

async function mayAct(caller: LedgerCaller, request: RequestUnder<"ledger:act-as">): Promise<boolean> {
  const isFormatted = request.id === "submitAndWaitForTransaction";
  const { userId, actAs, readAs } = isFormatted ? request.body.commands : request.body;
  const scopes = isFormatted ? listReadScopes(request) : [];
  return (
    isCallers(caller, userId ?? "") &&
    (await caller.canActAs(actAs)) &&
    // The right to act as a party includes the right to read as it.
    (await caller.canReadAs(readAs)) &&
    (await mayRead(caller, scopes))
  );
}

/** No parties means every party. */
async function mayReadAll(caller: LedgerCaller, parties: readonly string[]): Promise<boolean> {
  return parties.length === 0 ? caller.canReadAsAny : await caller.canReadAs(parties);
}

async function mayRead(caller: LedgerCaller, scopes: readonly ReadScope[]): Promise<boolean> {
  if (!caller.canReadAsAny && scopes.some(({ any }) => any)) return false;
  return await caller.canReadAs(scopes.flatMap(({ parties }) => parties));
}
