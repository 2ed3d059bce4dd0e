// A name's life with participants and validators on PostgreSQL: asked for, paid, live, renewed, cancelled, gone.

import { expect, onTestFinished, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";
import { sharedDatabase } from "../support/postgres.ts";

test("a name is bought, looked up, renewed and cancelled on PostgreSQL", async () => {
  const network = await LocalNetwork.start({ database: await sharedDatabase() });
  onTestFinished(() => network.close());
  const wallet = network.validator();
  const lookUp = async () => (await wallet.scanProxyLookupAnsEntryByName({ params: { name } })).entry;
  await network.tap("app-user", "10");
  const name = await network.buy("app-user", "on-postgres");
  const first = await lookUp();
  expect(first).toMatchObject({ name, user: await network.party("app-user") });
  await network.forward(61);
  await network.settle();
  const renewed = await lookUp();
  expect(Date.parse(String(renewed.expires_at))).toBeGreaterThan(Date.parse(String(first.expires_at)));
  const { subscriptions } = await wallet.listSubscriptions();
  const [idle] = subscriptions.flatMap(({ state }) => ("idle" in state ? [state.idle.contract_id] : []));
  await wallet.cancelSubscriptionRequest({ params: { contract_id: idle ?? "" } });
  expect(await wallet.listSubscriptions()).toEqual({ subscriptions: [] });
  expect(await network.owned("app-user")).toEqual([name]);
});
