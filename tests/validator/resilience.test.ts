// Restarts, a lost copy, misbehaving scans, a participant that is away.

import { join } from "node:path";
import type { ScanBehaviour } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { loseStoreIn } from "../support/postgres.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;

beforeAll(async () => {
  network = await LocalNetwork.start();
  wallet = network.validator();
  await wallet.tap({ body: { amount: "10" } });
  await network.buy(wallet, "alice");
});
afterAll(() => network.close());

async function picture(client: ValidatorClient) {
  return [
    await client.userStatus(),
    await client.getBalance(),
    await client.listAnsEntries(),
    await client.listSubscriptionRequests(),
    await client.listSubscriptions(),
  ];
}

describe("a validator that starts again", () => {
  test("shows the same contracts, with its copy and without it, and repeats nothing", async () => {
    const { token } = network.net.nodes["app-user"];
    const before = await picture(wallet);
    const end = await network.ledger().getLedgerEnd();
    const first = await network.startValidator(["app-user"], "again");
    expect(await picture(validatorClient(first.url, token))).toEqual(before);
    await first.close();
    const second = await network.startValidator(["app-user"], "again");
    expect(await picture(validatorClient(second.url, token))).toEqual(before);
    expect(second.operatorParty()).toBe(first.operatorParty());
    const { user } = await network.ledger().getAuthenticatedUser();
    expect(user.primaryParty).toBe(first.operatorParty());
    await second.close();
    await loseStoreIn(join(network.folder, "again"));
    const third = await network.startValidator(["app-user"], "again");
    expect(await picture(validatorClient(third.url, token))).toEqual(before);
    await third.close();
    expect(await network.ledger().getLedgerEnd()).toEqual(end);
  });

  test("two validators of one party renew a name once", async () => {
    const twin = await network.startValidator(["app-user"], "twin");
    const before = Number((await wallet.getBalance()).effective_unlocked_qty);
    await Promise.all([network.net.moveClock(61n * DAY), twin.idle()]);
    await network.net.settle();
    await twin.idle();
    expect(Number((await wallet.getBalance()).effective_unlocked_qty)).toBe(before - 200);
    await twin.close();
  });
});

describe("one scan of four", () => {
  const behaviours: readonly ScanBehaviour[] = ["lie", "lag", "hang", "error", "stop"];

  test.each(behaviours)("that is told to %s changes no answer", async (behaviour) => {
    network.net.setScanBehaviour(2, behaviour);
    try {
      const name = `during-${behaviour}`;
      await network.buy(wallet, name);
      const params = { name: `${name}.unverified.cns` };
      for (let i = 0; i < 8; i++) {
        const { entry } = await wallet.scanProxyLookupAnsEntryByName({ params });
        expect(entry.name).toBe(params.name);
        await expect(
          wallet.scanProxyLookupAnsEntryByName({ params: { name: "nobody.unverified.cns" } }),
        ).rejects.toThrow(/status 404/);
      }
    } finally {
      network.net.setScanBehaviour(2, "honest");
    }
  });

  test("three stopped scans of four are answered with 502", async () => {
    for (const place of [0, 1, 2]) network.net.setScanBehaviour(place, "stop");
    try {
      await expect(wallet.scanProxyGetDsoPartyId()).rejects.toThrow(
        /status 502.*Only 1 scan instances can be used/,
      );
    } finally {
      for (const place of [0, 1, 2]) network.net.setScanBehaviour(place, "honest");
    }
    expect((await wallet.scanProxyGetDsoPartyId()).dso_party_id).toMatch(/^DSO::/);
  });
});

test("the proxy answers rules and rounds in full, as scans do", async () => {
  const { amulet_rules } = await wallet.scanProxyGetAmuletRules();
  expect(amulet_rules.contract.template_id).toMatch(/:Splice\.AmuletRules:AmuletRules$/);
  const { ans_rules_update } = await wallet.scanProxyGetAnsRules({
    body: { cached_ans_rules_contract_id: amulet_rules.contract.contract_id },
  });
  expect(ans_rules_update.contract?.payload).toMatchObject({ config: { entryFee: "1.0" } });
  const { open_mining_rounds } = await wallet.scanProxyGetOpenAndIssuingMiningRounds();
  const numbers = open_mining_rounds.map(({ contract }) => JSON.stringify(contract.payload["round"]));
  expect(numbers).toHaveLength(3);
  expect([...numbers].sort()).toEqual(numbers);
  const { entries } = await wallet.scanProxyListAnsEntries({ query: { name_prefix: "al", page_size: 5 } });
  expect(entries.map(({ name }) => name)).toEqual(["alice.unverified.cns"]);
  const { party_id } = await wallet.userStatus();
  expect((await wallet.scanProxyLookupAnsEntryByParty({ params: { party: party_id } })).entry.user).toBe(
    party_id,
  );
});

test("without its participant a tap is refused with 503, the validator is not ready, and lookups go on", async () => {
  const { participant, validatorUrl, token } = network.net.nodes["app-provider"];
  const other = validatorClient(validatorUrl, token);
  await other.getBalance();
  await participant.close();
  await expect(other.tap({ body: { amount: "1" } })).rejects.toThrow(/status 503.*cannot be reached/);
  await expect
    .poll(async () => (await fetch(`${validatorUrl}/readyz`)).status, { timeout: 60_000 })
    .toBe(503);
  expect((await fetch(`${validatorUrl}/livez`)).status).toBe(200);
  expect((await other.scanProxyGetDsoPartyId()).dso_party_id).toMatch(/^DSO::/);
});
