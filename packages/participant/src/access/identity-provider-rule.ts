/** The identity provider that a request is about, and the rule for callers of another one. */
import { failWith, isLedgerString } from "../requests/identifiers.ts";
import type { LedgerCaller } from "./caller.ts";
import type { LedgerRequest } from "./ledger-request.ts";

/** Without a name, a participant admin means the default identity provider, and every other caller its own. */
export function identityProviderFor(caller: LedgerCaller, asked: string): string {
  return asked === "" && !caller.isAdmin ? caller.identityProviderId : asked;
}

/** A caller of the default identity provider may ask about any; a caller of another one only about its own. */
export function matchesIdentityProvider(caller: LedgerCaller, request: LedgerRequest): boolean {
  const asked = identityProviderFor(caller, identityProviderOf(request));
  if (asked !== "" && !isLedgerString(asked)) {
    const cause = "The submitted token has a field with invalid value: Invalid field identity_provider_id: ";
    const reason = `"${asked.slice(0, 100)}" is longer than 255 characters or has others than letters, digits, ._:-#/ and space`;
    failWith("INVALID_TOKEN", cause + reason);
  }
  return caller.identityProviderId === "" || asked === caller.identityProviderId;
}

/** Empty where the request names none, neither in its query nor in its body. */
function identityProviderOf({ query, body }: LedgerRequest): string {
  if ("identity-provider-id" in query && query["identity-provider-id"] !== "")
    return query["identity-provider-id"];
  if ("identityProviderId" in query && query.identityProviderId !== "") return query.identityProviderId;
  if (body === undefined) return "";
  if ("identityProviderId" in body) return body.identityProviderId;
  if ("partyDetails" in body) return body.partyDetails?.identityProviderId ?? "";
  return "user" in body ? (body.user?.identityProviderId ?? "") : "";
}
