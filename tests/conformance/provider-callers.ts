/** Identity providers of a test's own, their users, and what these send. */
import type { IdentityProviderConfig, PartyDetails, Right } from "../../packages/api/src/index.ts";
import { call, type RawAnswer } from "../participant/call.ts";
import { fresh, type LedgerOfFile } from "./ledger.ts";

export const IDP_ADMIN: Right = { kind: { IdentityProviderAdmin: { value: {} } } };
export const PARTICIPANT_ADMIN: Right = { kind: { ParticipantAdmin: { value: {} } } };

export const now = () => Math.floor(Date.now() / 1000);

/** At most sixteen can be there at a time, so that each test takes its own away. */
export async function withProvider(
  { admin }: LedgerOfFile,
  given: Partial<IdentityProviderConfig> & { readonly jwksUrl: string },
  work: (config: IdentityProviderConfig) => Promise<void>,
): Promise<void> {
  const id = fresh("idp");
  const issuer = `https://${id}.example.com`;
  const { identityProviderConfig } = await admin.createIdentityProviderConfig({
    body: { identityProviderConfig: { identityProviderId: id, issuer, ...given } },
  });
  try {
    await work(identityProviderConfig);
  } finally {
    await admin.deleteIdentityProviderConfig({ params: { "idp-id": id } }).catch(() => undefined);
  }
}

export async function newUser(
  { admin }: LedgerOfFile,
  identityProviderId: string,
  rights: Right[],
): Promise<string> {
  const id = fresh("user");
  await admin.createUser({ body: { user: { id, identityProviderId }, rights } });
  return id;
}

/** A party of that identity provider. */
export async function partyOf({ admin }: LedgerOfFile, identityProviderId: string): Promise<PartyDetails> {
  const body = { partyIdHint: fresh("some-party"), identityProviderId };
  return (await admin.allocateParty({ body })).partyDetails;
}

/** With the scope that means the ledger API, and no audience. */
export function scoped(config: IdentityProviderConfig, user: string) {
  return { sub: user, iss: config.issuer, scope: "daml_ledger_api", exp: now() + 300 };
}

export function send(
  { participant }: LedgerOfFile,
  token: string | null,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: unknown },
): Promise<RawAnswer> {
  return call(participant.url + path, {
    method,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { body }),
  });
}

export function patchParty(
  ledger: LedgerOfFile,
  token: string | null,
  partyDetails: PartyDetails,
): Promise<RawAnswer> {
  const body = { partyDetails, updateMask: { paths: ["is_local"] } };
  return send(ledger, token, {
    method: "PATCH",
    path: `/v2/parties/${encodeURIComponent(partyDetails.party)}`,
    body,
  });
}
