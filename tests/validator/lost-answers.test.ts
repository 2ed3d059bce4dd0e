// A participant that loses answers, has pruned its history, or has another ledger.

import type { Transaction } from "@callsign/api";
import { FeaturedAppRight } from "@callsign/ledger";
import { silentLog, systemHost } from "@callsign/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { startFaultyWallet } from "./faulty-wallet.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let wallet: ValidatorClient;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ network, participant, wallet, close } = await startFaultyWallet());
});
afterAll(() => close?.());

const isSubmission = (path: string) => path.startsWith("/v2/commands");

/** Loses the answers of that many submissions, which take effect. */
function loseAnswers(times: number): void {
  let left = times;
  participant.spoil = (path) => (isSubmission(path) && left-- > 0 ? "lose" : undefined);
}

/** The first call ends without an answer, and the network orders its command only after that. */
async function repeatedAfterSilence<T>(call: () => Promise<T>): Promise<T> {
  const [sent, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  participant.spoil = (path) => {
    if (!isSubmission(path)) return undefined;
    sent.resolve();
    return { after: gate.promise };
  };
  const first = outcomeOf(call());
  await sent.promise;
  expect((await outcomeOf(call())).status).toBe(429);
  expect((await first).status).toBe(503);
  loseAnswers(0);
  gate.resolve();
  return await call();
}

async function balance(): Promise<string> {
  return (await wallet.getBalance()).effective_unlocked_qty;
}

test("without coin an acceptance is refused after one submission", async () => {
  const body = { name: "poor", url: "", description: "" };
  const { subscriptionRequestCid: contract_id } = await wallet.createAnsEntry({ body });
  let submissions = 0;
  participant.spoil = (path, sent) => {
    if (isSubmission(path) && sent.includes("CO_SubscriptionAcceptAndMakeInitialPayment")) submissions++;
    return undefined;
  };
  await expect(wallet.acceptSubscriptionRequest({ params: { contract_id } })).rejects.toThrow(/status 400/);
  expect(submissions).toBe(1);
  await wallet.rejectSubscriptionRequest({ params: { contract_id } });
});

test("a tap whose answer got lost mints once, and is answered", async () => {
  loseAnswers(1);
  const { contract_id } = await wallet.tap({ body: { amount: "10" } });
  expect(contract_id).toMatch(/^00/);
  expect(await balance()).toBe("2000.0000000000");
  loseAnswers(2);
  await wallet.tap({ body: { amount: "10", command_id: "twice lost" } });
  expect(await balance()).toBe("4000.0000000000");
});

test("a name is requested once and paid once, whichever answer gets lost", async () => {
  loseAnswers(1);
  const body = { name: "alice", url: "", description: "" };
  const { subscriptionRequestCid } = await wallet.createAnsEntry({ body });
  loseAnswers(0);
  expect((await wallet.createAnsEntry({ body })).subscriptionRequestCid).toBe(subscriptionRequestCid);
  expect((await wallet.listSubscriptionRequests()).subscription_requests).toHaveLength(1);
  loseAnswers(1);
  await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  await network.net.settle();
  await expect.poll(balance).toBe("3800.0000000000");
  const names = async () => (await wallet.listAnsEntries()).entries.map(({ name }) => name);
  await expect.poll(names).toEqual(["alice.unverified.cns"]);
});

test("an offer is made once: a repetition is refused while it is in flight, and then gets the first answer", async () => {
  const { party_id: receiver_party_id } = await network.validator("app-provider").userStatus();
  const offer = { receiver_party_id, amount: "1.0", description: "", tracking_id: "lost" };
  const request = { body: { ...offer, expires_at: Number(network.net.now()) + 3_600_000_000 } };
  const repeated = await repeatedAfterSilence(() => wallet.createTransferOffer(request));
  expect(await wallet.createTransferOffer(request)).toEqual(repeated);
  const ids = (await wallet.listTransferOffers()).offers.map(({ contract_id }) => contract_id);
  expect(ids).toEqual([repeated.offer_contract_id]);
});

test("an offer is accepted and rejected once, and the repetition gets the first answer", async () => {
  const [others, expires_at] = [network.validator("app-provider"), Number(network.net.now()) + 3_600_000_000];
  const { party_id } = await wallet.userStatus();
  // The other wallet never has so much: the accepted offer waits.
  const terms = { amount: "1000000.0", description: "", expires_at };
  const offered = async (tracking_id: string) => {
    const body = { ...terms, receiver_party_id: party_id, tracking_id };
    const { offer_contract_id: contract_id } = await others.createTransferOffer({ body });
    await network.net.settle();
    await expect.poll(async () => JSON.stringify(await wallet.listTransferOffers())).toContain(contract_id);
    return { params: { contract_id } };
  };
  const toAccept = await offered("accepted");
  const accepted = await repeatedAfterSilence(() => wallet.acceptTransferOffer(toAccept));
  expect(accepted.accepted_offer_contract_id).toMatch(/^00/);
  expect(await wallet.acceptTransferOffer(toAccept)).toEqual(accepted);
  const toReject = await offered("rejected");
  await repeatedAfterSilence(() => wallet.rejectTransferOffer(toReject));
  const status = await others.getTransferOfferStatus({ params: { tracking_id: "rejected" } });
  expect(status).toMatchObject({ status: "failed", failure_kind: "rejected" });
});

test("a transfer by the token standard is made and withdrawn once, and the repetition gets the first answer", async () => {
  const { party_id: receiver_party_id } = await network.validator("app-provider").userStatus();
  const before = await balance();
  const body = {
    ...{ receiver_party_id, amount: "1.0", description: "", tracking_id: "tokens" },
    expires_at: Number(network.net.now()) + 3_600_000_000,
  };
  const made = await repeatedAfterSilence(() => wallet.createTokenStandardTransfer({ body }));
  const { transfers } = await wallet.listTokenStandardTransfers();
  const [contract_id = ""] = transfers.map((transfer) => transfer.contract_id);
  expect(made.output).toEqual({ transfer_instruction_cid: contract_id });
  expect(transfers).toHaveLength(1);
  const withdrawn = await repeatedAfterSilence(() =>
    wallet.withdrawTokenStandardTransfer({ params: { contract_id } }),
  );
  expect(withdrawn.sender_change_cids).toHaveLength(1);
  expect(await balance()).toBe(before);
});

test("a right of a featured app is granted once, whichever answers get lost", async () => {
  const [sent, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  participant.spoil = (path) => {
    if (!isSubmission(path)) return undefined;
    sent.resolve();
    return { after: gate.promise };
  };
  const first = outcomeOf(wallet.selfGrantFeatureAppRight());
  await sent.promise;
  expect((await first).status).toBe(503);
  // The network orders the first sending only now.
  loseAnswers(1);
  gate.resolve();
  const { contract_id } = await wallet.selfGrantFeatureAppRight();
  loseAnswers(0);
  const { party_id } = await wallet.userStatus();
  const rights = await network.listActive(FeaturedAppRight, party_id);
  expect(rights.map(({ contractId }) => contractId)).toEqual([contract_id]);
});

test("contention is met with fresh inputs a few times, and then answered", async () => {
  const conflict = {
    status: 404,
    body: { code: "LOCAL_VERDICT_INACTIVE_CONTRACTS", cause: "used up", errorCategory: 11, grpcCodeValue: 5 },
  };
  let left = 2;
  participant.spoil = (path) => (isSubmission(path) && left-- > 0 ? conflict : undefined);
  await wallet.tap({ body: { amount: "1" } });
  expect(await balance()).toBe("4000.0000000000");
  let tries = 0;
  participant.spoil = (path) => {
    if (!isSubmission(path)) return undefined;
    tries++;
    return conflict;
  };
  await expect(wallet.tap({ body: { amount: "1" } })).rejects.toThrow(/status 404.*used up/);
  expect(tries).toBe(6);
  loseAnswers(0);
  expect(await balance()).toBe("4000.0000000000");
});

test("a copy behind a pruned history says so, and loads the active contracts", async () => {
  const said: string[] = [];
  const pruned = {
    status: 400,
    body: {
      code: "PARTICIPANT_PRUNED_DATA_ACCESSED",
      cause: "gone",
      errorCategory: 9,
      grpcCodeValue: 9,
      definiteAnswer: false,
    },
  };
  participant.spoil = (path, body) =>
    path.startsWith("/v2/updates") && JSON.parse(body).beginExclusive < 5 ? pruned : undefined;
  const { token } = network.net.nodes["app-user"];
  const late = await network.startValidator(["app-user"], "late", {
    participantUrl: participant.url,
    log: { ...silentLog, warn: (_, text) => said.push(text) },
  });
  expect(said.join("\n")).toMatch(
    /pruned the updates behind this offset: .*away for longer than the retention/,
  );
  const other = validatorClient(late.url, token);
  expect((await other.getBalance()).effective_unlocked_qty).toBe("4000.0000000000");
  expect(await other.listSubscriptions()).toEqual(await wallet.listSubscriptions());
  expect(await other.listAnsEntries()).toEqual(await wallet.listAnsEntries());
  await other.tap({ body: { amount: "1" } });
  expect((await other.getBalance()).effective_unlocked_qty).toBe("4200.0000000000");
  loseAnswers(0);
});

test("pages of updates that are too large are read in shorter ones, which grow again", async () => {
  const verbose = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
  const client = new ParticipantClient({
    ...{ url: verbose.url, userId: "ledger-api-user", host: systemHost },
    token: () => network.net.serviceToken,
  });
  const { party_id } = await wallet.userStatus();
  const end = await client.ledgerEnd();
  const readAll = async () => {
    const read: Transaction[] = [];
    for (let after = 0; after < end; ) {
      const place = { parties: [party_id], after, shape: "ledger-effects" } as const;
      const { transactions, offset } = await client.readUpdates(place, end);
      expect(offset).toBeGreaterThan(after);
      read.push(...transactions);
      after = offset;
    }
    return read;
  };
  const whole = await readAll();
  const limits: number[] = [];
  const body = "x".repeat(17 * 1024 * 1024);
  verbose.spoil = (path) => {
    const limit = Number(/^\/v2\/updates\?.*limit=(\d+)/.exec(path)?.[1]);
    limits.push(limit);
    return limit > 3 ? { status: 200, body } : undefined;
  };
  expect(await readAll()).toEqual(whole);
  expect(limits.slice(0, 5)).toEqual([200, 20, 2, 4, 1]);
  client.close();
  await verbose.close();
});

test("a wallet that is installed later shows the coin its party had before", async () => {
  const bob = await network.makeUser("bob");
  const first = await network.startValidator(["app-user", "bob"], "early");
  await validatorClient(first.url, bob.token).tap({ body: { amount: "2" } });
  await network.buy(validatorClient(first.url, bob.token), "bob");
  const alone = await network.startValidator(["app-user"], "grows");
  expect(alone.isReady()).toBe(true);
  await alone.close();
  const grown = await network.startValidator(["app-user", "bob"], "grows");
  const bobs = validatorClient(grown.url, bob.token);
  expect((await bobs.getBalance()).effective_unlocked_qty).toBe("200.0000000000");
  expect((await bobs.listAnsEntries()).entries.map(({ name }) => name)).toEqual(["bob.unverified.cns"]);
});
