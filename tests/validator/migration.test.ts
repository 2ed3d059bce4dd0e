// A validator whose network is migrated to the next id: it waits for its participant, and then reads the new ledger.

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { SV_NAMES } from "../../packages/localnet/src/data-folder.ts";
import { AUTH, makeToken, NODE_SETTINGS, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { startParticipant } from "../../packages/participant/src/index.ts";
import { migrateNetwork } from "../../packages/sv/src/index.ts";
import { startValidator, type Validator } from "../../packages/validator/src/index.ts";
import { historyOf } from "../support/history.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { validatorClient } from "../support/network-clients.ts";
import { machineTime, testLog } from "../support/sv-nodes.ts";

const NODE = "app-user";

test("a validator is carried over once its participant is, and has the wallets of before", async () => {
  const dataFolder = join(temporaryFolder(), "net");
  const world = await LocalNetwork.start({ dataFolder });
  await world.tap(NODE, "100");
  await world.buy(NODE, "alice");
  await world.settle();
  const before = await describeWallet(world.net.nodes[NODE].validator);
  expect(before.names).toEqual(["alice.unverified.cns"]);
  expect(before.history).toHaveLength(3);
  await world.close();
  const place = { dataFolder, migrationId: 0n, svs: SV_NAMES };
  await migrateNetwork({ ...place, clock: machineTime, log: testLog() }, systemHost);
  const network = await startSvsIn({ dataFolder, migrationId: 1n, names: SV_NAMES });
  onTestFinished(() => network.close());
  // The SVs announce the new id.
  await network.settle();

  const listening = { host: "127.0.0.1", port: 0, auth: AUTH, log: testLog() };
  const openParticipant = (migration: object) =>
    startParticipant({
      ...listening,
      dataFolder: join(dataFolder, NODE, "participant"),
      nodeIdentifier: "participant",
      sequencers: network.svs.map(({ sequencerUrl }) => sequencerUrl),
      adminUsers: [SERVICE_USER],
      ...migration,
    });
  const serviceToken = await makeToken(SERVICE_USER);
  const openValidator = (participantUrl: string, migrating: boolean) =>
    startValidator({
      ...listening,
      dataFolder: join(dataFolder, NODE, "validator"),
      participantUrl,
      scans: network.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
      serviceUser: { userId: SERVICE_USER, token: () => serviceToken },
      walletUsers: [NODE],
      operatorPartyHint: NODE_SETTINGS[NODE].partyHint,
      pausedAutomations: ["record-liveness"],
      migrationId: 1,
      migrating,
    });

  const early = await openParticipant({});
  await expect(openValidator(early.url, false)).rejects.toThrow(
    /belongs to the network's migration 0, and migrationId is 1: .*set migrating to true/,
  );
  const waiting = await openValidator(early.url, true);
  await until(() => /participant does not know its migration/.test(waiting.missing() ?? ""), "it waits");
  await waiting.close();
  await early.close();

  const participant = await openParticipant({ migrationId: 1, migrating: true });
  onTestFinished(() => participant.close());
  for (const migrating of [true, false]) {
    const validator = await openValidator(participant.url, migrating);
    await until(() => validator.isReady(), "the validator is ready");
    expect(await describeWallet(validator)).toEqual(before);
    await validator.close();
  }
});

async function describeWallet({ url, operatorParty }: Validator) {
  const wallet = validatorClient(url, await makeToken(NODE));
  const { entries } = await wallet.listAnsEntries();
  return {
    operator: operatorParty(),
    balance: await wallet.getBalance(),
    names: entries.map(({ name }) => name),
    history: await historyOf(wallet),
  };
}
