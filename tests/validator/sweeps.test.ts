// Sweeps to a party of another validator, by offers and by preapprovals; offers that are accepted automatically.

import { join } from "node:path";
import { type PartyId, TransferOffer } from "@callsign/ledger";
import { makeToken } from "@callsign/localnet";
import { silentLog } from "@callsign/node";
import type { Validator, ValidatorConfig } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AUTH } from "../../packages/localnet/src/tokens.ts";
import { automationOf } from "../support/automation-of.ts";
import { Child } from "../support/child-process.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { storeIn } from "../support/postgres.ts";

let network: LocalNetwork;
let bobs: ValidatorClient;
let bob: string;

interface Sender {
  readonly party: PartyId;
  readonly wallet: ValidatorClient;
}

/** A user of the first validator, with a wallet and a party of its own. */
async function newSender(): Promise<Sender> {
  const wallet = network.validator("app-user", await makeToken(fresh("sender")));
  return { party: (await wallet.register()).party_id as PartyId, wallet };
}

beforeAll(async () => {
  network = await LocalNetwork.start();
  [bobs, bob] = [network.validator("app-provider"), await network.party("app-provider")];
});
afterAll(() => network?.close());

const coin = (whole: bigint) => whole * 10n ** 10n;
const dollars = (amount: string, wallet: ValidatorClient) => wallet.tap({ body: { amount } });

async function balanceOf(wallet: ValidatorClient): Promise<bigint> {
  return BigInt((await wallet.getBalance()).effective_unlocked_qty.replace(".", ""));
}

async function offersOf(party: PartyId): Promise<readonly TransferOffer[]> {
  return (await network.listActive(TransferOffer, party)).map(({ payload }) => payload);
}

/** A coin is worth 0.005 $: above 2 $ all is sent but 0.5 $, which are 100 coins. */
const SWEEP = { maxBalanceUSD: "2", minBalanceUSD: 0.5 };

let validators = 0;

/** A second process of the first validator, which sweeps. */
async function startSweeping(change: Partial<ValidatorConfig>): Promise<Validator> {
  return await network.startValidator(["app-user"], `sweeping-${validators++}`, change);
}

async function quiet(validator: Validator): Promise<void> {
  await validator.idle();
  await network.settle();
}

function statusOf(validator: Validator, name: string) {
  return validator.automations().find(({ automation }) => automation === name);
}

describe("a sweep by an offer", () => {
  test("offers all above the lower limit, counts open and accepted offers, and leaves exactly the limit", async () => {
    const { party, wallet } = await newSender();
    const validator = await startSweeping({ walletSweep: { [party]: { ...SWEEP, receiver: bob } } });
    await dollars("2", wallet);
    await quiet(validator);
    expect(await offersOf(party)).toEqual([]);
    // 2.0000000001 $ in all: 400.00000002 coins.
    await dollars("0.0000000001", wallet);
    await quiet(validator);
    const first = coin(300n) + 200n;
    const made = await offersOf(party);
    expect(made).toMatchObject([
      { receiver: bob, amount: { amount: first, unit: "AmuletUnit" }, description: "sweep" },
    ]);
    expect((made[0]?.expiresAt ?? 0n) - network.net.now()).toBeLessThanOrEqual(600_000_000n);
    // 400 coins beside the offer are worth 2 $: still within the limit.
    await dollars("1.5", wallet);
    await quiet(validator);
    expect(await offersOf(party)).toHaveLength(1);
    await dollars("0.1", wallet);
    await quiet(validator);
    const amounts = (await offersOf(party)).map(({ amount }) => amount.amount);
    expect(amounts).toEqual([first, coin(320n)]);
    const before = await balanceOf(bobs);
    for (const { contract_id } of (await bobs.listTransferOffers()).offers)
      await bobs.acceptTransferOffer({ params: { contract_id } });
    await quiet(validator);
    expect(await offersOf(party)).toEqual([]);
    expect(await balanceOf(wallet)).toBe(coin(100n));
    expect(await balanceOf(bobs)).toBe(before + first + coin(320n));
    expect(statusOf(validator, "sweep-wallets")).toMatchObject({ done: 2, failed: 0, waiting: 0 });
    await validator.close();
  });

  test("counts an offer of the user to the receiver, and none to others; an offer that expired is swept again", async () => {
    const { party, wallet } = await newSender();
    await dollars("3", wallet);
    const offer = (receiver_party_id: string, amount: string) =>
      wallet.createTransferOffer({
        body: {
          ...{ receiver_party_id, amount, description: "", tracking_id: fresh("own") },
          expires_at: Number(network.net.now()) + 3_600_000_000,
        },
      });
    await offer(bob, "200.0");
    await offer(await network.party("sv"), "50.0");
    const validator = await startSweeping({ walletSweep: { [party]: { ...SWEEP, receiver: bob } } });
    expect(statusOf(validator, "sweep-wallets")).toMatchObject({ done: 0 });
    await dollars("0.5", wallet);
    await quiet(validator);
    const swept = async () =>
      (await offersOf(party))
        .filter(({ description }) => description === "sweep")
        .map(({ amount }) => amount.amount);
    // 700 − 200 − 100.
    expect(await swept()).toEqual([coin(400n)]);
    await network.net.moveClock(11n * 60_000_000n);
    await quiet(validator);
    expect(await swept()).toEqual([coin(400n)]);
    expect(statusOf(validator, "sweep-wallets")).toMatchObject({ done: 2 });
    await validator.close();
  });
});

test("a receiver's name is resolved at the sweep; without a holder that is said, and nothing is sent", async () => {
  const { party, wallet } = await newSender();
  const name = fresh("treasury");
  const receiver = `${name}.unverified.cns`;
  const walletSweep = { [party]: { ...SWEEP, receiver } };
  const validator = await startSweeping({ walletSweep });
  await dollars("3", wallet);
  await quiet(validator);
  const says = {
    waits: [
      {
        task: party,
        for: "another try",
        reason: expect.stringContaining(`nobody holds the name ${receiver}`),
      },
    ],
  };
  await expect.poll(() => statusOf(validator, "sweep-wallets")).toMatchObject(says);
  expect(await offersOf(party)).toEqual([]);
  await dollars("5", bobs);
  await network.buy("app-provider", name);
  await validator.close();
  // A new process does not wait for the pause before a retry.
  const again = await startSweeping({ walletSweep });
  await quiet(again);
  expect((await offersOf(party)).map((each) => [each.receiver, each.amount.amount])).toEqual([
    [bob, coin(500n)],
  ]);
  await again.close();
});

describe("a sweep by preapproval", () => {
  test("says that the receiver has none; with one it sends at once, and leaves exactly the limit", async () => {
    const { party, wallet } = await newSender();
    const sweep = { ...SWEEP, receiver: bob, useTransferPreapproval: true };
    const validator = await startSweeping({ walletSweep: { [party]: sweep } });
    await dollars("2.5000000001", wallet);
    await quiet(validator);
    const reason = expect.stringContaining("has no transfer preapproval");
    await expect.poll(() => statusOf(validator, "sweep-wallets")?.waits).toMatchObject([{ reason }]);
    await dollars("5", bobs);
    await bobs.createTransferPreapproval();
    await network.settle();
    const before = await balanceOf(bobs);
    // The task is retried.
    await expect.poll(() => balanceOf(wallet), { timeout: 60_000 }).toBe(coin(100n));
    await network.settle();
    expect(await balanceOf(bobs)).toBe(before + coin(400n) + 200n);
    expect(await offersOf(party)).toEqual([]);
    const [item] = (await bobs.listTransactions({ body: { page_size: 1 } })).items;
    expect(item).toMatchObject({ description: "sweep" });
    await validator.close();
  });
});

describe("a process that is killed after its sweep was sent", () => {
  let participant: FaultyParticipant;

  beforeAll(async () => {
    participant = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
  });
  afterAll(() => participant?.close());

  /** Holds back each submission that contains the text, until it is released. */
  function holdBack(text: string) {
    const held: (() => void)[] = [];
    const waiting: (() => void)[] = [];
    participant.spoil = (path, body) => {
      if (!path.startsWith("/v2/commands") || !body.includes(text)) return undefined;
      const gate = Promise.withResolvers<void>();
      held.push(gate.resolve);
      for (const wake of waiting.splice(0)) wake();
      return { after: gate.promise };
    };
    const sent = async () => {
      if (held.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return held.splice(0);
    };
    return { sent };
  }

  async function startChild(folder: string, walletSweep: ValidatorConfig["walletSweep"]) {
    const dataFolder = join(network.folder, folder);
    const config = {
      ...{ dataFolder, ...(await storeIn(dataFolder)), host: "127.0.0.1", port: 0 },
      ...{ participantUrl: participant.url, auth: AUTH, walletUsers: ["app-user"] },
      scans: network.net.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
      operatorPartyHint: "app_user_localnet-localparty-1",
      pausedAutomations: ["record-liveness"],
      ...{ walletSweep, serviceToken: network.net.serviceToken },
    };
    const child = new Child(join(import.meta.dirname, "sweeping-validator.ts"), JSON.stringify(config));
    onTestFinished(() => child.kill());
    const url = (await child.said()).trim();
    const operator = validatorClient(url, network.net.serviceToken);
    const sweeps = () => automationOf(operator, "sweep-wallets");
    return { child, sweeps };
  }

  test("offers once, although its first sending is ordered after the second and coin has arrived since", async () => {
    const { party, wallet } = await newSender();
    const { sent } = holdBack("CreateTransferOffer");
    const walletSweep = { [party]: { ...SWEEP, receiver: bob } };
    const first = await startChild("killed-offer", walletSweep);
    await dollars("3", wallet);
    const firstSendings = await sent();
    await first.child.kill();
    await dollars("1", wallet);
    const second = await startChild("killed-offer", walletSweep);
    for (const release of await sent()) release();
    participant.spoil = () => undefined;
    await expect.poll(async () => (await offersOf(party)).length, { timeout: 60_000 }).toBe(1);
    for (const release of firstSendings) release();
    await expect.poll(second.sweeps, { timeout: 60_000 }).toMatchObject({ waiting: 0, in_flight: 0 });
    await network.settle();
    // 800 coins, less the 100 that stay.
    expect((await offersOf(party)).map(({ amount }) => amount.amount)).toEqual([coin(700n)]);
  }, 120_000);

  test("sends once by preapproval, although both of its sendings are ordered", async () => {
    const { party, wallet } = await newSender();
    const { sent } = holdBack("CO_TransferPreapprovalSend");
    const walletSweep = { [party]: { ...SWEEP, receiver: bob, useTransferPreapproval: true } };
    const first = await startChild("killed-send", walletSweep);
    const before = await balanceOf(bobs);
    await dollars("3", wallet);
    const firstSendings = await sent();
    await first.child.kill();
    await dollars("1", wallet);
    const second = await startChild("killed-send", walletSweep);
    const secondSendings = await sent();
    for (const release of firstSendings) release();
    // 800 coins, less the 500 above the limit when the first one was sent.
    await expect.poll(() => balanceOf(wallet), { timeout: 60_000 }).toBe(coin(300n));
    participant.spoil = () => undefined;
    for (const release of secondSendings) release();
    await expect.poll(second.sweeps, { timeout: 60_000 }).toMatchObject({ waiting: 0, in_flight: 0 });
    await network.settle();
    expect(await balanceOf(wallet)).toBe(coin(300n));
    expect(await balanceOf(bobs)).toBe(before + coin(500n));
  }, 120_000);
});

test("a listed sender's offers are accepted automatically, and all others are left alone", async () => {
  const [receiver, stranger] = [await newSender(), await newSender()];
  const validator = await startSweeping({
    autoAcceptTransfers: { [receiver.party]: { fromParties: [bob] } },
  });
  await dollars("5", bobs);
  await dollars("5", stranger.wallet);
  const offer = (from: ValidatorClient, to: string) =>
    from.createTransferOffer({
      body: {
        ...{ receiver_party_id: to, amount: "12.5", description: "", tracking_id: fresh("offer") },
        expires_at: Number(network.net.now()) + 3_600_000_000,
      },
    });
  await offer(stranger.wallet, receiver.party);
  await offer(bobs, stranger.party);
  await offer(bobs, receiver.party);
  await expect.poll(() => balanceOf(receiver.wallet), { timeout: 60_000 }).toBe(coin(12n) + coin(1n) / 2n);
  await quiet(validator);
  expect((await offersOf(receiver.party)).map(({ sender }) => sender)).toEqual([stranger.party]);
  expect((await offersOf(stranger.party)).map(({ sender }) => sender).sort()).toEqual(
    [bob, stranger.party].sort(),
  );
  expect(statusOf(validator, "accept-transfer-offers")).toMatchObject({ done: 1, failed: 0, waiting: 0 });
  await validator.close();
});

test("parties without a wallet here are named in the log at the start", async () => {
  const said: { readonly key?: unknown; readonly party?: unknown }[] = [];
  const warn = (fields: object, text: string) => {
    if (text.includes("has no wallet here")) said.push(fields);
  };
  const validator = await startSweeping({
    walletSweep: { [bob]: { ...SWEEP, receiver: await network.party("sv") } },
    autoAcceptTransfers: { [bob]: { fromParties: [await network.party("sv")] } },
    log: { ...silentLog, warn },
  });
  expect(said).toEqual([
    { key: "walletSweep", party: bob },
    { key: "autoAcceptTransfers", party: bob },
  ]);
  await validator.close();
});

test("a lower limit above the upper one is refused before anything starts", async () => {
  const party = await network.party("app-user");
  const walletSweep = { [party]: { maxBalanceUSD: 1, minBalanceUSD: "1.0000000001", receiver: bob } };
  await expect(startSweeping({ walletSweep })).rejects.toThrow(
    `walletSweep.${party}.minBalanceUSD: 1.0000000001 is more than maxBalanceUSD, which is 1: give at most maxBalanceUSD`,
  );
});
