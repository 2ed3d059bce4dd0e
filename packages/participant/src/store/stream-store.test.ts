/** Streams on a store of their own: pages that meet news, readers whom pruning overtakes, and when they are told where they are. */

import type { StreamItem } from "@callsign/api";
import { timeFromMicros } from "@callsign/ledger";
import { Bell, type Host, LedgerFailure, openDatabase, type Store, systemHost } from "@callsign/node";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { CHECKPOINT_INTERVALS } from "../limits/limits.ts";
import type { LedgerReader } from "../reads/ledger-reader.ts";
import { CheckpointPace } from "../streams/checkpoint-pace.ts";
import { followRange } from "../streams/follow-range.ts";
import { LedgerStore } from "./ledger-store.ts";
import { listItems } from "./list-items.ts";
import { openParticipantStore } from "./open-participant-store.ts";
import { PruningStore } from "./pruning-store.ts";
import type { StoredItem } from "./stored-item.ts";

const BEGIN = 1_700_000_000_000_000n;

class TestLedger {
  readonly store: Store;
  readonly ledger: LedgerStore;
  readonly advanced: Bell;
  readonly #host: Host;

  constructor(store: Store, host: Host) {
    this.store = store;
    this.ledger = new LedgerStore(store);
    this.advanced = new Bell(host.timers);
    this.#host = host;
  }

  static async open(host: Host = systemHost): Promise<TestLedger> {
    const opened = new TestLedger(await openParticipantStore(openDatabase(":memory:")), host);
    await opened.ledger.open();
    return opened;
  }

  /** Stores so many more updates, and then tells. */
  async append(count: number): Promise<void> {
    const first = this.ledger.end + 1;
    const items = Array.from({ length: count }, (_, i) => {
      const offset = first + i;
      const recordTime = String(BEGIN + BigInt(offset));
      const update = { updateId: `u-${offset}`, ledgerTime: recordTime, events: [] };
      const item: StreamItem = { recordTime, completion: null, update, hostings: [] };
      return { offset, digest: `digest-${offset}`, body: JSON.stringify(item), cause: null };
    });
    if (count > 0) await this.ledger.ingest(items);
    this.advanced.ring();
  }

  /** The offsets of all updates but those that the reader may not see; checkpoints are negative. */
  stream(
    range: { beginExclusive: number; endInclusive: number | null },
    signal: AbortSignal,
    { intervals = CHECKPOINT_INTERVALS, hidden = [] as readonly number[] } = {},
  ) {
    const parts = {
      ledger: this.ledger,
      host: this.#host,
      advanced: this.advanced,
      intervals,
      synchronizerId: () => "s",
      recordTime: () => timeFromMicros(BEGIN),
    };
    const reader: LedgerReader<StoredItem, number> = {
      list: (page) => listItems(this.ledger, { ...page, witnesses: null, hostings: null }),
      format: ({ offset }) => (hidden.includes(offset) ? [] : [offset]),
      checkpoint: ({ offset }) => -offset,
    };
    return followRange(parts, reader, { ...range, descendingOrder: false }, signal);
  }
}

test("a reader gets each update once and in order, however appends and reads interleave", async () => {
  const burst = fc.record({
    count: fc.integer({ min: 0, max: 230 }),
    afterReads: fc.integer({ min: 0, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 250 }),
      fc.array(burst, { maxLength: 6 }),
      async (first, bursts) => {
        const ledger = await TestLedger.open();
        await ledger.append(first);
        const total = first + bursts.reduce((sum, { count }) => sum + count, 0);
        const stop = new AbortController();
        const stream = ledger.stream({ beginExclusive: 0, endInclusive: null }, stop.signal);
        const seen: number[] = [];
        const reading = (async () => {
          for await (const offset of stream) {
            if (offset > 0) seen.push(offset);
            if (seen.length === total) return;
          }
        })();
        // While the reader reads: some appends fall into a page, some behind the last one.
        for (const { count, afterReads } of bursts) {
          for (let turn = 0; turn < afterReads && seen.length < ledger.ledger.end; turn++)
            await Promise.resolve();
          await ledger.append(count);
        }
        if (total === 0) stop.abort();
        await reading;
        expect(seen).toEqual(Array.from({ length: total }, (_, i) => i + 1));
        await ledger.store.close();
      },
    ),
    { numRuns: 60 },
  );
});

test("a checkpoint is never ahead of the reader's updates", async () => {
  const opened = await TestLedger.open();
  onTestFinished(() => opened.store.close());
  await opened.append(150);
  const stop = new AbortController();
  const intervals = { firstMilliseconds: 0, passedMilliseconds: 0, silentMilliseconds: 0 };
  const stream = opened.stream({ beginExclusive: 0, endInclusive: null }, stop.signal, { intervals });
  let had = 0;
  const told: number[] = [];
  for await (const offset of stream) {
    if (offset > 0) had = offset;
    else {
      told.push(-offset);
      expect(-offset).toBe(had);
    }
    // While the reader has a page before them, the ledger goes on.
    if (offset === 50 || offset === 120) await opened.append(30);
    if (offset === -210) stop.abort();
  }
  expect(told[0]).toBe(100);
  expect(told.at(-1)).toBe(210);
});

test("a reader overtaken by pruning gets an error, and every update before it", async () => {
  const opened = await TestLedger.open();
  onTestFinished(() => opened.store.close());
  await opened.append(500);
  const stream = opened.stream({ beginExclusive: 0, endInclusive: 500 }, new AbortController().signal);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const offset of stream) {
      seen.push(offset);
      if (offset === 50) await new PruningStore(opened.store, opened.ledger).advance(400);
    }
  })();
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LedgerFailure);
  expect(error).toMatchObject({
    error: { code: "PARTICIPANT_PRUNED_DATA_ACCESSED", context: { earliest_offset: "400" } },
  });
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1));
  expect(seen.length).toBeLessThan(400);
});

test("a stream sends checkpoints half a second after its start, after hidden updates, and every minute", async () => {
  const host = new VirtualHost();
  const opened = await TestLedger.open(host);
  onTestFinished(() => opened.store.close());
  await opened.append(2);
  const stop = new AbortController();
  const stream = opened.stream({ beginExclusive: 0, endInclusive: null }, stop.signal, { hidden: [3] });
  const told: (readonly [number, number])[] = [];
  const reading = (async () => {
    for await (const offset of stream) if (offset < 0) told.push([host.clock.elapsedMilliseconds(), -offset]);
  })();
  await host.advance(5000);
  await opened.append(1);
  await host.advance(75_000);
  await opened.append(1);
  await host.advance(60_000);
  expect(told).toEqual([
    [500, 2],
    [15_500, 3],
    [75_500, 3],
    [135_500, 4],
  ]);
  stop.abort();
  await reading;
});

test("a checkpoint is due half a second after the start, then when something passed, and every minute", () => {
  let now = 0;
  const pace = new CheckpointPace(CHECKPOINT_INTERVALS, () => now);
  expect(pace.due).toBe(500);
  now = 400;
  pace.read(true);
  expect(pace.due).toBe(100);
  now = 700;
  expect(pace.due).toBe(0);
  pace.tell();
  expect(pace.due).toBe(60_000);
  now = 10_700;
  pace.read(false);
  // The reader last heard something ten seconds ago.
  expect(pace.due).toBe(5000);
  pace.read(true);
  expect(pace.due).toBe(50_000);
  now = 60_700;
  expect(pace.due).toBe(0);
});
