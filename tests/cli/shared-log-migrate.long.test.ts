// `network migrate` on a shared log: it is refused, and an operator who has all the SVs gets there by the way that the refusal tells.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Metrics, silentLog, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { svRole } from "../../packages/cli/src/run/run-sv.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { postgresLogValues } from "../support/log-values.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { draft, type Organisation, organisation, sign, succeeded, writeCard } from "./founding-kit.ts";
import { setupOf, type Values, writeParts } from "./setup-kit.ts";

const NAMES = ["sv-1", "sv-2"];

/** All SVs of the network, with the keys of the log and the migration id. */
function operator(folder: string, name: string, change: Values): Organisation {
  return organisation(name, { folder, names: NAMES, change: { disableAuth: true, ...change } });
}

function giveIdentities(from: Organisation, to: Organisation): void {
  for (const name of NAMES) {
    mkdirSync(join(to.dataFolder, name), { recursive: true });
    const pathOf = ({ dataFolder }: Organisation) => join(dataFolder, name, "identity.json");
    copyFileSync(pathOf(from), pathOf(to));
  }
}

async function copyLog(from: Organisation, to: Organisation, migration: Values): Promise<void> {
  const file = join(temporaryFolder(), "to.yaml");
  writeFileSync(file, JSON.stringify({ ...to.values, ...migration }));
  succeeded(await from.run(["log", "copy", "--to", file], migration));
}

test("a shared log is not migrated; copied out, migrated and copied back, its SVs go on", {
  timeout: 120_000,
}, async (context) => {
  const folder = temporaryFolder();
  const database = await sharedDatabase(undefined, context);
  const shared = operator(folder, "shared", { log: postgresLogValues(database) });
  const workshop = operator(folder, "workshop", {});
  const later = operator(folder, "later", { log: postgresLogValues(database) });
  await writeCard(shared);
  const path = await draft([shared]);
  succeeded(await shared.run(["network", "found", path, await sign(shared, path)]));

  const { exitCode, complained } = await shared.run(["network", "migrate"]);
  expect([exitCode, complained]).toEqual([
    1,
    "callsign network migrate: it works on the SQLite log alone, and log.kind is postgres: the new log is signed with the keys of a " +
      "quorum of SVs in one place. A new protocol version needs no new log: run callsign network draft --activation. To migrate all " +
      "the same, stop the SVs, copy the log to a SQLite one (callsign log copy), run this there with the folders of the SVs beside " +
      "it, and copy the new log to an empty place of the engine\n",
  ]);

  await copyLog(shared, workshop, {});
  giveIdentities(shared, workshop);
  expect(succeeded(await workshop.run(["network", "migrate"]))).toContain("signed by: sv-1, sv-2");
  const migration = { migration: { id: 1 } };
  await copyLog(workshop, later, migration);
  giveIdentities(shared, later);
  const setup = setupOf(readSvSetup(writeParts({ files: [later.values, migration] })));
  const role = await svRole(setup, systemHost).start({
    ...{ host: systemHost, log: silentLog, metrics: new Metrics() },
    waitFor: () => undefined,
    stopping: new AbortController().signal,
  });
  onTestFinished(() => role.close());
  await until(() => role.missing() === null, "the SVs are ready", 60_000);
});
