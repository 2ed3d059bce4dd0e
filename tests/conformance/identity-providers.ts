/** Identity providers of a test's own, with keys or without, their users, and what these send. */
import {
  createClient,
  type IdentityProviderConfig,
  ledgerApi,
  type PartyDetails,
  type Right,
} from "../../packages/api/src/index.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { newSigner, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { call, type RawAnswer } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { AUDIENCE, type LedgerClient, type TestParticipant } from "../support/participants.ts";
import type { LedgerOfFile } from "./ledger.ts";

export const IDP_ADMIN: Right = { kind: { IdentityProviderAdmin: { value: {} } } };
export const PARTICIPANT_ADMIN: Right = { kind: { ParticipantAdmin: { value: {} } } };

export const now = () => Math.floor(Date.now() / 1000);

/** At most sixteen can be there at a time, so that each test takes its own away. */
export async function withProvider(
  { admin }: Pick<LedgerOfFile, "admin">,
  given: Partial<IdentityProviderConfig> & { readonly jwksUrl: string },
  work: (config: IdentityProviderConfig) => Promise<void>,
): Promise<void> {
  const config = await newProvider({ admin }, given);
  try {
    await work(config);
  } finally {
    const params = { "idp-id": config.identityProviderId };
    await admin.deleteIdentityProviderConfig({ params }).catch(() => undefined);
  }
}

export async function newProvider(
  { admin }: Pick<LedgerOfFile, "admin">,
  given: Partial<IdentityProviderConfig> & { readonly jwksUrl: string },
): Promise<IdentityProviderConfig> {
  const id = fresh("idp");
  const issuer = `https://${id}.example.com`;
  const { identityProviderConfig } = await admin.createIdentityProviderConfig({
    body: { identityProviderConfig: { identityProviderId: id, issuer, ...given } },
  });
  return identityProviderConfig;
}

export async function newUser(
  { admin }: Pick<LedgerOfFile, "admin">,
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
  { participant }: Pick<LedgerOfFile, "participant">,
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

/** An identity provider with keys of its own, which the participant knows, and tokens of its users. */
export interface TestIdentityProvider {
  readonly id: string;
  readonly token: (user: string) => Promise<string>;
  /** `url`: of the participant, where it has started anew. */
  readonly client: (user: string, url?: string) => LedgerClient;
  readonly call: (user: string, method: string, path: string, body?: unknown) => Promise<RawAnswer>;
  /** A user of this identity provider. */
  readonly addUser: (user: string, rights: Right[]) => Promise<LedgerClient>;
}

export async function startIdentityProvider(
  participant: TestParticipant,
  id: string,
  atEnd: AtEnd,
): Promise<TestIdentityProvider> {
  const signer = await newSigner("ES256", id);
  const { url: jwksUrl } = await startKeyServer([signer.publicJwk], {}, atEnd);
  const issuer = `https://${encodeURIComponent(id)}.example.com`;
  await participant.admin.createIdentityProviderConfig({
    body: { identityProviderConfig: { identityProviderId: id, issuer, jwksUrl, audience: AUDIENCE } },
  });
  const token = (user: string) => signer.sign({ sub: user, aud: AUDIENCE, iss: issuer });
  const client = (user: string, baseUrl = participant.url) =>
    createClient(ledgerApi, { fetch, baseUrl, token: () => token(user) });
  return {
    id,
    token,
    client,
    call: async (user, method, path, body) =>
      send({ participant }, await token(user), { method, path, body }),
    addUser: async (user, rights) => {
      await participant.admin.createUser({ body: { user: { id: user, identityProviderId: id }, rights } });
      return client(user);
    },
  };
}
