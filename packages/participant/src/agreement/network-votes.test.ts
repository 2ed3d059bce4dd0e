import { describe, expect, test } from "vitest";
import { NetworkVotes } from "./network-votes.ts";
import { SvQuorum } from "./sv-quorum.ts";

const FOUR = ["sv-1", "sv-2", "sv-3", "sv-4"];

function network(id: string, svs: readonly string[] = FOUR) {
  const known = { synchronizerId: "sync", dso: "dso" };
  const begun = { id, ...known, migrationId: 0n, svs, svSerial: 0n };
  const by = (sequencer: string) => ({ network: id, ...known, migrationId: 0, sequencer });
  return { begun, by, known: { network: id, ...known } };
}

function votes(urls: number, known: Parameters<typeof network>[0] | null = null) {
  const quorum = new SvQuorum({ urls, threshold: null });
  return { quorum, votes: new NetworkVotes(quorum, known === null ? null : network(known).known) };
}

describe("an unknown network", () => {
  test("is joined once a quorum of its SVs serves it", () => {
    const { quorum, votes: four } = votes(4);
    const { begun, by, known } = network("a");
    for (const [source, sv] of ["sv-1", "sv-2"].entries())
      expect(four.vote(source, by(sv), begun)).toBeNull();
    expect([four.agreed, quorum.svs]).toEqual([null, null]);
    four.vote(2, by("sv-3"), begun);
    expect([four.agreed, [...(quorum.svs ?? [])]]).toEqual([known, FOUR]);
  });

  test("that a liar founded for itself is not joined by a participant with more addresses", () => {
    const { votes: four } = votes(4);
    const liar = network("b", ["liar"]);
    expect(four.vote(3, liar.by("liar"), liar.begun)).toBeNull();
    expect(four.agreed).toBeNull();
    const { begun, by, known } = network("a");
    for (const source of [0, 1, 2]) four.vote(source, by(FOUR[source] ?? ""), begun);
    expect([four.agreed, four.hasVoted(3)]).toEqual([known, false]);
  });
});

describe("an address has no vote", () => {
  const { begun, by } = network("a");

  test("if its first entry is another network's", () => {
    const { votes: one } = votes(1, "a");
    expect(one.vote(0, by("sv-1"), null)).toContain("first entry");
    expect(one.vote(0, by("sv-1"), network("b").begun)).toContain("first entry");
    expect(one.vote(0, by("sv-1"), { ...begun, dso: "other" })).toContain("first entry");
    expect(one.hasVoted(0)).toBe(false);
  });

  test("if its node is none of the SVs", () => {
    const { quorum, votes: one } = votes(1, "a");
    expect(one.vote(0, by("sv-5"), begun)).toContain("none of the 4 SVs");
    expect([one.hasVoted(0), quorum.svs]).toEqual([false, null]);
  });

  test("if its SV has voted at another one", () => {
    const { votes: two } = votes(2, "a");
    expect(two.vote(0, by("sv-1"), begun)).toBeNull();
    expect(two.vote(1, by("sv-1"), begun)).toContain("another address");
    two.forget(0);
    expect(two.vote(1, by("sv-1"), begun)).toBeNull();
  });
});

test("one first entry is enough to know the SVs of the store's own network", () => {
  const { quorum, votes: known } = votes(4, "a");
  const { begun, by } = network("a");
  known.vote(2, by("sv-4"), begun);
  expect(quorum.history).toBe(3);
});

describe("changed SVs", () => {
  const five = [...FOUR, "sv-5"];

  test("replace those of the first entry, and an SV that has left loses its vote", () => {
    const { quorum, votes: known } = votes(5, "a");
    const { begun, by } = network("a");
    for (const [source, sv] of FOUR.entries()) known.vote(source, by(sv), begun);
    expect(known.vote(4, by("sv-5"), begun)).toContain("none of the 4 SVs");
    const joined = { ...begun, svs: five, svSerial: 1n };
    expect(known.changeSvs(joined)).toEqual([]);
    expect([[...(quorum.svs ?? [])], known.findBegun("a")]).toEqual([five, joined]);
    expect(known.vote(4, by("sv-5"), joined)).toBeNull();
    const left = { ...begun, svs: five.filter((sv) => sv !== "sv-2"), svSerial: 2n };
    expect(known.changeSvs(left)).toEqual([1]);
    expect(quorum.svs?.size).toBe(4);
  });

  test("that the store has kept are known before any sequencer answers", () => {
    const { begun, by, known } = network("a");
    const quorum = new SvQuorum({ urls: 4, threshold: null });
    const svs = { ...begun, svs: ["sv-2", "sv-3", "sv-4", "sv-5"], svSerial: 2n };
    const kept = new NetworkVotes(quorum, known, { svs });
    expect([quorum.history, quorum.svs?.has("sv-1")]).toEqual([3, false]);
    expect(kept.vote(0, by("sv-1"), begun)).toContain("none of the 4 SVs");
    expect(kept.vote(1, by("sv-5"), begun)).toBeNull();
    expect(kept.svs).toBe(svs);
  });

  test("of another network than the store's do not count", () => {
    const quorum = new SvQuorum({ urls: 4, threshold: null });
    const { begun } = network("b");
    const kept = new NetworkVotes(quorum, network("a").known, { svs: { ...begun, svSerial: 1n } });
    expect([kept.svs, quorum.svs]).toEqual([null, null]);
  });

  test("do not go back to an earlier set", () => {
    const { quorum, votes: known } = votes(4, "a");
    const { begun, by } = network("a");
    known.vote(0, by("sv-1"), { ...begun, svs: five, svSerial: 1n });
    known.vote(1, by("sv-2"), begun);
    expect(known.findBegun("a")?.svs).toEqual(five);
    expect(quorum.svs?.size).toBe(5);
  });
});
