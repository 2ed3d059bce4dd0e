/** The keys of a participant for tests of their rotation: as its folder keeps them, and as the network has them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, sequencerApi, sessionMessage } from "@callsign/api";
import type { PrivateIdentity, SigningKey } from "@callsign/node";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { freshOpening } from "../support/session-opening.ts";
import type { SvNodes } from "../support/sv-nodes.ts";

export const ROTATE = { replaceUnknown: false };

export function identityIn(folder: string): PrivateIdentity {
  return JSON.parse(readFileSync(join(folder, "identity.json"), "utf8")) as PrivateIdentity;
}

export function publicKeyOf(privateKey: string): string {
  return signingKeyOf(privateKey).publicKey;
}

/** The member's keys, as an SV's replica has them. */
export function registeredKeys({ svs }: Pick<SvNodes, "svs">, member: string) {
  const found = svs[0]?.replica.state.findMember(member);
  return { keys: found?.signingKeys, serial: found?.keySerial };
}

/** A session by that key; `follow` resolves with the status of a read. */
export async function openSession(sequencer: string, member: string, key: SigningKey) {
  const client = createClient(sequencerApi, { baseUrl: sequencer, fetch: (url, init) => fetch(url, init) });
  const { network, sequencer: id } = await client.getNetwork();
  const { challenge } = await client.askChallenge({ body: { member, ...freshOpening() } });
  const signature = key.sign(sessionMessage({ network, sequencer: id, challenge }));
  const { token } = await client.openSession({
    body: { member, challenge, publicKey: key.publicKey, signature },
  });
  const follow = async () =>
    (
      await fetch(`${sequencer}/api/sequencer/v1/stream?after=0`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  return { follow };
}
