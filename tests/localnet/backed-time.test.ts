/** The local network on protocol version 4, which it gets at its start if it is asked for. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LocalNetwork } from "../support/local-network.ts";

async function start(dataFolder: string, protocolVersion: bigint): Promise<LocalNetwork> {
  const network = await LocalNetwork.start({ dataFolder, protocolVersion });
  onTestFinished(() => network.close());
  return network;
}

test("a network of version 3 goes on with version 4: names are bought, and renewed when the clock is moved", async () => {
  const dataFolder = join(temporaryFolder(), "net");
  const before = await start(dataFolder, 3n);
  await before.tap("app-user", "100");
  await before.buy("app-user", "alice");
  await before.close();
  const network = await start(dataFolder, 4n);
  await network.settle();
  await network.buy("app-user", "bob");
  const endOf = async (name: string) =>
    (await network.scan(1).lookupAnsEntryByName({ params: { name: `${name}.unverified.cns` } })).entry
      .expires_at ?? "";
  const ends = [await endOf("alice"), await endOf("bob")];
  await network.forward(65);
  await network.settle();
  expect((await endOf("alice")) > (ends[0] ?? "")).toBe(true);
  expect((await endOf("bob")) > (ends[1] ?? "")).toBe(true);
  const { protocolVersion } = (await fetch(`${network.net.svs[0]?.sequencerUrl}/v1/network`).then((answer) =>
    answer.json(),
  )) as { protocolVersion: number };
  expect(protocolVersion).toBe(4);
});
