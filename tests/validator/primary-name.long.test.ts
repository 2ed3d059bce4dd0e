// A user chooses the name to be called by, over HTTP: scans show it, it lives on over renewals, and lapses with the name.

import { join } from "node:path";
import { PrimaryName } from "@callsign/ledger";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

const [FIRST, SECOND] = ["alice.unverified.cns", "wonder.unverified.cns"];
const closing: (() => void)[] = [];
const dataFolder = join(
  temporaryFolder((close) => closing.push(close)),
  "net",
);
let network: LocalNetwork;
let alice: ValidatorClient;
let party: string;

async function startNetwork(protocolVersion?: bigint): Promise<void> {
  network = await LocalNetwork.start({ dataFolder, ...(protocolVersion && { protocolVersion }) });
  alice = network.validator();
  party = await network.party("app-user");
}

afterAll(async () => {
  await network?.close();
  for (const close of closing) close();
});

const choose = (name: string, wallet = alice) => wallet.setPrimaryName({ body: { name } });

async function refusalOf(call: Promise<unknown>): Promise<[number, string]> {
  const { status, body } = await outcomeOf(call);
  return [status, String((body as { error?: string }).error)];
}

/** The primary name as the wallet, a scan and several scans through the proxy have it; and as lookups by party say. */
async function shownNames() {
  await network.settle();
  const params = { party };
  const { entries } = await alice.listAnsEntries();
  const { primary } = await network.scan(2).listNamesOfParty({ params });
  const proxied = await alice.scanProxyListNamesOfParty({ params });
  expect(proxied.primary).toEqual(primary);
  const found = await outcomeOf(network.scan(1).lookupAnsEntryByParty({ params }));
  return {
    wallet: entries.filter((entry) => entry.primary).map(({ name }) => name),
    scan: primary?.name ?? null,
    byParty: (found.body as { entry?: { name: string } }).entry?.name ?? null,
  };
}

const chosen = () => network.listActive(PrimaryName, party);
const setTo = (name: string) => ({ wallet: [name], scan: name, byParty: FIRST });
const NOT_SET = { wallet: [], scan: FIRST, byParty: FIRST };

async function cancelAll(): Promise<void> {
  const { subscriptions } = await alice.listSubscriptions();
  for (const { state } of subscriptions)
    if ("idle" in state)
      await alice.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
  await network.settle();
}

describe("a network of protocol version 4", () => {
  beforeAll(async () => {
    await startNetwork(4n);
    await network.tap("app-user", "100");
    for (const name of ["alice", "wonder"]) await network.buy("app-user", name);
  });
  afterAll(() => network.close());

  test("has no primary names, says so, and goes on", async () => {
    expect(await refusalOf(choose("wonder"))).toEqual([
      409,
      "On this network no party can choose its primary name yet: its protocol version is earlier than 5. Its SVs activate it with callsign network activate.",
    ]);
    await alice.removePrimaryName();
    expect(await shownNames()).toEqual(NOT_SET);
  });
});

describe("the same network, which has activated version 5 at its start", () => {
  beforeAll(() => startNetwork());

  test("shows the name that a user chose, and the one chosen next, with one contract", async () => {
    expect(await choose("wonder")).toMatchObject({ name: SECOND, primary: true, state: "subscribed" });
    expect(await shownNames()).toEqual(setTo(SECOND));
    const [first] = await chosen();
    const transactions = await alice.listTransactions({ body: { page_size: 100 } });
    const answers = await Promise.all([choose("alice"), choose(SECOND), choose("alice"), choose("wonder")]);
    expect(answers.map(({ name }) => name)).toEqual([FIRST, SECOND, FIRST, SECOND]);
    const [last, ...others] = await chosen();
    expect(others).toEqual([]);
    expect(await shownNames()).toEqual(setTo(last?.payload.name ?? ""));
    expect(last?.contractId).not.toBe(first?.contractId);
    await choose(last?.payload.name ?? "");
    expect(await chosen()).toEqual([last]);
    expect(await alice.listTransactions({ body: { page_size: 100 } })).toEqual(transactions);
  });

  test("refuses names of others, names that nobody has, and texts that are no names", async () => {
    await network.tap("app-provider", "10");
    await network.buy("app-provider", "bob");
    for (const name of ["bob", "nobody"])
      expect(await refusalOf(choose(name))).toEqual([
        404,
        `You hold no live entry of the name ${name}.unverified.cns: a party is called by one of its own names. GET /v0/entry/all lists yours.`,
      ]);
    expect((await refusalOf(choose("two.labels")))[0]).toBe(400);
  });

  test("takes a choice back, once and again", async () => {
    await alice.removePrimaryName();
    expect(await shownNames()).toEqual(NOT_SET);
    await alice.removePrimaryName();
    expect(await chosen()).toEqual([]);
  });

  test("leaves one contract of several that the user made by other means", async () => {
    const { entries } = await alice.listAnsEntries();
    const { dso_party_id: dso } = await alice.scanProxyGetDsoPartyId();
    const expiresAt = new Date(Number(entries[0]?.expiresAt)).toISOString();
    for (const name of [SECOND, FIRST]) {
      const createArguments = { dso, user: party, name, expiresAt };
      await network.submit(
        [party],
        [{ CreateCommand: { templateId: PrimaryName.nameRef, createArguments } }],
      );
    }
    expect(await shownNames()).toEqual(setTo(FIRST));
    await choose("wonder");
    expect((await chosen()).map(({ payload }) => payload.name)).toEqual([SECOND]);
    expect(await shownNames()).toEqual(setTo(SECOND));
  });

  test("keeps the choice over renewals and a take-up, with the entry's new expiry", async () => {
    const expiries = async () => (await chosen()).map(({ payload }) => payload.expiresAt);
    const [before] = await expiries();
    await network.forward(100);
    expect(await shownNames()).toEqual(setTo(SECOND));
    const [after] = await expiries();
    expect((after ?? 0n) - (before ?? 0n)).toBe(90n * 86_400_000_000n);
    await cancelAll();
    expect(await shownNames()).toEqual(setTo(SECOND));
    expect(await alice.takeUpAnsEntry({ body: { name: "wonder" } })).toMatchObject({ primary: true });
    expect(await shownNames()).toEqual(setTo(SECOND));
  });

  test("keeps the choice over a restart", async () => {
    await network.close();
    await startNetwork();
    expect(await shownNames()).toEqual(setTo(SECOND));
  });

  test("lets the choice lapse with the name, and brings nothing back when the name is bought again", async () => {
    await cancelAll();
    await network.forward(100);
    expect(await shownNames()).toEqual({ wallet: [], scan: null, byParty: null });
    expect(await chosen()).toEqual([]);
    expect((await refusalOf(choose("wonder")))[0]).toBe(404);
    for (const name of ["alice", "wonder"]) await network.buy("app-user", name);
    expect(await shownNames()).toEqual(NOT_SET);
    await choose("wonder");
    expect(await shownNames()).toEqual(setTo(SECOND));
  });
});
