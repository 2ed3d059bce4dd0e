// Settings of configuration and ledger: no authentication, another party, several preferences on renewal.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;
let subscription: string;
let reference: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  wallet = network.validator();
  await wallet.tap({ body: { amount: "10" } });
  await network.buy(wallet, "alice");
  const [item] = (await wallet.listSubscriptions()).subscriptions;
  subscription = item?.subscription.contract_id ?? "";
  reference = String(item?.subscription.payload["reference"]);
});
afterAll(() => network.close());

async function prefer(subscriber: string, userId: string, autoRenew: boolean): Promise<void> {
  const { party_id: walletProvider } = await wallet.userStatus();
  const createArguments = { subscriber, walletProvider, reference, autoRenew };
  const templateId = "#callsign-names:Callsign.Names:RenewalPreference";
  await network.ledger().submitAndWait({
    body: {
      commandId: crypto.randomUUID(),
      userId,
      actAs: [subscriber],
      commands: [{ CreateCommand: { templateId, createArguments } }],
    },
  });
  await network.net.settle();
}

async function renews(): Promise<boolean | undefined> {
  return (await wallet.listSubscriptions()).subscriptions[0]?.auto_renewal;
}

describe("a preference on automatic renewal", () => {
  test("counts only from the subscriber", async () => {
    const { party } = await network.makeUser("mallory");
    await network.ledger().grantUserRights({
      params: { "user-id": "ledger-api-user" },
      body: { userId: "ledger-api-user", rights: [{ kind: { CanActAs: { value: { party } } } }] },
    });
    await prefer(party, "ledger-api-user", false);
    expect(await renews()).toBe(true);
  });

  test("is off if one of several preferences says off, and all are set together", async () => {
    const { party_id } = await wallet.userStatus();
    await prefer(party_id, "ledger-api-user", true);
    await prefer(party_id, "ledger-api-user", false);
    expect(await renews()).toBe(false);
    const before = await wallet.getBalance();
    await network.net.moveClock(65n * DAY);
    expect((await wallet.getBalance()).effective_unlocked_qty).toBe(before.effective_unlocked_qty);
    await wallet.setAutoRenewal({ params: { subscription_id: subscription }, body: { enabled: true } });
    expect(await renews()).toBe(true);
    await network.net.settle();
    expect(Number((await wallet.getBalance()).effective_unlocked_qty)).toBe(
      Number(before.effective_unlocked_qty) - 200,
    );
  });
});

describe("without authentication", () => {
  test("no token is needed, and a token still says who calls", async () => {
    const bob = await network.makeUser("bob");
    const open = await network.startValidator(["app-user", "bob"], "open", { auth: { kind: "none" } });
    const statusOf = async (headers: Record<string, string>) => {
      const response = await fetch(`${open.url}/v0/wallet/user-status`, { headers });
      return (await response.json()) as { readonly party_id: string };
    };
    const { party_id } = await wallet.userStatus();
    expect((await statusOf({})).party_id).toBe(party_id);
    expect((await statusOf({ authorization: "Bearer nonsense" })).party_id).toBe(party_id);
    expect((await validatorClient(open.url, bob.token).userStatus()).party_id).toBe(bob.party);
    expect((await fetch(`${open.url}/v0/wallet/balance`)).status).toBe(200);
  });
});

test("refuses to start with the data folder of another party's validator, and names both", async () => {
  const first = await network.startValidator(["app-user"], "folder");
  await first.close();
  const second = network.startValidator(["app-user"], "folder", { operatorPartyHint: "other-party-1" });
  await expect(second).rejects.toThrow(
    /whose party is app_user_localnet-localparty-1::.*party hint other-party-1: give back the hint/,
  );
  const { partyDetails } = await network.ledger().listParties({ query: { "filter-party": "other-party-1" } });
  expect(partyDetails).toEqual([]);
});
