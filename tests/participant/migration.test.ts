/** A participant with SQLite is carried over to the next migration of its network. */
import { describe, expect, test } from "vitest";
import { CARRIED_TABLES } from "../../packages/participant/src/migration/carry-over.ts";
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

describe("SQLite", () => describeMigration("SQLite"));
