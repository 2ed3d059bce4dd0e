// A participant that is killed at any point of a rotation starts again, and ends the rotation by itself.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PrivateIdentity } from "@callsign/node";
import { expect, test } from "vitest";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ADMIN, AUDIENCE, newActor, newParticipant, ready, SECRET } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { KILL_POINTS, rotateAndDie } from "./key-rotation-process.ts";
import { createPreference, listActive } from "./preferences.ts";

test.each(KILL_POINTS)("%s", async (killPoint) => {
  const { svs, sequencers } = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  const read = () => JSON.parse(readFileSync(join(dataFolder, "identity.json"), "utf8")) as PrivateIdentity;
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
    signingKeys: [signingKeyOf(signingKey).publicKey],
    keySerial: 3n,
  });
  await again.as("alice").submitAndWait({ body: createPreference(party) });
  expect(await listActive(again.as("alice"), party)).toHaveLength(2);
});
