// Coin and names of somebody who acts as a DSO of their own: no wallet takes them for real.

import {
  Amulet,
  AnsEntry,
  AnsEntryContext,
  type ContractId,
  LockedAmulet,
  type PartyId,
  type PayloadOf,
  type Time,
  WalletAppInstall,
} from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;
let party: PartyId;

beforeAll(async () => {
  network = await LocalNetwork.start();
  wallet = network.validator();
  party = (await wallet.userStatus()).party_id as PartyId;
  await wallet.tap({ body: { amount: "2" } });
});
afterAll(() => network.close());

function fakeCoin(): PayloadOf<typeof Amulet> {
  const amount = {
    initialAmount: 5_000_000n * 10_000_000_000n,
    createdAt: { number: 0n },
    ratePerRound: { rate: 0n },
  };
  return { dso: party, owner: party, amount } as PayloadOf<typeof Amulet>;
}

async function forge(): Promise<void> {
  const name = "bank.unverified.cns";
  const expiresAt = 4_000_000_000_000_000n as Time;
  const entry = { user: party, dso: party, name, url: "", description: "", expiresAt };
  const lock = { holders: [party], expiresAt, optContext: null };
  const reference = `00${"ab".repeat(32)}` as ContractId;
  const context = { dso: party, user: party, name, url: "", description: "", reference };
  const commands = [
    create(Amulet, fakeCoin()),
    create(LockedAmulet, { amulet: fakeCoin(), lock } as PayloadOf<typeof LockedAmulet>),
    create(AnsEntry, entry as PayloadOf<typeof AnsEntry>),
    create(AnsEntryContext, context as PayloadOf<typeof AnsEntryContext>),
  ];
  await network.ledger().submitAndWait({
    body: { commandId: "forgery", userId: "ledger-api-user", actAs: [party], commands },
  });
  await network.net.settle();
}

async function picture(client: ValidatorClient) {
  const { effective_unlocked_qty, effective_locked_qty } = await client.getBalance();
  const { entries } = await client.listAnsEntries();
  return { effective_unlocked_qty, effective_locked_qty, names: entries.map(({ name }) => name) };
}

test("coin and names of a made-up DSO are not shown, and pay for nothing", async () => {
  const before = await picture(wallet);
  expect(before).toEqual({
    effective_unlocked_qty: "400.0000000000",
    effective_locked_qty: "0.0000000000",
    names: [],
  });
  await forge();
  expect(await picture(wallet)).toEqual(before);
  // A new copy of the ledger leaves them out, too.
  const { token } = network.net.nodes["app-user"];
  const late = await network.startValidator(["app-user"], "late");
  expect(await picture(validatorClient(late.url, token))).toEqual(before);
  await network.buy(wallet, "real");
  expect(await picture(wallet)).toEqual({
    effective_unlocked_qty: "200.0000000000",
    effective_locked_qty: "0.0000000000",
    names: ["real.unverified.cns"],
  });
});

test("an install contract without the operator makes no wallet", async () => {
  const mallory = await network.makeUser("mallory");
  const erin = await network.makeUser("erin");
  const hosting = await network.startValidator(["app-user", "mallory"], "hosting");
  const { dso_party_id } = await wallet.scanProxyGetDsoPartyId();
  const own = mallory.party as PartyId;
  const payload = { dsoParty: dso_party_id as PartyId, validatorParty: own, endUserParty: own };
  const commands = ["erin", "mallory"].map((endUserName) =>
    create(WalletAppInstall, { ...payload, endUserName }),
  );
  const ledger = network.ledger("app-user", mallory.token);
  await ledger.submitAndWait({ body: { commandId: "installs", actAs: [own], commands } });
  await hosting.idle();
  expect((await validatorClient(hosting.url, erin.token).userStatus()).user_wallet_installed).toBe(false);
  await validatorClient(hosting.url, mallory.token).tap({ body: { amount: "1" } });
  await expect(validatorClient(hosting.url, erin.token).getBalance()).rejects.toThrow();
  expect((await picture(validatorClient(hosting.url, mallory.token))).effective_unlocked_qty).toBe(
    "200.0000000000",
  );
});
