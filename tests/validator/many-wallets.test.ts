// A validator with many wallets asks its participant short questions, and uses no contract of a hosted party that has none.

import { RenewalPreference } from "@callsign/ledger";
import { makeToken, SERVICE_USER } from "@callsign/localnet";
import { openDatabase, openSqliteStore, silentLog, systemHost } from "@callsign/node";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LedgerFollower } from "../../packages/validator/src/follower/ledger-follower.ts";
import { WalletHistory } from "../../packages/validator/src/history/wallet-history.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { LedgerClock } from "../../packages/validator/src/ledger/ledger-clock.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

/** More wallets than a request of a validator names parties. */
const WALLETS = 25;

let network: LocalNetwork;
let participant: FaultyParticipant;
let validator: Validator;
const wallets: { readonly party: string; readonly client: ValidatorClient }[] = [];
/** The bodies of the validator's requests. */
const bodies: string[] = [];

beforeAll(async () => {
  network = await LocalNetwork.start();
  participant = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
  participant.spoil = (_, body) => {
    bodies.push(body);
    return undefined;
  };
  validator = await network.startValidator(["app-user"], "many", { participantUrl: participant.url });
  const register = async (index: number) => {
    const client = validatorClient(validator.url, await makeToken(`many-${index}`));
    wallets.push({ client, party: (await client.register()).party_id });
  };
  await Promise.all(Array.from({ length: WALLETS }, (_, index) => register(index)));
  await validator.idle();
  // The history reads the past of new wallets by their names, in the background.
  for (const { client } of wallets) await client.listTransactions({ body: { page_size: 1 } });
});
afterAll(async () => {
  await network?.close();
  await participant?.close();
});

test("its requests do not grow with its wallets, and each wallet has its coin and history", async () => {
  bodies.length = 0;
  for (const { client } of wallets) await client.tap({ body: { amount: "1" } });
  for (const { client } of wallets) {
    expect((await client.getBalance()).effective_unlocked_qty).toBe("200.0000000000");
    const { items } = await client.listTransactions({ body: { page_size: 10 } });
    expect(items).toHaveLength(1);
  }
  const named = (body: string) => wallets.filter(({ party }) => body.includes(party)).length;
  const reads = bodies.filter((body) => body.includes("filtersForAnyParty"));
  expect(reads.length).toBeGreaterThan(WALLETS);
  expect(Math.max(...reads.map(named))).toBeLessThanOrEqual(1);
});

test("the copy and the history of many parties have nothing of a party that is not among them", async () => {
  const { dso_party_id: dso } = await network.validator().scanProxyGetDsoPartyId();
  const { party: stranger } = await network.makeUser("stranger");
  const rights = [{ kind: { CanActAs: { value: { party: stranger } } } }];
  await network.ledger().grantUserRights({
    params: { "user-id": SERVICE_USER },
    body: { userId: SERVICE_USER, rights },
  });
  const database = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
  const client = new ParticipantClient({
    ...{ url: participant.url, userId: SERVICE_USER, host: systemHost },
    token: () => network.net.serviceToken,
  });
  const store = new WalletStore(database);
  const parts = { participant: client, store, clock: new LedgerClock(), host: systemHost, log: silentLog };
  const parties = wallets.slice(1).map(({ party }) => party);
  const [last, joining] = [parties[0] ?? "", wallets[0]?.party ?? ""];
  const follower = await LedgerFollower.open(parts, parties, dso);
  const history = await WalletHistory.open({ ...parts, follower, database, dso, acronym: "cns" });
  const prefer = (subscriber: string) =>
    network.submit(
      [subscriber],
      [
        create(RenewalPreference, {
          subscriber: subscriber as never,
          walletProvider: subscriber as never,
          reference: `00${"ab".repeat(33)}` as never,
          autoRenew: true,
        }),
      ],
    );
  const copied = async (owner: string) => (await store.list(RenewalPreference, { owner })).length;
  const owners = async () => {
    const rows = await database.all("select distinct owner from contracts");
    return new Set(rows.map(({ owner }) => String(owner)));
  };
  try {
    for (const party of [stranger, joining, last]) await prefer(party);
    expect(await follower.catchUp(20_000)).toBe(true);
    expect([await copied(last), await copied(joining), await copied(stranger)]).toEqual([1, 0, 0]);
    expect((await owners()).has(stranger)).toBe(false);
    expect(await history.listItems(last, { limit: 10, after: null })).toHaveLength(1);
    const kept = await database.all("select distinct party from history_items");
    expect(kept.map(({ party }) => party).sort()).toEqual([...parties].sort());
    await follower.follow(joining);
    expect([await copied(joining), await copied(stranger)]).toEqual([1, 0]);
    await prefer(joining);
    expect(await follower.catchUp(20_000)).toBe(true);
    expect(await copied(joining)).toBe(2);
    expect(await history.listItems(joining, { limit: 10, after: null })).toHaveLength(1);
  } finally {
    client.close();
    await history.close();
    await follower.close();
    await database.close();
  }
});
