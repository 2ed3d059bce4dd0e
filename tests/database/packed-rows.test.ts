// Rows of a participant with packed texts: beside rows of earlier releases, after a rollback, and after a loss.

import type { StreamEvent, StreamItem } from "@callsign/api";
import { compressText } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { LedgerStore, StoreRewound } from "../../packages/participant/src/store/ledger-store.ts";
import { listItems } from "../../packages/participant/src/store/list-items.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import { PruningStore } from "../../packages/participant/src/store/pruning-store.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest } from "./stores.ts";

const BEFORE_PACKED_BODIES = {
  ...participantMigrations,
  migrations: participantMigrations.migrations.slice(0, 4),
};

function itemOf(offset: number): StreamItem {
  const event: StreamEvent = {
    ...{
      kind: "exercised",
      nodeId: 0,
      contractId: `00${"ab".repeat(68)}`,
      templateId: "T",
      witnesses: ["alice"],
    },
    ...{ signatories: [], observers: [], consuming: false, choice: "C", argument: "\u0000é", result: "{}" },
    ...{ actingParties: ["alice"], lastDescendant: 0, interfaceId: null, acsDelta: false },
  };
  const update = { updateId: `update ${offset}`, ledgerTime: "1", events: [event] };
  return { recordTime: `${offset}`, completion: null, update, hostings: [] };
}

function agreed(offset: number) {
  return { offset, digest: `digest ${offset}`, body: JSON.stringify(itemOf(offset)), cause: null };
}

const STREAM_TABLES = ["stream_item", "update_witness"];

const range = {
  ...{ beginExclusive: 0, endInclusive: 100, limit: 200, descending: true },
  ...{ witnesses: null, hostings: null },
};

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("bodies of items are read, as they came, compressed and packed", async (given) => {
    const place = new StorePlaceOfTest(kind, given);
    const before = await place.open(BEFORE_PACKED_BODIES);
    await before.run("insert into ledger_position values (1, 2, 'digest 2', 2, null, null, null)");
    const bodies = [agreed(1).body, compressText(agreed(2).body).toString("base64")];
    for (const [index, body] of bodies.entries())
      await before.run(
        "insert into stream_item values ($1, $2, $1, $3, $4, '')",
        ...[BigInt(index + 1), `digest ${index + 1}`, `update ${index + 1}`, body],
      );
    await before.close();

    const store = await place.open(participantMigrations);
    const ledger = new LedgerStore(store);
    expect((await ledger.open()).position).toEqual({ offset: 2, digest: "digest 2" });
    // The first dictionary is made of 64 texts.
    for (let offset = 3; offset <= 100; offset += 7)
      await ledger.ingest(Array.from({ length: 7 }, (_, i) => agreed(offset + i)));
    expect(await store.get("select count(*) as dictionaries from text_dictionary")).toEqual({
      dictionaries: 1n,
    });

    // Another process has nothing in memory.
    const reader = new LedgerStore(store);
    await reader.open();
    const items = await listItems(reader, range);
    expect(items.map(({ item }) => item)).toEqual(Array.from({ length: 100 }, (_, i) => itemOf(100 - i)));
    const pruning = new PruningStore(store, reader);
    await pruning.advance(80);
    while (await pruning.removeChunk());
    expect(await store.get("select count(*) as items from stream_item")).toEqual({ items: 20n });
  });

  test("a dictionary that is gone with a rollback or a loss is made again", async (given) => {
    const store = await new StorePlaceOfTest(kind, given).open(participantMigrations);
    const ledger = new LedgerStore(store);
    const { position } = await ledger.open();
    const items = Array.from({ length: 100 }, (_, i) => agreed(i + 1));
    // The second item of an offset is refused behind all others.
    await expect(ledger.ingest([...items, agreed(1)])).rejects.toThrow();
    expect(await store.all("select id from text_dictionary")).toEqual([]);
    await ledger.ingest(items);
    for (const table of ["text_dictionary", ...STREAM_TABLES]) await store.run(`delete from ${table}`);
    await store.run(
      "update ledger_position set ledger_offset = $1, digest = $2",
      position.offset,
      position.digest,
    );
    await expect(ledger.ingest([agreed(101)])).rejects.toThrow(StoreRewound);
    await ledger.ingest(items);
    const reader = new LedgerStore(store);
    await reader.open();
    expect(await listItems(reader, range)).toHaveLength(100);
  });
});
