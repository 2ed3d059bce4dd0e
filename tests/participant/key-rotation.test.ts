// A participant's signing key is rotated while it works: nothing is refused, and the old key is worth nothing afterwards.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, sequencerApi, sessionMessage } from "@callsign/api";
import { fingerprintOf } from "@callsign/ledger";
import { type PrivateIdentity, RotationRefused, sha256 } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { chosenStore } from "../support/postgres.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { createPreference, listActive } from "./preferences.ts";

const ROTATE = { replaceUnknown: false };

function identityIn(folder: string): PrivateIdentity {
  return JSON.parse(readFileSync(join(folder, "identity.json"), "utf8")) as PrivateIdentity;
}

function publicKeyOf(privateKey: string): string {
  return signingKeyOf(privateKey).publicKey;
}

/** The member's keys, as an SV's replica has them. */
function registeredKeys({ svs }: SvNodes, member: string) {
  const found = svs[0]?.replica.state.findMember(member);
  return { keys: found?.signingKeys, serial: found?.keySerial };
}

/** The status of the answer to a proof by that key. */
async function openSession(sequencer: string, member: string, key: ReturnType<typeof signingKeyOf>) {
  const client = createClient(sequencerApi, { baseUrl: sequencer, fetch: (url, init) => fetch(url, init) });
  const { network, sequencer: id } = await client.getNetwork();
  const { challenge } = await client.askChallenge({ body: { member } });
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

test.skipIf(chosenStore !== "SQLite")(
  "a key is rotated under load: no submission fails, and the participant stays ready",
  async () => {
    const network = await startSvNodes(4);
    const dataFolder = temporaryFolder();
    const participant = await newParticipant(network.sequencers, { dataFolder });
    await ready(participant);
    const { participantId: member } = participant;
    const { party, client } = await newActor(participant, "alice");
    const before = identityIn(dataFolder);
    const old = signingKeyOf(before.signingKey);
    expect(registeredKeys(network, member)).toEqual({ keys: [old.publicKey], serial: 1n });
    const session = await openSession(network.sequencers[0] ?? "", member, old);
    expect(await session.follow()).toBe(200);

    let [acknowledged, isOver, wasReady] = [0, false, true];
    const working = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await client.submitAndWait({ body: createPreference(party) });
        acknowledged++;
        wasReady &&= participant.isReady();
      }
    });
    const enough = (count: number) => until(() => acknowledged >= count, "enough was acknowledged");
    await enough(10);
    const shown = await participant.keys.rotate(ROTATE);
    await enough(acknowledged + 10);
    isOver = true;
    await Promise.all(working);

    expect(wasReady).toBe(true);
    const after = identityIn(dataFolder);
    const key = publicKeyOf(after.signingKey);
    expect(after).toEqual({ ...before, signingKey: expect.not.stringMatching(before.signingKey) });
    expect(registeredKeys(network, member)).toEqual({ keys: [key], serial: 3n });
    const fingerprint = fingerprintOf(sha256, key);
    expect(shown).toMatchObject({
      member,
      signing: fingerprint,
      next: null,
      registered: [fingerprint],
      serial: 3,
    });
    expect(await listActive(client, party)).toHaveLength(acknowledged);
    expect(await session.follow()).toBe(401);
    await expect(openSession(network.sequencers[0] ?? "", member, old)).rejects.toThrow(/other keys/);

    await participant.close();
    const again = await newParticipant(network.sequencers, { dataFolder });
    await ready(again);
    expect(await listActive(again.as("alice"), party)).toHaveLength(acknowledged);
    expect((await again.keys.rotate(ROTATE)).serial).toBe(5);
  },
);

test.skipIf(chosenStore !== "SQLite")(
  "keys of which the identity has none are replaced only when that is asked for",
  async () => {
    const network = await startSvNodes(1);
    const dataFolder = temporaryFolder();
    const first = await newParticipant(network.sequencers, { dataFolder });
    await ready(first);
    const copy = JSON.stringify(identityIn(dataFolder));
    await first.keys.rotate(ROTATE);
    await first.close();
    writeFileSync(join(dataFolder, "identity.json"), copy);

    const restored = await newParticipant(network.sequencers, { dataFolder });
    await until(
      () => /another signing key/.test(restored.missing() ?? ""),
      "it says that the key is another",
    );
    await expect(restored.keys.rotate(ROTATE)).rejects.toThrow(RotationRefused);
    expect(JSON.stringify(identityIn(dataFolder))).toBe(copy);
    await restored.keys.rotate({ replaceUnknown: true });
    expect(registeredKeys(network, restored.participantId)).toEqual({
      keys: [publicKeyOf(identityIn(dataFolder).signingKey)],
      serial: 4n,
    });
    await ready(restored);
  },
);

test.skipIf(chosenStore !== "SQLite")(
  "a rotation that the sequencers cut short ends by itself, and signs with the old key until then",
  async () => {
    const network = await startSvNodes(1);
    const sequencer = await beforeSequencer(network.sequencers[0] ?? "", onTestFinished);
    const dataFolder = temporaryFolder();
    const participant = await newParticipant([sequencer.url], { dataFolder });
    await ready(participant);
    const { party, client } = await newActor(participant, "alice");
    const { signingKey } = identityIn(dataFolder);
    sequencer.behave("swallow");
    const rotating = participant.keys.rotate(ROTATE);
    await until(() => sequencer.swallowed() > 0, "the delegation was lost");
    expect((await participant.keys.show()).next).not.toBeNull();
    sequencer.behave("honest");
    await rotating;
    expect(identityIn(dataFolder).signingKey).not.toBe(signingKey);
    await client.submitAndWait({ body: createPreference(party) });
  },
);
