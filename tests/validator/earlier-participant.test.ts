// A participant that stands earlier than it did: for a moment, after its machine lost power, or for good.

import { join } from "node:path";
import { openDatabase, openSqliteStore, silentLog, systemHost } from "@callsign/node";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LedgerFollower } from "../../packages/validator/src/follower/ledger-follower.ts";
import { WalletHistory } from "../../packages/validator/src/history/wallet-history.ts";
import { LedgerClock } from "../../packages/validator/src/ledger/ledger-clock.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { historyOf } from "../support/history.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let validator: Validator;
let wallet: ValidatorClient;
let url: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  const { ledgerUrl, token } = network.net.nodes["app-user"];
  participant = await startFaultyParticipant(ledgerUrl);
  validator = await network.startValidator(["app-user"], "copy", { participantUrl: participant.url });
  url = validator.url;
  wallet = validatorClient(url, token);
  await wallet.tap({ body: { amount: "5" } });
});
afterAll(async () => {
  await network.close();
  await participant.close();
});
beforeEach(() => {
  participant.spoil = () => undefined;
});

const readiness = async () => (await fetch(`${url}/api/validator/readyz`)).status;

/** Lets the participant's ledger end at the offset. Answers how often its end was read. */
function standAt(offset: number): () => number {
  let looks = 0;
  participant.spoil = (path) => {
    if (path.startsWith("/v2/updates")) return { status: 200, body: [] };
    if (path !== "/v2/state/ledger-end") return undefined;
    looks++;
    return { status: 200, body: { offset } };
  };
  return () => looks;
}

test("while the participant's ledger is shorter, wallets keep their contracts and the validator is not ready", async () => {
  const { effective_unlocked_qty: before } = await wallet.getBalance();
  const looks = standAt(1);
  await wallet.tap({ body: { amount: "1" } }).catch(() => undefined);
  await expect.poll(readiness, { timeout: 60_000 }).toBe(503);
  const seen = looks();
  await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThan(seen + 5);
  expect(Number((await wallet.getBalance()).effective_unlocked_qty)).toBeGreaterThanOrEqual(Number(before));
  participant.spoil = () => undefined;
  await expect.poll(readiness).toBe(200);
  await expect.poll(async () => (await wallet.getBalance()).effective_unlocked_qty).toBe("1200.0000000000");
});

test("while its copy is rebuilt, the validator answers 503 to wallets, not that there is no wallet", async () => {
  const pruned = {
    code: "PARTICIPANT_PRUNED_DATA_ACCESSED",
    cause: "gone",
    errorCategory: 9,
    grpcCodeValue: 9,
    definiteAnswer: false,
  };
  participant.spoil = (path) => {
    if (path.startsWith("/v2/updates")) return { status: 400, body: pruned };
    // A network that does not let the active contracts through yet.
    return path.startsWith("/v2/state/active-contracts") ? "lose" : undefined;
  };
  // A transaction of theirs makes the validator read on.
  await network.validator().tap({ body: { amount: "1" } });
  const answer = () => wallet.getBalance().catch((error: unknown) => String(error));
  await expect.poll(answer, { timeout: 60_000 }).toMatch(/status 503.*reads its copy of the ledger anew/);
  expect(String(await wallet.userStatus().catch((error: unknown) => error))).toMatch(/status 503/);
  expect(await readiness()).toBe(503);
  participant.spoil = () => undefined;
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
  expect((await wallet.getBalance()).effective_unlocked_qty).toBe("1400.0000000000");
});

test("a copy that is behind does not repeat a request that is on the ledger", async () => {
  const body = { name: "behind", url: "", description: "" };
  participant.spoil = (path) => (path.startsWith("/v2/updates") ? { status: 503, body: "away" } : undefined);
  // This tap ends the wait for the next update. Updates behind it are not read.
  await network.validator().tap({ body: { amount: "1" } });
  await expect.poll(readiness).toBe(503);
  const { subscriptionRequestCid } = await network.validator().createAnsEntry({ body });
  const seen: (string | null)[] = [];
  participant.spoil = (path) => {
    if (!path.startsWith("/v2/updates")) return undefined;
    seen.push(validator.missing());
    return { status: 503, body: "away" };
  };
  await expect(wallet.createAnsEntry({ body })).rejects.toThrow(/status 503.*not read all of the ledger/);
  // It stays not ready while it tries again. The first attempt may have begun before the request was on the ledger.
  await expect.poll(() => seen.length).toBeGreaterThan(1);
  for (const missing of seen.slice(1)) expect(missing).toMatch(/the participant cannot be read/);
  participant.spoil = () => undefined;
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
  expect(await wallet.createAnsEntry({ body })).toMatchObject({ subscriptionRequestCid });
  expect((await wallet.listSubscriptionRequests()).subscription_requests).toHaveLength(1);
});

test("a participant whose ledger stays shorter is read from its beginning, for the history as well", async () => {
  const { net, folder } = network;
  const store = await openSqliteStore(openDatabase(join(folder, "follower.sqlite")), walletMigrations);
  const client = new ParticipantClient({
    url: participant.url,
    userId: "ledger-api-user",
    token: () => net.serviceToken,
    host: systemHost,
  });
  const { party_id } = await wallet.userStatus();
  const { dso_party_id } = await wallet.scanProxyGetDsoPartyId();
  const parts = {
    participant: client,
    store: new WalletStore(store),
    clock: new LedgerClock(),
    host: systemHost,
    log: silentLog,
    patience: { stillMilliseconds: 1000, totalMilliseconds: 3000 },
  };
  const follower = await LedgerFollower.open(parts, [party_id], dso_party_id);
  const history = await WalletHistory.open({
    ...{ ...parts, follower, database: store, dso: dso_party_id, acronym: "cns" },
  });
  const items = () => history.listItems(party_id, { limit: 1000, after: null });
  try {
    const end = await client.ledgerEnd();
    expect(await follower.waitFor(end, 5000)).toBe(true);
    await expect.poll(() => follower.missing).toBeNull();
    const before = await items();
    expect(before.length).toBeGreaterThan(0);
    expect(before).toEqual(await historyOf(network.validator()));
    standAt(1);
    await follower.catchUp(10);
    await network.validator().tap({ body: { amount: "1" } });
    await expect.poll(() => follower.missing, { timeout: 60_000 }).toMatch(/shorter than it was/);
    expect(follower.offset).toBeGreaterThanOrEqual(end);
    await expect.poll(() => follower.offset, { timeout: 60_000 }).toBe(1);
    await expect.poll(items, { timeout: 60_000 }).toEqual([]);
    participant.spoil = () => undefined;
    await expect.poll(() => follower.offset, { timeout: 60_000 }).toBeGreaterThan(end);
    expect(follower.missing).toBeNull();
    const after = await items();
    expect(after.slice(after.length - before.length)).toEqual(before);
    expect(after).toEqual(await historyOf(network.validator()));
  } finally {
    client.close();
    await history.close();
    await follower.close();
    await store.close();
  }
});
