/**
 * Sessions of a lying SV: the real sequencer checks its members, and the liar puts its own proof, made with the SV's keys, in
 * the place of the real one. So it can authenticate whatever it says.
 */
import type { IncomingMessage } from "node:http";
import {
  createClient,
  openingMessage,
  type SequencerProof,
  sealedText,
  sequencerApi,
  svKeyMessage,
} from "@callsign/api";
import { makeEphemeralKey, type SessionKey, systemHost } from "@callsign/node";
import type { MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";

export class LyingSessions {
  readonly #identity: MemberIdentity;
  readonly #byChallenge = new Map<string, SessionKey>();
  readonly #byToken = new Map<string, SessionKey>();

  constructor(identity: MemberIdentity) {
    this.#identity = identity;
  }

  /** The answer with the liar's own proof; null for an answer that is no part of the opening of a session. */
  async replace(
    { url = "" }: IncomingMessage,
    body: string,
    said: string,
    target: string,
  ): Promise<string | null> {
    if (url.endsWith("/v1/challenge")) return this.#prove(body, said, target);
    if (url.endsWith("/v1/session")) {
      const key = this.#byChallenge.get((JSON.parse(body) as { challenge: string }).challenge);
      if (key !== undefined) this.#byToken.set((JSON.parse(said) as { token: string }).token, key);
    }
    return null;
  }

  /** The seal of what the liar says; null outside of its sessions. */
  seal({ url = "", headers }: IncomingMessage, requested: string, body: string): string | null {
    const key = this.#byToken.get((headers.authorization ?? "").replace(/^Bearer /, ""));
    const asked = askedOf(url, requested);
    return key === undefined || asked === null ? null : key.seal(sealedText({ ...asked, body }));
  }

  async #prove(body: string, said: string, target: string): Promise<string> {
    const { id: sequencer, namespaceKey, signingKey } = this.#identity;
    const { member, challenge: memberChallenge, sessionKey } = JSON.parse(body) as Record<string, string>;
    const answer = JSON.parse(said) as { challenge: string; proof: SequencerProof };
    const { network } = await createClient(sequencerApi, { fetch, baseUrl: target }).getNetwork();
    const own = makeEphemeralKey(systemHost.randomness);
    const opening = {
      ...{ network, sequencer, challenge: answer.challenge, sequencerKey: own.publicKey },
      ...{ member: member ?? "", memberChallenge: memberChallenge ?? "", memberKey: sessionKey ?? "" },
    };
    const key = own.agree(opening.memberKey, openingMessage(opening));
    if (key !== null) this.#byChallenge.set(answer.challenge, key);
    const { serial } = answer.proof;
    const certified = { network, sv: sequencer, signingKey: signingKey.publicKey, serial };
    const proof: SequencerProof = {
      ...{ serial, sessionKey: own.publicKey },
      ...{ namespaceKey: namespaceKey.publicKey, signingKey: signingKey.publicKey },
      certificate: namespaceKey.sign(svKeyMessage(certified)),
      signature: signingKey.sign(openingMessage(opening)),
    };
    return JSON.stringify({ ...answer, proof });
  }
}

function askedOf(
  url: string,
  body: string,
): { operation: string; asked: readonly (string | number)[] } | null {
  const { pathname, searchParams } = new URL(url, "http://sequencer");
  const given = (name: string) => searchParams.get(name) ?? "";
  if (pathname.endsWith("/v1/stream"))
    return { operation: "follow", asked: [Number(given("after")), Number(given("limit"))] };
  if (pathname.endsWith("/v1/parties"))
    return {
      operation: "listTopologyParties",
      asked: [given("after"), given("prefix"), Number(given("limit")), given("known")],
    };
  if (!pathname.endsWith("/v1/parties/find")) return null;
  return { operation: "findTopologyParties", asked: (JSON.parse(body) as { parties: string[] }).parties };
}
