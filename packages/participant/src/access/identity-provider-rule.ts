/** Which identity provider a request is about, and whether its caller may ask about that one. */
import type { Endpoint, ServerRequest } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";
import { isLedgerString } from "../requests/identifiers.ts";
import type { Caller } from "./caller.ts";

/** Whoever is bound to an identity provider and names none means their own; a participant admin means the default. */
export function identityProviderFor(caller: Caller, asked: string): string {
  return asked === "" && !caller.isAdmin ? caller.identityProviderId : asked;
}

/** A caller of the default identity provider may ask about any; whoever lives in another one, about that alone. */
export function matchesIdentityProvider(caller: Caller, request: ServerRequest<Endpoint>): boolean {
  const asked = identityProviderFor(caller, identityProviderOf(request));
  if (asked !== "" && !isLedgerString(asked)) {
    const cause = "The submitted token has a field with invalid value: Invalid field identity_provider_id: ";
    const reason = `"${asked.slice(0, 100)}" is longer than 255 characters or has others than letters, digits, ._:-#/ and space`;
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
