// The terms of names are set by the first start of a network, and kept by every other, also after a migration.

import { CannotStart, Metrics, silentLog, systemHost } from "@callsign/node";
import { migrateNetwork } from "@callsign/sv";
import { expect, test } from "vitest";
import { createClient, scanApi } from "../../packages/api/src/index.ts";
import { machineTime, svRole } from "../../packages/cli/src/run/run-sv.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { setupOf, type Values, writeParts } from "./setup-kit.ts";

test("a network is founded with the terms that its values give, and does not start with others", async () => {
  const dataFolder = temporaryFolder();
  const terms = { entryFee: "2.5", entryLifetime: "1h", renewalDuration: "15m" };
  const founded = await start(dataFolder, terms);
  const scan = createClient(scanApi, { fetch, baseUrl: founded.addresses["scan of sv-1"] ?? "" });
  await until(() => founded.missing() === null, "the SV is ready");
  const { ans_rules_update } = await scan.getAnsRules({ body: {} });
  expect(ans_rules_update.contract?.payload).toMatchObject({
    config: {
      entryFee: "2.5",
      entryLifetime: { microseconds: "3600000000" },
      renewalDuration: { microseconds: "900000000" },
    },
  });
  await founded.close();

  const others = { entryFee: "2.6", entryLifetime: "2h", renewalDuration: "15m" };
  await expect(start(dataFolder, others)).rejects.toThrow(
    new CannotStart(
      `the network in ${dataFolder} keeps what it was founded with: network.initialAnsConfig.entryFee is 2.6, and was 2.5; ` +
        "network.initialAnsConfig.entryLifetime is 2h, and was 1h. Give the old values, or found another network: set " +
        "callsign.dataFolder to a new folder",
    ),
  );
  await expect(start(dataFolder, {}, { names: { nameServiceNameAcronym: "ANS" } })).rejects.toThrow(
    "network.spliceInstanceNames.nameServiceNameAcronym is ans, and was cns.",
  );

  for (const same of [{}, { ...terms, entryFee: "2.50", entryLifetime: "60m" }])
    await (await start(dataFolder, same)).close();

  const place = { dataFolder, migrationId: 0n, svs: ["sv-1"] };
  await migrateNetwork({ ...place, clock: machineTime(systemHost), log: silentLog }, systemHost);
  const migration = { id: 1 };
  await expect(start(dataFolder, { ...terms, entryFee: "2.6" }, { migration })).rejects.toThrow(
    "keeps what it was founded with: network.initialAnsConfig.entryFee is 2.6, and was 2.5.",
  );
  const names = { nameServiceNameAcronym: "ANS" };
  await expect(start(dataFolder, terms, { migration, names })).rejects.toThrow(
    "network.spliceInstanceNames.nameServiceNameAcronym is ans, and was cns.",
  );
  await (await start(dataFolder, terms, { migration })).close();
});

async function start(
  dataFolder: string,
  initialAnsConfig: Values,
  { names, migration }: { readonly names?: Values; readonly migration?: Values } = {},
) {
  const spliceInstanceNames = names && {
    ...{ networkName: "N", networkFaviconUrl: "https://n.example/icon.png" },
    ...{ amuletName: "Coin", amuletNameAcronym: "C", nameServiceName: "Names", ...names },
  };
  const values = {
    svs: [{ name: "sv-1", ports: { scan: 0, sequencer: 0, app: 0 } }],
    network: { initialAnsConfig, ...(spliceInstanceNames && { spliceInstanceNames }) },
    ...(migration && { migration }),
    disableAuth: true,
    callsign: { dataFolder },
  };
  const setup = setupOf(readSvSetup(writeParts({ files: [values] })));
  return await svRole(setup, systemHost).start({
    ...{ host: systemHost, log: silentLog, metrics: new Metrics() },
    waitFor: () => undefined,
    stopping: new AbortController().signal,
  });
}
