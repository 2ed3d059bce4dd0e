// A cancelled name is taken up again over HTTP, and requests for names tell how they ended.

import { join } from "node:path";
import { HttpError, type NameRequest } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

const NAME = "alice.unverified.cns";
const closing: (() => void | Promise<void>)[] = [];
const dataFolder = join(
  temporaryFolder((close) => closing.push(close)),
  "net",
);
let network: LocalNetwork;
let participant: FaultyParticipant;
let alice: ValidatorClient;
let bob: ValidatorClient;

afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function cancel(wallet: ValidatorClient): Promise<void> {
  const { subscriptions } = await wallet.listSubscriptions();
  for (const { state } of subscriptions)
    if ("idle" in state)
      await wallet.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
  await network.net.settle();
}

const takeUp = (wallet: ValidatorClient, name = "alice") => wallet.takeUpAnsEntry({ body: { name } });

async function refusalOf(call: Promise<unknown>): Promise<[number, string]> {
  const { status, body } = await outcomeOf(call);
  return [status, String((body as { error?: string }).error)];
}

async function requestsOf(wallet: ValidatorClient): Promise<readonly NameRequest[]> {
  return (await wallet.listNameRequests({})).requests;
}

async function lookUp() {
  return (await network.scan(1).lookupAnsEntryByName({ params: { name: NAME } })).entry;
}

describe("a network of the first protocol version", () => {
  beforeAll(async () => {
    network = await LocalNetwork.start({ dataFolder, protocolVersion: 1n });
    await network.tap("app-user", "10");
    await network.buy("app-user", "alice");
  });
  afterAll(() => network.close());

  test("cannot take a name up, says so, and goes on", async () => {
    alice = network.validator();
    await cancel(alice);
    expect(await refusalOf(takeUp(alice))).toEqual([
      409,
      "This network cannot take names up yet: its protocol version is earlier than 3. Its SVs activate it with callsign network activate.",
    ]);
    expect((await requestsOf(alice)).map(({ state }) => state)).toEqual(["registered"]);
    const { packageIds } = await network.ledger("app-user").listPackages();
    expect(packageIds).not.toContain(V2);
  });
});

const V2 = "f50ac1b4f8aee39ca23bd0638e0bb96c65d0d74579407a6132ba2f8d6dda9cda";

describe("the same network, which has activated the present version at its start", () => {
  beforeAll(async () => {
    network = await LocalNetwork.start({ dataFolder });
    closing.push(() => network.close());
    const { ledgerUrl, token } = network.net.nodes["app-user"];
    participant = await startFaultyParticipant(ledgerUrl);
    closing.push(() => participant.close());
    const validator = await network.startValidator(["app-user"], "faulty", {
      participantUrl: participant.url,
    });
    alice = validatorClient(validator.url, token);
    bob = network.validator("app-provider");
  });

  test("lists the package", async () => {
    await expect.poll(async () => (await network.ledger("app-user").listPackages()).packageIds).toContain(V2);
  });

  test("a cancelled name is taken up, and lookups find it at every moment", async () => {
    const before = await lookUp();
    const [entry] = (await alice.listAnsEntries()).entries;
    expect(entry?.state).toBe("cancelled");
    const transactions = await alice.listTransactions({ body: { page_size: 100 } });
    let isOver = false;
    const looking = (async () => {
      const found = new Set<string>();
      while (!isOver) found.add((await lookUp()).user ?? "");
      return found;
    })();
    const taken = await takeUp(alice).finally(() => {
      isOver = true;
    });
    expect([...(await looking)]).toEqual([before.user]);
    expect(taken).toMatchObject({ name: NAME, state: "subscribed", autoRenewal: true });
    expect(taken.nextPaymentDueAt).toBe(taken.expiresAt);
    // The new end is a microsecond later, which milliseconds do not show.
    expect(taken.expiresAt).toBe(entry?.expiresAt);
    expect((await alice.listAnsEntries()).entries).toEqual([taken]);
    expect(await alice.listTransactions({ body: { page_size: 100 } })).toEqual(transactions);
    const [request] = await requestsOf(alice);
    expect(request).toMatchObject({
      ...{ purpose: "take_up", name: NAME, state: "registered", reason: null, payment: null, refund: null },
      explanation: "The name was taken up again.",
    });
  });

  test("the call repeated gets the same answer, also many at once", async () => {
    const [entry] = (await alice.listAnsEntries()).entries;
    expect(await Promise.all([takeUp(alice), takeUp(alice, NAME), takeUp(alice)])).toEqual([
      entry,
      entry,
      entry,
    ]);
    expect((await requestsOf(alice)).filter(({ purpose }) => purpose === "take_up")).toHaveLength(1);
  });

  test("the name renews itself when it would have ended", async () => {
    const { expires_at: before } = await lookUp();
    await network.net.moveClock(61n * DAY);
    await network.net.settle();
    const { expires_at: after } = await lookUp();
    expect(Date.parse(after ?? "") - Date.parse(before ?? "")).toBe(90 * 86_400_000);
  });

  test("an answer that gets lost, or comes late, takes the name up once", async () => {
    for (const losses of [1, 2]) {
      await cancel(alice);
      const count = (await requestsOf(alice)).length;
      let left = losses;
      participant.spoil = (path) => (path.startsWith("/v2/commands") && left-- > 0 ? "lose" : undefined);
      const answers = [await outcomeOf(takeUp(alice)), await outcomeOf(takeUp(alice))];
      expect(answers.at(-1)?.status).toBe(200);
      participant.spoil = () => undefined;
      expect(await requestsOf(alice)).toHaveLength(count + 1);
      expect((await alice.listSubscriptions()).subscriptions).toHaveLength(1);
    }
    await cancel(alice);
    const count = (await requestsOf(alice)).length;
    const [sent, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    participant.spoil = (path) => {
      if (!path.startsWith("/v2/commands")) return undefined;
      sent.resolve();
      return { after: gate.promise };
    };
    const first = outcomeOf(takeUp(alice));
    await sent.promise;
    expect((await first).status).toBe(503);
    participant.spoil = () => undefined;
    gate.resolve();
    expect((await outcomeOf(takeUp(alice))).status).toBe(200);
    expect(await requestsOf(alice)).toHaveLength(count + 1);
    expect((await alice.listSubscriptions()).subscriptions).toHaveLength(1);
  });

  test("names that are not the caller's, not cancelled or not valid are refused", async () => {
    await bob.tap({ body: { amount: "10" } });
    await network.buy(bob, "bob");
    expect((await refusalOf(takeUp(alice, "nobody")))[0]).toBe(404);
    expect(await refusalOf(takeUp(alice, "bob"))).toEqual([
      404,
      "You hold no live entry of the name bob.unverified.cns: only the holder takes a name up, before it expires. Buy it with POST /v0/entry/create.",
    ]);
    expect(await refusalOf(takeUp(bob, "bob"))).toEqual([
      409,
      "The name bob.unverified.cns is not cancelled: it has a subscription, and is renewed as before. There is nothing to take up.",
    ]);
    expect((await refusalOf(takeUp(alice, "two.labels")))[0]).toBe(400);
  });

  test("a losing buyer sees how the request ended, why, and the refund", async () => {
    await alice.tap({ body: { amount: "10" } });
    const body = { name: "wanted", url: "https://wanted.example/", description: "wanted" };
    const asked = await Promise.all([alice.createAnsEntry({ body }), bob.createAnsEntry({ body })]);
    const [hers] = await requestsOf(alice);
    expect(hers).toMatchObject({ ...body, name: "wanted.unverified.cns", state: "waiting_for_payment" });
    expect([hers?.id, hers?.endedAt, hers?.payment]).toEqual([asked[0].subscriptionRequestCid, null, null]);
    await Promise.all(
      [alice, bob].map((wallet, i) =>
        wallet.acceptSubscriptionRequest({
          params: { contract_id: asked[i]?.subscriptionRequestCid ?? "" },
        }),
      ),
    );
    const readBoth = async () => [(await requestsOf(alice))[0], (await requestsOf(bob))[0]];
    const readStates = async () => (await readBoth()).map((each) => each?.state).toSorted();
    await expect.poll(readStates).toEqual(["given_back", "registered"]);
    const both = await readBoth();
    const [winner] = both.filter((each) => each?.state === "registered");
    const [loser] = both.filter((each) => each?.state === "given_back");
    expect(winner).toMatchObject({ reason: null, refund: null, payment: { amount: "200.0000000000" } });
    expect(loser).toMatchObject({
      reason: "lost_race",
      explanation: "The payment was given back. Somebody else held the name, or had paid for it earlier.",
      payment: { amount: "200.0000000000" },
      refund: { amount: "200.0000000000", at: loser?.endedAt },
    });
    const losing = loser === both[0] ? alice : bob;
    const { items } = await losing.listTransactions({ body: { page_size: 1 } });
    expect(items[0]?.event_id.startsWith(`#${loser?.refund?.updateId}:`)).toBe(true);
  });

  test("a request that its buyer rejects is listed, newest first and page by page", async () => {
    const { subscriptionRequestCid } = await alice.createAnsEntry({
      body: { name: "no-more", url: "", description: "" },
    });
    await alice.rejectSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    const all = await requestsOf(alice);
    expect(all[0]).toMatchObject({ id: subscriptionRequestCid, state: "rejected", refund: null });
    const pages: NameRequest[] = [];
    for (let begin_after_id = ""; ; ) {
      const { requests } = await alice.listNameRequests({ query: { page_size: 2, begin_after_id } });
      if (requests.length === 0) break;
      pages.push(...requests);
      begin_after_id = requests.at(-1)?.id ?? "";
    }
    expect(pages).toEqual(all);
    const times = all.map(({ requestedAt }) => Date.parse(requestedAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const unknown = { query: { page_size: 2, begin_after_id: "unknown" } };
    expect(await alice.listNameRequests(unknown)).toEqual({ requests: [] });
    await expect(alice.listNameRequests({ query: { page_size: 1001 } })).rejects.toBeInstanceOf(HttpError);
    // Bob sees his own requests alone.
    const ids = new Set((await requestsOf(bob)).map(({ id }) => id));
    expect(all.filter(({ id }) => ids.has(id))).toEqual([]);
  });
});
