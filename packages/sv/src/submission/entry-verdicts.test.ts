import type { Head, Verdict } from "@callsign/ledger";
import { expect, test } from "vitest";
import { EntryVerdicts } from "./entry-verdicts.ts";

const IGNORED = { kind: "ignored", reason: "its signature is wrong" } as const;

function page(first: number, last: number, verdict: Verdict = IGNORED) {
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    head: { sequence: first + i } as Head,
    verdict,
  }));
}

test("keeps verdicts only while a submission is under way, without their transactions", () => {
  const verdicts = new EntryVerdicts();
  verdicts.take(page(1, 10));
  expect(verdicts.size).toBe(0);
  const end = verdicts.begin(10);
  const effects = { created: [], archived: [] };
  verdicts.take(page(11, 12, { kind: "accepted", transaction: null, effects, changes: [] }));
  verdicts.take(page(13, 13));
  expect(verdicts.find(12)).toEqual({ kind: "accepted" });
  expect(verdicts.find(13)).toEqual(IGNORED);
  end();
  expect(verdicts.size).toBe(0);
  verdicts.take(page(14, 20));
  expect(verdicts.size).toBe(0);
});

test("submissions that overlap without end keep no more than the oldest one may need", () => {
  const verdicts = new EntryVerdicts();
  let end = verdicts.begin(0);
  for (let head = 100; head <= 10_000; head += 100) {
    verdicts.take(page(head - 99, head));
    const endNext = verdicts.begin(head);
    expect(verdicts.find(head)).toEqual(IGNORED);
    end();
    expect(verdicts.size).toBe(0);
    end = endNext;
  }
});

test("a submission that ends leaves the verdicts behind the start of an older one", () => {
  const verdicts = new EntryVerdicts();
  const endOld = verdicts.begin(5);
  verdicts.take(page(6, 8));
  const endYoung = verdicts.begin(8);
  verdicts.take(page(9, 9));
  endYoung();
  expect(verdicts.size).toBe(4);
  endOld();
  expect(verdicts.size).toBe(0);
});
