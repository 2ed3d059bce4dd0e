/** An identity provider with keys of its own, which the participant is told of, and tokens of its users. */
import { createClient, ledgerApi, type Right } from "../../packages/api/src/index.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { newSigner, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { call, type RawAnswer } from "../participant/call.ts";
import { AUDIENCE, type LedgerClient, type TestParticipant } from "../support/participants.ts";

export interface TestIdentityProvider {
  readonly id: string;
  readonly token: (user: string) => Promise<string>;
  /** `url`: of the participant, where it has started anew. */
  readonly client: (user: string, url?: string) => LedgerClient;
  readonly call: (user: string, method: string, path: string, body?: unknown) => Promise<RawAnswer>;
  /** A user of this identity provider. */
  readonly addUser: (user: string, rights: Right[]) => Promise<LedgerClient>;
}

export const idpAdmin: Right = { kind: { IdentityProviderAdmin: { value: {} } } };

export async function startIdentityProvider(
  participant: TestParticipant,
  id: string,
  atEnd: AtEnd,
): Promise<TestIdentityProvider> {
  const signer = await newSigner("ES256", id);
  const { url: jwksUrl } = await startKeyServer([signer.publicJwk], {}, atEnd);
  const issuer = `https://${encodeURIComponent(id)}.example.com`;
  await participant.admin.createIdentityProviderConfig({
    body: {
      identityProviderConfig: {
        identityProviderId: id,
        issuer,
        jwksUrl,
        audience: AUDIENCE,
      },
    },
  });
  const token = (user: string) => signer.sign({ sub: user, aud: AUDIENCE, iss: issuer });
  const client = (user: string, url = participant.url) =>
    createClient(ledgerApi, {
      fetch: (address, init) => fetch(address, init),
      baseUrl: url,
      token: () => token(user),
    });
  return {
    id,
    token,
    client,
    call: async (user, method, path, body) =>
      call(participant.url + path, {
        method,
        authorization: `Bearer ${await token(user)}`,
        ...(body === undefined ? {} : { body }),
      }),
    addUser: async (user, rights) => {
      await participant.admin.createUser({ body: { user: { id: user, identityProviderId: id }, rights } });
      return client(user);
    },
  };
}
