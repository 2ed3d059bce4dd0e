// The renewal of one wallet never ends: those of the others are paid.

import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;

beforeAll(async () => {
  // The network's own validator has the same operator, and would pay as well.
  network = await LocalNetwork.start({ pausedAutomations: ["record-liveness", "renew-subscriptions"] });
  participant = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
});
afterAll(async () => {
  await network.close();
  await participant.close();
});

interface Owner {
  readonly wallet: ValidatorClient;
  readonly party: string;
  readonly idle: string;
}

test("a renewal that hangs delays no other wallet", async () => {
  const users = ["anna", "bert"] as const;
  const made = new Map<string, { readonly party: string; readonly token: string }>();
  for (const user of users) made.set(user, await network.makeUser(user));
  const validator = await network.startValidator(users, "slow-wallet", { participantUrl: participant.url });
  const owners: Owner[] = [];
  for (const [user, { party, token }] of made) {
    const wallet = validatorClient(validator.url, token);
    await wallet.tap({ body: { amount: "10" } });
    await network.buy(wallet, user);
    const readIdle = async () => {
      const [item] = (await wallet.listSubscriptions()).subscriptions;
      return item !== undefined && "idle" in item.state ? item.state.idle.contract_id : "";
    };
    await expect.poll(readIdle).not.toBe("");
    owners.push({ wallet, party, idle: await readIdle() });
  }
  // The slow one is looked at first.
  const [slow, quick] = owners.sort((a, b) => (a.idle < b.idle ? -1 : 1));
  if (slow === undefined || quick === undefined) throw new Error("there are two");
  participant.spoil = (path, body) =>
    path.startsWith("/v2/commands") && body.includes(slow.party) ? "hang" : undefined;
  const balance = async ({ wallet }: Owner) => (await wallet.getBalance()).effective_unlocked_qty;
  await network.net.moveClock(61n * DAY);
  // It looks at the clock at once, not at its next turn.
  validator.idle().catch(() => undefined);
  await expect.poll(() => balance(quick), { timeout: 9000 }).toBe("1600.0000000000");
  expect(await balance(slow)).toBe("1800.0000000000");
});
