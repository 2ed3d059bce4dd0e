// A participant's signing key is rotated while it works: nothing is refused, and the old key is worth nothing afterwards.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RotationRefused } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { chosenStore } from "../support/postgres.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { createPreference, listActive } from "./preferences.ts";
import { identityIn, openSession, publicKeyOf, ROTATE, registeredKeys } from "./rotated-keys.ts";

test("an entry of the old key that is under way is waited for, while entries of the new one go on", async () => {
  const network = await startSvNodes(1);
  const sequencer = await beforeSequencer(network.sequencers[0] ?? "", onTestFinished);
  const participant = await newParticipant([sequencer.url]);
  await ready(participant);
  const { party, client } = await newActor(participant, "alice");
  const isSeen: string[] = [];
  let rotating: Promise<unknown> = Promise.resolve();
  sequencer.atNextSubmission(async () => {
    rotating = participant.keys.rotate(ROTATE).then(() => isSeen.push("rotated"));
    const newKeySigns = async () => {
      const { signing, next } = await participant.keys.show();
      return signing === next;
    };
    await until(newKeySigns, "the new key signs");
    await client.submitAndWait({ body: createPreference(party) });
    expect((await participant.keys.show()).serial).toBe(2);
    isSeen.push("released");
  });
  await client.submitAndWait({ body: createPreference(party) });
  await rotating;
  expect(isSeen).toEqual(["released", "rotated"]);
  expect(await participant.keys.show()).toMatchObject({ next: null, serial: 3 });
  expect(await listActive(client, party)).toHaveLength(2);
});

test("the old key opens nothing after it, and keys of which the identity has none are replaced only when asked for", async ({
  skip,
}) => {
  skip(chosenStore !== "SQLite", "the identity is in a file only beside SQLite's");
  const network = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  const first = await newParticipant(network.sequencers, { dataFolder });
  await ready(first);
  const copy = JSON.stringify(identityIn(dataFolder));
  const [old, sequencer = ""] = [signingKeyOf(identityIn(dataFolder).signingKey), network.sequencers[0]];
  const session = await openSession(sequencer, first.participantId, old);
  expect(await session.follow()).toBe(200);
  await first.keys.rotate(ROTATE);
  expect(await session.follow()).toBe(401);
  await expect(openSession(sequencer, first.participantId, old)).rejects.toThrow(/other keys/);
  await first.close();
  writeFileSync(join(dataFolder, "identity.json"), copy);

  const restored = await newParticipant(network.sequencers, { dataFolder });
  await until(() => /another signing key/.test(restored.missing() ?? ""), "it says that the key is another");
  await expect(restored.keys.rotate(ROTATE)).rejects.toThrow(RotationRefused);
  expect(JSON.stringify(identityIn(dataFolder))).toBe(copy);
  await restored.keys.rotate({ replaceUnknown: true });
  expect(registeredKeys(network, restored.participantId)).toEqual({
    keys: [publicKeyOf(identityIn(dataFolder).signingKey)],
    serial: 4n,
  });
  await ready(restored);
});
