/** A participant with SQLite is carried over to the next migration of its network. */
import { systemHost } from "@callsign/node";
import { migrateNetwork } from "@callsign/sv";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { CARRIED_TABLES } from "../../packages/participant/src/migration/carry-over.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { machineTime, testLog } from "../support/sv-nodes.ts";
import { closing, describeMigration, placeNode } from "./migration-cases.ts";

/** They are read again from the new stream, or are of the old one alone. */
const LEFT_TABLES = [
  ...["ledger_position", "pruned_position", "stream_item", "contract", "stakeholder", "completion", "party"],
  ...[
    "user_completion",
    "party_completion",
    "update_witness",
    "topology_update",
    "hosting_change",
    "name_number",
    "text_dictionary",
  ],
  ...["submission_note", "submission_note_context", "submission_context"],
];

test("every table is carried over or left behind on purpose", async (context) => {
  const node = await placeNode("SQLite", context);
  const tables = await closing(await node.open(0), (store) =>
    store.all(
      "select name from sqlite_master where type = 'table' and name <> 'store_version' order by name",
    ),
  );
  // Settings are carried over one by one.
  const known = [...Object.keys(CARRIED_TABLES), ...LEFT_TABLES, "participant_setting"];
  expect(tables.map(({ name }) => name)).toEqual(known.sort());
});

test("a store that keeps no id is not used under the network's next one, unless it is carried over", async () => {
  const [network, dataFolder] = [temporaryFolder(), temporaryFolder()];
  const place = { dataFolder: network, migrationId: 0n };
  const before = await startSvsIn({ ...place, names: ["sv-1"], isQuiet: true });
  const sequencersOf = ({ svs }: typeof before) => svs.map(({ sequencerUrl }) => sequencerUrl);
  // Without an id it writes none, as release 0.1.0 did.
  const old = await newParticipant(sequencersOf(before), { dataFolder });
  await ready(old);
  await newActor(old, "alice");
  await old.close();
  await before.close();
  await migrateNetwork({ ...place, svs: ["sv-1"], clock: machineTime, log: testLog() }, systemHost);
  const after = await startSvsIn({ ...place, migrationId: 1n, names: ["sv-1"], isQuiet: true });
  try {
    const start = (migrating: boolean) =>
      newParticipant(sequencersOf(after), { dataFolder, migrationId: 1, migrating });
    const refused = await start(false);
    await until(() => refused.failure() !== null, "it says that it cannot follow the network");
    expect(refused.missing()).toMatch(
      /serves migration 1 of its network, and this participant's store, which keeps no migration id, is of another one\. Restart this participant with migration\.migrating: true/,
    );
    await refused.close();
    await ready(await start(true));
  } finally {
    await after.close();
  }
});

describe("SQLite", () => describeMigration("SQLite"));
