/** A log that lost its tail gets back what the copies of the SVs prove, byte for byte, and nothing else. */
import type { CopyPage } from "@callsign/api";
import { CannotStart } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { COPY_PAGE } from "../../packages/synchronizer/src/limits/limits.ts";
import type { LogBatch, LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import type { CopyAsked, Peer } from "../../packages/synchronizer/src/peers/peer.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import {
  chainBatches,
  chainContents,
  contentsOf,
  EMPTY,
  headOf,
  LONG,
  readEntries,
  readLog,
} from "./log-entries.ts";
import { type CopyHolder, holdersOf, logOf, restore } from "./restore-kit.ts";

/** Ten entries, of which the log has seven. */
const batches = chainBatches(EMPTY, 10);
const rest = batches.slice(0, 7);
const end = rest.at(-1)?.head as LogHead;
const whole = batches.at(-1)?.head as LogHead;
const bytes = batches.flatMap(({ entries }) => entries);
/** Forty entries that one SV has signed. */
const forged = chainContents(end, contentsOf("forged", 40));

const idOf = (name: string) => identityNamed(name).id;

/** An SV that answers in its own way. */
function changed(
  { id, peer, copy }: CopyHolder,
  showCopy: (show: () => Promise<CopyPage>, signal: AbortSignal, asked: CopyAsked) => Promise<CopyPage>,
): CopyHolder {
  const { head, headAt, held, tick } = peer;
  const other: Peer = {
    ...{ id, head, headAt, held, tick },
    showCopy: (asked, signal) => showCopy(() => peer.showCopy(asked, signal), signal, asked),
  };
  return { id, peer: other, copy };
}

const silent = (holder: CopyHolder) =>
  changed(holder, () => Promise.reject(new Error("connect ECONNREFUSED")));

test("entries that two of four SVs hold alike are restored, byte for byte, and one that one holds is dropped", async () => {
  const [more] = chainBatches(whole, 1) as [LogBatch];
  const holders = await holdersOf(batches, [...batches, more], rest, rest);
  const log = await logOf(...rest);
  const outcome = await restore({ log, holders });
  expect(outcome).toMatchObject({
    before: end,
    head: whole,
    chosen: [],
    end: { kind: "whole" },
    cutBehind: null,
  });
  expect(outcome.dropped).toEqual([{ ...more.head, holders: [idOf("sv-2")], by: "evidence" }]);
  expect(await log.head()).toEqual(whole);
  expect(await readEntries(log, 0, 10)).toEqual(bytes);
  // The SV that holds more is told to cut its copy, on its own machine.
  const [first, second, ...others] = holders as [CopyHolder, CopyHolder, CopyHolder, CopyHolder];
  const there = await restore({
    log,
    holders: [first, second, ...others],
    own: { ids: [second.id], copy: second.copy, enterTerm: () => undefined },
    others: [first, ...others].map(({ peer }) => peer),
  });
  expect([there.head, there.cutBehind]).toEqual([whole, whole]);
  second.copy.cutBehind(whole);
  expect(await second.copy.head()).toEqual(whole);
  expect(await readEntries(second.copy, 0, 10)).toEqual(bytes);
});

test("an entry that one SV holds behind the last page of those that stand is dropped", async () => {
  const lost = chainContents(end, contentsOf("lost", COPY_PAGE));
  const more = chainContents(lost.head, ["more"]);
  const holders = await holdersOf([...rest, lost], [...rest, lost, more], rest, rest);
  const outcome = await restore({ log: await logOf(...rest), holders });
  expect(outcome).toMatchObject({ head: lost.head, end: { kind: "whole" } });
  expect(outcome.dropped).toEqual([{ ...more.head, holders: [idOf("sv-2")], by: "evidence" }]);
});

test("a log that lost everything is restored from its first entry on", async () => {
  const log = await logOf();
  const outcome = await restore({ log, holders: await holdersOf(batches, batches, rest, rest) });
  expect(outcome).toMatchObject({ before: EMPTY, head: whole, end: { kind: "whole" } });
  expect(await readEntries(log, 0, 10)).toEqual(bytes);
});

test("an SV whose copy was trimmed does not say that it lacks the entries before", async () => {
  const log = await logOf(...batches.slice(0, 2));
  const holders = await holdersOf(batches, batches, batches, batches);
  for (const { copy } of holders) await copy.trim(5);
  const outcome = await restore({ log, holders });
  expect(outcome).toMatchObject({ end: { kind: "waits", sequence: 3 }, dropped: [], cutBehind: null });
  expect([...outcome.silent.values()]).toEqual(
    holders.map(() => "the log begins behind entry 5: the entries behind 2 are trimmed"),
  );
});

test("nothing is appended unless it is asked for, and the outcome is the same", async () => {
  const holders = await holdersOf(batches, batches, rest, rest);
  const log = await logOf(...rest);
  const told = await restore({ log, holders, appends: false });
  expect(await log.head()).toEqual(end);
  expect(await restore({ log, holders })).toEqual(told);
  expect(await restore({ log, holders })).toMatchObject({ before: whole, head: whole, dropped: [] });
});

test("a forged tail of forty entries is not restored while the honest holder is slow, nor when it answers", async () => {
  const log = await logOf(...rest);
  const all = await holdersOf(rest, batches, [...rest, forged], rest);
  const gate = Promise.withResolvers<void>();
  const holders = all.map((holder, i) =>
    i === 1
      ? changed(holder, async (show) => {
          await gate.promise;
          return show();
        })
      : holder,
  );
  const asking = restore({ log, holders, waits: 60_000 });
  const early = await restore({ log, holders: holders.map((each, i) => (i === 1 ? silent(each) : each)) });
  expect(early).toMatchObject({
    head: end,
    dropped: [],
    end: { kind: "waits", sequence: 8, awaited: [idOf("sv-2")], entries: [{ holders: [idOf("sv-3")] }] },
  });
  expect(await log.head()).toEqual(end);
  gate.resolve();
  const outcome = await asking;
  // One holder is not enough either: no quorum can have acknowledged its entries.
  expect(outcome.dropped.map(({ holders: [holder] }) => holder).toSorted()).toEqual([
    idOf("sv-2"),
    idOf("sv-3"),
  ]);
  expect([outcome.end.kind, await log.head()]).toEqual(["whole", end]);
});

test("a forged tail does not hide the shorter one that two SVs hold", async () => {
  const log = await logOf(...rest);
  const outcome = await restore({ log, holders: await holdersOf(batches, [...rest, forged], batches, rest) });
  expect(await log.head()).toEqual(whole);
  expect(outcome.dropped.map(({ sequence, holders }) => [sequence, holders])).toEqual([[8, [idOf("sv-2")]]]);
});

describe("two entries of one place", () => {
  const other = chainContents(end, ["other"]);
  const [eighth] = batches.slice(7) as [LogBatch];

  test("the operator's choice decides between two against two", async () => {
    const log = await logOf(...rest);
    const holders = await holdersOf(batches, [...rest, other], batches, [...rest, other]);
    const open = await restore({ log, holders });
    expect(open.end).toMatchObject({ kind: "waits", sequence: 8, awaited: [] });
    expect(open.cutBehind).toBeNull();
    expect(await log.head()).toEqual(end);
    const kept = [[8, other.head.entryHash]] as const;
    const outcome = await restore({ log, holders, kept });
    expect(outcome).toMatchObject({
      head: other.head,
      chosen: [other.head],
      end: { kind: "whole" },
      cutBehind: end,
    });
    expect(await log.head()).toEqual(other.head);
  });

  test("a choice that the SVs have disproved is refused, and nothing is appended", async () => {
    const log = await logOf(...rest);
    const holders = await holdersOf(batches, batches, [...rest, other], rest);
    const kept = [[8, other.head.entryHash]] as const;
    await expect(restore({ log, holders, kept })).rejects.toThrow(
      `entry 8:${other.head.entryHash} cannot be kept: the SVs have shown that it was not acknowledged, ` +
        `and that ${eighth.head.entryHash} stands in its place`,
    );
    expect(await log.head()).toEqual(end);
  });

  test("an SV whose copy has another entry than the log cuts it, once enough SVs lack that entry", async () => {
    const log = await logOf(...batches);
    const [own, ...others] = await holdersOf([...rest, other], batches, batches, batches);
    const [first, ...fewer] = others;
    const waiting = await restore({
      log,
      holders: [own, silent(first as CopyHolder), ...fewer] as CopyHolder[],
    });
    expect(waiting).toMatchObject({ cutBehind: null, end: { kind: "waits", sequence: 8 } });
    const outcome = await restore({ log, holders: [own, ...others] as CopyHolder[] });
    expect(outcome).toMatchObject({ head: whole, cutBehind: end, end: { kind: "whole" } });
  });

  test("a log that differs from the copies of the SVs is left alone", async () => {
    const log = await logOf(...rest, other);
    const holders = await holdersOf(batches, batches, batches, batches);
    await expect(restore({ log, holders })).rejects.toThrow(
      `the log has entry 8 with hash ${other.head.entryHash}, but the SVs hold ${eighth.head.entryHash} there`,
    );
    expect(await log.head()).toEqual(other.head);
  });

  test("of two SVs that differ, the one whose entry is not in the log cuts it", async () => {
    const log = await logOf(...rest, other);
    const outcome = await restore({ log, holders: await holdersOf(batches, [...rest, other]) });
    expect(outcome).toMatchObject({ head: other.head, cutBehind: end, end: { kind: "whole" } });
  });
});

test("an SV that is declared lost is not waited for", async () => {
  const log = await logOf(...rest);
  const [first, second, third, fourth] = (await holdersOf(batches, batches, rest, rest)) as [
    CopyHolder,
    CopyHolder,
    CopyHolder,
    CopyHolder,
  ];
  const holders = [first, second, silent(third), silent(fourth)];
  const waiting = await restore({ log, holders });
  expect(waiting.end).toMatchObject({ kind: "waits", sequence: 8, awaited: [third.id, fourth.id] });
  expect(waiting.silent.get(third.id)).toBe("connect ECONNREFUSED");
  expect(await log.head()).toEqual(end);
  const outcome = await restore({ log, holders, lost: ["sv-4"] });
  expect(outcome).toMatchObject({ head: whole, end: { kind: "whole" } });
  expect(outcome.chosen.map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
});

test("a restore that is killed in the middle goes on behind the entries that are there", async () => {
  const tail = chainContents(end, contentsOf("long", LONG));
  const log = await logOf(...rest);
  const copies = [...rest, tail];
  const holders = await holdersOf(copies, rest, copies, copies);
  let appended = 0;
  const dying: OrderedLog = {
    ...{ head: log.head, start: log.start, term: log.term, unwritable: log.unwritable, trim: log.trim },
    close: log.close,
    follow: (after, signal) => log.follow(after, signal),
    append: async (batch) => {
      if (appended === 3) throw new Error("killed");
      appended++;
      return log.append(batch);
    },
  };
  await expect(restore({ log: dying, holders })).rejects.toThrow("killed");
  const { sequence } = await log.head();
  expect(sequence).toBeGreaterThan(7);
  expect(sequence).toBeLessThan(7 + LONG);
  const outcome = await restore({ log, holders });
  expect(outcome).toMatchObject({ before: { sequence }, head: tail.head, end: { kind: "whole" } });
  expect((await readLog(log)).map((entry) => headOf(entry)).at(-1)).toEqual(tail.head);
  expect(await readEntries(log, 7, LONG)).toEqual(tail.entries);
});

describe("answers that do not hold are not heard", () => {
  const [, ninth] = batches.slice(7) as [LogBatch, LogBatch];

  test.each<[string, (page: CopyPage) => Partial<CopyPage>, RegExp]>([
    [
      "damaged bytes",
      ({ entries }) => ({ entries: entries.map((each) => each.replace("batch 9", "batch 5")) }),
      /does not follow entry|the log is damaged/,
    ],
    [
      "an entry that is left out",
      ({ entries }) => ({ entries: entries.slice(1) }),
      /does not follow entry 7/,
    ],
    [
      "bytes that are no entry",
      ({ entries: [, ...more] }) => ({ entries: ["[]", ...more] }),
      /damaged behind entry 7/,
    ],
    ["another last entry", () => ({ last: ninth.head }), /not signed by its key/],
    ["an end that is not signed", () => ({ end: ninth.head }), /not signed by its key/],
    [
      "another key",
      () => ({ publicKey: identityNamed("sv-9").signingKey.publicKey }),
      /not signed by its key/,
    ],
  ])("%s", async (_, change, reason) => {
    const log = await logOf(...rest);
    const [own, liar, ...others] = (await holdersOf(rest, batches, rest, batches)) as [
      CopyHolder,
      CopyHolder,
    ];
    const lying = changed(liar, async (show) => {
      const page = await show();
      return { ...page, ...change(page) };
    });
    const outcome = await restore({ log, holders: [own, lying, ...others] });
    expect(outcome.silent.get(liar.id)).toMatch(reason);
    expect(outcome.end).toMatchObject({ kind: "waits", sequence: 8, awaited: [liar.id] });
    expect(await log.head()).toEqual(end);
  });

  test("an answer of before", async () => {
    const log = await logOf(...rest);
    const [own, liar, ...others] = (await holdersOf(rest, batches, rest, batches)) as [
      CopyHolder,
      CopyHolder,
    ];
    const old = await liar.peer.showCopy(
      { ...end, term: "sqlite", nonce: "00".repeat(16) },
      AbortSignal.timeout(1000),
    );
    const outcome = await restore({ log, holders: [own, changed(liar, async () => old), ...others] });
    expect(outcome.silent.get(liar.id)).toBe("its answer is not signed by its key on the ledger");
  });
});

test("a log that grows, or changes its term, while the SVs are asked takes nothing", async () => {
  const holders = await holdersOf(rest, batches, rest, batches);
  const log = await logOf(...rest);
  const other = chainContents(end, ["other"]);
  const late = (act: () => Promise<unknown>) =>
    holders.map((holder, i) =>
      i === 2
        ? changed(holder, async (show) => {
            await act();
            return show();
          })
        : holder,
    );
  const growing = restore({ log, holders: late(() => log.append(other)) });
  await expect(growing).rejects.toBeInstanceOf(CannotStart);
  await expect(growing).rejects.toThrow("somebody else appends. Run the command again");
  expect(await log.head()).toEqual(other.head);
  const changing = await logOf(...rest);
  let term = "term 1";
  const served: OrderedLog = {
    ...{ head: changing.head, start: changing.start, unwritable: changing.unwritable, trim: changing.trim },
    close: changing.close,
    follow: (after, signal) => changing.follow(after, signal),
    term: async () => term,
    append: async (batch) =>
      (batch.term ?? term) === term
        ? changing.append({ after: batch.after, head: batch.head, entries: batch.entries })
        : { appended: false, head: await changing.head(), term },
  };
  const moved = late(async () => {
    term = "term 2";
  });
  await expect(restore({ log: served, holders: moved })).rejects.toThrow("its server has changed");
  expect(await changing.head()).toEqual(end);
});
