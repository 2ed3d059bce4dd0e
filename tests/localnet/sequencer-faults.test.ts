// One sequencer of four misbehaves: a participant that is connected to it goes on, and so do the names bought there.

import { beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { svApi } from "../../packages/api/src/sv/api.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { beforeSequencer, type FaultySequencer, LASTING_FAULTS } from "../support/faulty-sequencer.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { newParticipant } from "../support/participants.ts";

const USER = "carol";
const atEnd = atEndOfFile();

let world: LocalNetwork;
let faulty: FaultySequencer;
let wallet: ValidatorClient;
let party: string;

beforeAll(async () => {
  world = await LocalNetwork.start({ separateReplicas: true });
  atEnd(() => world.close());
  const [first, ...others] = world.net.svs.map(({ sequencerUrl }) => sequencerUrl);
  const identity = world.net.svs[0]?.identity;
  faulty = await beforeSequencer(first as string, atEnd, identity === undefined ? {} : { identity });
  const auth = { nodeIdentifier: "fourth-participant", auth: AUTH, adminUsers: [SERVICE_USER] };
  const participant = await newParticipant([faulty.url, ...others], auth, atEnd);
  const validator = await world.startValidator([USER], "fourth", {
    participantUrl: participant.url,
    operatorPartyHint: "fourth-validator-1",
    onboarding: await selfServiceAt(world.net.svs[0]?.appUrl ?? ""),
    pausedAutomations: [],
  });
  wallet = validatorClient(validator.url, await makeToken(USER));
  party = (await wallet.userStatus()).party_id;
  await wallet.tap({ body: { amount: "50" } });
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
  const faults = LASTING_FAULTS.length;
  expect(names.length).toBe(2 * faults + 3);
  const { effective_unlocked_qty, effective_locked_qty } = await wallet.getBalance();
  // 50 dollars and one more for each fault, at half a cent a coin; a name costs 200.
  expect(Number(effective_unlocked_qty)).toBe((50 + faults) * 200 - names.length * 200);
  expect(Number(effective_locked_qty)).toBe(0);
  expect(await world.digestsAgree()).toBe(true);
});
