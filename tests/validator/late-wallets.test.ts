// A wallet that another program installs while the validator runs: it works like those from the start.

import { Amulet, type PartyId, ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import { SERVICE_USER } from "@callsign/localnet";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let validator: Validator;
let operator: PartyId;
let carol: { readonly party: PartyId; readonly wallet: ValidatorClient };

beforeAll(async () => {
  network = await LocalNetwork.start();
  validator = network.net.nodes["app-user"].validator;
  operator = validator.operatorParty() as PartyId;
  const { party, token } = await network.makeUser("carol");
  carol = { party: party as PartyId, wallet: validatorClient(validator.url, token) };
});
afterAll(() => network?.close());

async function install(): Promise<void> {
  const ledger = network.ledger();
  const rights = [{ kind: { CanActAs: { value: { party: carol.party } } } }];
  await ledger.grantUserRights({
    params: { "user-id": SERVICE_USER },
    body: { userId: SERVICE_USER, rights },
  });
  const { dso_party_id } = await network.validator().scanProxyGetDsoPartyId();
  const names = { dsoParty: dso_party_id as PartyId, endUserName: "carol" };
  const payload = { ...names, validatorParty: operator, endUserParty: carol.party };
  await network.submit([operator, carol.party], [create(WalletAppInstall, payload)]);
}

const balance = async () => (await carol.wallet.getBalance()).effective_unlocked_qty;

test("a wallet installed later has its coin, grants its right, buys names and has its coins merged", async () => {
  await install();
  await carol.wallet.tap({ body: { amount: "2" } });
  expect(await balance()).toBe("400.0000000000");
  await network.buy(carol.wallet, "late");
  expect(await balance()).toBe("200.0000000000");
  const { entries } = await carol.wallet.listAnsEntries();
  expect(entries.map(({ name }) => name)).toEqual(["late.unverified.cns"]);
  expect(await network.listActive(ValidatorRight, carol.party)).toHaveLength(1);
  await carol.wallet.tap({ body: { amount: "1" } });
  await network.net.moveClock(301_000_000n);
  expect(await network.listActive(Amulet, carol.party)).toHaveLength(1);
  expect(await balance()).toBe("400.0000000000");
});
