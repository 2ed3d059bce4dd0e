// A participant's signing key is rotated under load; one that is killed or cut off on the way ends the rotation by itself.

import { fingerprintOf } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import { ADMIN, AUDIENCE, newActor, newParticipant, ready, SECRET } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { KILL_POINTS, rotateAndDie } from "./key-rotation-process.ts";
import { createPreference, listActive } from "./preferences.ts";
import { identityIn, openSession, publicKeyOf, ROTATE, registeredKeys } from "./rotated-keys.ts";

test("a key is rotated under load: no submission fails, and the participant stays ready", async () => {
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
});

test("a rotation that the sequencers cut short ends by itself, and signs with the old key until then", async () => {
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
});

test.each(KILL_POINTS)("killed when %s", async (killPoint) => {
  const { svs, sequencers } = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  const read = () => identityIn(dataFolder);
  const first = await newParticipant(sequencers, { dataFolder });
  await ready(first);
  const { party, client } = await newActor(first, "alice");
  await client.submitAndWait({ body: createPreference(party) });
  const old = read();
  await first.close();

  const auth = { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const;
  await rotateAndDie({ dataFolder, sequencers, auth, adminUsers: [ADMIN], killPoint });
  const left = read();
  const isOver = killPoint === "the new key has taken the old one's place";
  expect(left.nextSigningKey === undefined).toBe(isOver);

  const again = await newParticipant(sequencers, { dataFolder });
  await ready(again);
  const isEnded = () => read().nextSigningKey === undefined;
  const newKeySigns = async () => {
    const { signing, next } = await again.keys.show();
    return signing === next;
  };
  await until(async () => isEnded() || (await newKeySigns()), "the new key signs");
  // Entries of the killed process may take a minute of the network's time to end.
  if (!isEnded()) await svs[0]?.moveClock(61_000_000n);
  await until(isEnded, "the rotation is over", 120_000);
  const { signingKey } = read();
  expect(signingKey).toBe(left.nextSigningKey ?? left.signingKey);
  expect(signingKey).not.toBe(old.signingKey);
  expect(svs[0]?.replica.state.findMember(again.participantId)).toMatchObject({
    signingKeys: [publicKeyOf(signingKey)],
    keySerial: 3n,
  });
  await again.as("alice").submitAndWait({ body: createPreference(party) });
  expect(await listActive(again.as("alice"), party)).toHaveLength(2);
});
