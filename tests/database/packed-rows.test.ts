// Rows of a participant with packed texts: beside rows of earlier releases, after a rollback, and after a loss.

import type { StreamEvent, StreamItem } from "@callsign/api";
import { compressText } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { listActiveContracts } from "../../packages/participant/src/store/active-contracts.ts";
import { contractNumber, NEVER } from "../../packages/participant/src/store/contract-number.ts";
import { LedgerStore, StoreRewound } from "../../packages/participant/src/store/ledger-store.ts";
import { listItems } from "../../packages/participant/src/store/list-items.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import { PruningStore } from "../../packages/participant/src/store/pruning-store.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest } from "./stores.ts";

function upTo(version: number) {
  return { ...participantMigrations, migrations: participantMigrations.migrations.slice(0, version) };
}

/** Ids of two contracts that follow one another share the part that finds them. */
function contractIdOf(number: number): string {
  const [shared, own] = [Math.floor(number / 2), number].map((each) => `${each}`.padStart(12, "0"));
  return `00${"ab".repeat(32)}ca101220${shared}${own?.padEnd(52, "0")}`;
}

const STAKEHOLDERS = { signatories: ["alice", "dso"], observers: ["bob"], witnesses: ["alice", "bob"] };

/** Each creates a contract, and archives the one of the third offset before it. */
function itemOf(offset: number): StreamItem {
  const events: StreamEvent[] = [
    {
      ...{ kind: "created", nodeId: 0, contractId: contractIdOf(offset), templateId: "T", acsDelta: true },
      ...{ payload: `{"number":${offset},"text":"é"}`, createdAt: "1", ...STAKEHOLDERS },
    },
    {
      ...{
        kind: "exercised",
        nodeId: 1,
        contractId: contractIdOf(offset - 3),
        templateId: "T",
        acsDelta: true,
      },
      ...{
        lastDescendant: 1,
        interfaceId: null,
        choice: "Archive",
        consuming: true,
        actingParties: ["alice"],
      },
      ...{ argument: "\u0000é", result: "{}", ...STAKEHOLDERS },
    },
  ];
  const update = { updateId: `update ${offset}`, ledgerTime: "1", events };
  return { recordTime: `${offset}`, completion: null, update, hostings: [] };
}

function agreed(offset: number) {
  return { offset, digest: `digest ${offset}`, body: JSON.stringify(itemOf(offset)), cause: null };
}

const STREAM_TABLES = ["stream_item", "update_witness", "contract", "stakeholder"];

async function listActive(ledger: LedgerStore, activeAt: number) {
  const selections = [{ party: "bob", templateId: "T" }];
  const active = await listActiveContracts(ledger, { selections, activeAt, after: -1n, limit: 200 });
  return active.map(({ contract, signatories, observers, stakeholders }) => ({
    ...{ id: contract.contractId, payload: contract.payload, signatories, observers, stakeholders },
  }));
}

function activeOf(offset: number) {
  return {
    ...{ id: contractIdOf(offset), payload: `{"number":${offset},"text":"é"}` },
    ...{ signatories: ["alice", "dso"], observers: ["bob"], stakeholders: ["alice", "bob"] },
  };
}

const range = {
  ...{ beginExclusive: 0, endInclusive: 100, limit: 200, descending: true },
  ...{ witnesses: null, hostings: null },
};

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("bodies of items are read, as they came, compressed and packed", async (given) => {
    const place = new StorePlaceOfTest(kind, given);
    const before = await place.open(upTo(4));
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
      dictionaries: 2n,
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
    expect(await listActive(reader, 100)).toEqual([98, 99, 100].map(activeOf));
  });

  test("contracts of earlier releases are found, listed, archived and pruned beside packed ones", async (given) => {
    const place = new StorePlaceOfTest(kind, given);
    const before = await place.open(upTo(5));
    await before.run("insert into ledger_position values (1, 4, 'digest 4', 4, null, null, null)");
    for (const [number, name] of ["T", "alice", "bob"].entries())
      await before.run("insert into name_number values ($1, $2)", BigInt(number), name);
    for (const offset of [1, 2, 3, 4]) {
      const { id, payload, ...parties } = activeOf(offset);
      const archived = offset === 1 ? 4n : NEVER;
      await before.run(
        "insert into contract values ($1, $2, 0, 1, $3, $4, $5, $6, 1, $7, $8)",
        ...[contractNumber(offset, 0), id, payload],
        ...[parties.signatories, parties.observers, parties.stakeholders].map((each) => JSON.stringify(each)),
        ...[archived, offset === 1 ? 1n : null],
      );
      for (const party of [1n, 2n])
        await before.run(
          "insert into stakeholder values ($1, 0, $2, $3)",
          party,
          archived,
          contractNumber(offset, 0),
        );
    }
    await before.close();

    const store = await place.open(participantMigrations);
    const ledger = new LedgerStore(store);
    await ledger.open();
    expect(await listActive(ledger, 4)).toEqual([2, 3, 4].map(activeOf));
    await ledger.ingest([agreed(5), agreed(6)]);
    expect(await listActive(ledger, 4)).toEqual([2, 3, 4].map(activeOf));
    expect(await listActive(ledger, 6)).toEqual([4, 5, 6].map(activeOf));
    // The ids of 2 and 3, of 4 and 5 share their parts.
    const archivedAt = async (offset: number) =>
      (await ledger.findContract(contractIdOf(offset)))?.archived?.offset ?? null;
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(archivedAt))).toEqual([4, 5, 6, null, null, null]);
    expect((await ledger.findContracts([contractIdOf(2), contractIdOf(7)])).size).toBe(1);
    const pruning = new PruningStore(store, ledger);
    await pruning.advance(5);
    while (await pruning.removeChunk());
    expect(await store.get("select count(*) as contracts from contract")).toEqual({ contracts: 4n });
    expect(await store.get("select count(*) as rows from stakeholder")).toEqual({ rows: 8n });
    expect(await listActive(ledger, 6)).toEqual([4, 5, 6].map(activeOf));
  });
});
