// One sequencer of four misbehaves: a participant that is connected to it goes on, and so do the names bought there.

import { silentLog } from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import { startValidator, type Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { svApi } from "../../packages/api/src/sv/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET } from "../../packages/localnet/src/tokens.ts";
import { atEndOfFile } from "../support/at-end.ts";
import { beforeSequencer, type FaultySequencer, LASTING_FAULTS } from "../support/faulty-sequencer.ts";
import type { ValidatorClient } from "../support/local-network.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const USER = "carol";
const atEnd = atEndOfFile();

let world: LocalNetwork;
let faulty: FaultySequencer;
let participant: Participant;
let validator: Validator;
let wallet: ValidatorClient;
let party: string;

beforeAll(async () => {
  world = await LocalNetwork.start();
  const [first, ...others] = world.net.svs.map(({ sequencerUrl }) => sequencerUrl);
  faulty = await beforeSequencer(first as string, atEnd);
  const folder = temporaryFolder(atEnd);
  const auth = { kind: "hs256", secret: TOKEN_SECRET, audience: TOKEN_AUDIENCE } as const;
  const where = { host: "127.0.0.1", port: 0, log: silentLog, auth };
  participant = await startParticipant({
    ...where,
    dataFolder: `${folder}/participant`,
    nodeIdentifier: "fourth-participant",
    sequencers: [faulty.url, ...others],
    adminUsers: [SERVICE_USER],
  });
  validator = await startValidator({
    ...where,
    dataFolder: `${folder}/validator`,
    participantUrl: participant.url,
    scans: world.net.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
    serviceUser: { userId: SERVICE_USER, token: () => world.net.serviceToken },
    walletUsers: [USER],
    operatorPartyHint: "fourth",
    onboarding: await selfServiceAt(world.net.svs[0]?.appUrl ?? ""),
  });
  await vi.waitUntil(() => validator.isReady(), { timeout: 60_000 });
  const token = await world.token(USER);
  const baseUrl = `${validator.url}/api/validator`;
  wallet = createClient(validatorApi, { fetch, baseUrl, token: () => token });
  party = (await wallet.userStatus()).party_id;
  await wallet.tap({ body: { amount: "50" } });
}, 60_000);
afterAll(async () => {
  await validator?.close();
  await participant?.close();
  await world?.close();
});

/** An onboarding secret, from the self-service of development networks. */
async function selfServiceAt(url: string) {
  const sponsor = createClient(svApi, { fetch, baseUrl: url });
  return { svUrl: url, secret: await sponsor.devNetOnboardValidatorPrepare() };
}

async function buy(chosen: string): Promise<void> {
  const asked = await wallet.createAnsEntry({ body: { name: chosen, url: "", description: "" } });
  await wallet.acceptSubscriptionRequest({ params: { contract_id: asked.subscriptionRequestCid } });
  for (const scan of [1, 2, 3, 4]) {
    await expect.poll(() => world.owner(asked.name, scan), { timeout: 60_000 }).toBe(party);
  }
  await expect.poll(() => ownNames(), { timeout: 60_000 }).toContain(asked.name);
}

async function ownNames(): Promise<readonly string[]> {
  return (await wallet.listAnsEntries()).entries.map(({ name }) => name);
}

describe("names can be bought while one sequencer of four", () => {
  test.each(LASTING_FAULTS)("%s", async (behaviour) => {
    faulty.behave(behaviour);
    await buy(`while-${behaviour}`);
    await buy(`still-${behaviour}`);
    faulty.behave("honest");
  });

  test("changes from one to the next", async () => {
    for (const behaviour of LASTING_FAULTS) {
      faulty.behave(behaviour);
      await wallet.tap({ body: { amount: "1" } });
    }
    faulty.behave("honest");
    await buy("after-all");
  });

  test("stops", async () => {
    await faulty.stop();
    await buy("without-it");
    await buy("for-good");
  });
});

test("every name was paid once, and the replicas agree", async () => {
  const names = await ownNames();
  expect(names.length).toBe(2 * 9 + 3);
  const { effective_unlocked_qty, effective_locked_qty } = await wallet.getBalance();
  // 50 dollars and nine more, at half a cent a coin; a name costs 200.
  expect(Number(effective_unlocked_qty)).toBe((50 + 9) * 200 - names.length * 200);
  expect(Number(effective_locked_qty)).toBe(0);
  expect(await world.digestsAgree()).toBe(true);
});
