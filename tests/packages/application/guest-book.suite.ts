import { type Localnet, makeToken, startLocalnet } from "callsign";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callValidator, lookUp, welcome } from "./guest-book.ts";

let network: Localnet;
beforeAll(async () => {
  network = await startLocalnet();
});
afterAll(() => network?.close());

function scanUrl(): string {
  return network.svs[0]?.scanUrl ?? "";
}

test("a guest gets a name and is found by it", async () => {
  const wallet = network.nodes["app-user"];
  await callValidator(wallet, "POST", "/wallet/tap", { amount: "100.0" });
  const name = await welcome(wallet, "greta");
  await network.settle();
  expect(name).toBe("greta.unverified.cns");
  const { party_id } = await callValidator(wallet, "GET", "/wallet/user-status");
  expect(await lookUp(scanUrl(), name)).toBe(party_id);
});

test("a name that nobody pays for ends after ninety days", async () => {
  const wallet = network.nodes["app-provider"];
  await callValidator(wallet, "POST", "/wallet/tap", { amount: "1.5" });
  const name = await welcome(wallet, "gustav");
  await network.settle();
  await network.moveClock(89n * 86_400_000_000n);
  expect(await lookUp(scanUrl(), name)).not.toBe(null);
  await network.moveClock(2n * 86_400_000_000n);
  expect(await lookUp(scanUrl(), name)).toBe(null);
});

test("a token of its own opens the wallet's validator", async () => {
  const { validatorUrl, walletUser } = network.nodes.sv;
  const wallet = { validatorUrl, token: await makeToken(walletUser) };
  expect(await callValidator(wallet, "GET", "/wallet/user-status")).toMatchObject({ user_onboarded: true });
});
