// On a DevNet coin costs nothing: anybody can tap coins so large that two of them are more than an amount can hold, and
// send them to anybody with a preapproval. The receiver's wallet works all the same.
import { Amulet } from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";

/** In dollars, at half a cent a coin: 9.99… × 10²⁷ coins, and 5 × 10²⁷. */
const LARGEST = "49999999999999999999999999";
const HALF = "25000000000000000000000000";

let network: LocalNetwork;
beforeAll(async () => {
  network = await LocalNetwork.start();
});
afterAll(() => network?.close());

test("a wallet whose coins exceed the largest amount has a balance and pays, and its coins are not merged", async () => {
  const wallet = network.validator();
  const { validator } = network.net.nodes["app-user"];
  const coins = async () => (await network.listActive(Amulet, validator.operatorParty() as string)).length;
  await wallet.tap({ body: { amount: "10" } });
  for (let i = 0; i < 12; i++) await wallet.tap({ body: { amount: LARGEST } });
  await wallet.tap({ body: { amount: HALF } });
  await network.net.settle();
  expect((await wallet.getBalance()).effective_unlocked_qty).toBe(`${"9".repeat(28)}.${"9".repeat(10)}`);
  await network.buy(wallet, "alice.unverified.cns");
  const { entries } = await wallet.listAnsEntries();
  expect(entries.map(({ name }) => name)).toEqual(["alice.unverified.cns"]);
  // The small coins went into the one that could be paid with; the others stay as they are, and nothing is tried again.
  await network.net.moveClock(301_000_000n);
  await network.net.settle();
  expect(await coins()).toBe(13);
  const { offset } = await network.ledger().getLedgerEnd();
  await network.net.moveClock(301_000_000n);
  await network.net.settle();
  expect((await network.ledger().getLedgerEnd()).offset).toBe(offset);
});
