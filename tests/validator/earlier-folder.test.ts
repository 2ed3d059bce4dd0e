// A data folder of an earlier version, which kept fewer kinds of contracts.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BuyTrafficRequest, type PartyId, type Time, WalletAppInstall } from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exercise } from "../../packages/validator/src/ledger/commands.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";

const HOUR = 3_600_000_000n;

let network: LocalNetwork;
beforeAll(async () => {
  network = await LocalNetwork.start();
});
afterAll(() => network?.close());

test("a store that lacks kinds of contracts reads the ledger again: coin and names are as before, an old request expires", async () => {
  const { party, token } = await network.makeUser("bob");
  const bob = party as PartyId;
  const before = await network.startValidator(["bob"], "folder");
  const operator = before.operatorParty() as PartyId;
  await validatorClient(before.url, token).tap({ body: { amount: "3" } });
  await network.buy(validatorClient(before.url, token), "bob");
  const [install] = (await network.listActive(WalletAppInstall, bob)).filter(
    ({ payload }) => payload.endUserParty === bob,
  );
  if (install === undefined) throw new Error("bob has no wallet");
  const request = {
    ...{ memberId: "PAR::somebody", synchronizerId: "unknown::1220", migrationId: 0n, trafficAmount: 1n },
    ...{ expiresAt: (network.net.now() + HOUR) as Time, trackingId: "never" },
  };
  const choice = "WalletAppInstall_CreateBuyTrafficRequest";
  await network.submit([operator], [exercise(WalletAppInstall, install.contractId, choice, request)], [bob]);
  await before.idle();
  const entries = await validatorClient(before.url, token).listAnsEntries();
  await before.close();

  const database = new DatabaseSync(join(network.folder, "folder", "validator.sqlite"));
  database.exec("drop table store_version; drop table deadlines");
  const dropped = database.prepare(
    "delete from contracts where template in ('BuyTrafficRequest', 'ValidatorRight')",
  );
  expect(Number(dropped.run().changes)).toBeGreaterThan(1);
  database.close();

  const end = await network.ledger().getLedgerEnd();
  const after = await network.startValidator(["bob"], "folder");
  const wallet = validatorClient(after.url, token);
  expect((await wallet.getBalance()).effective_unlocked_qty).toBe("400.0000000000");
  expect(await wallet.listAnsEntries()).toEqual(entries);
  expect(await network.ledger().getLedgerEnd()).toEqual(end);
  expect(await network.listActive(BuyTrafficRequest, bob)).toHaveLength(1);
  await network.net.moveClock(HOUR);
  await after.idle();
  expect(await network.listActive(BuyTrafficRequest, bob)).toEqual([]);
});
