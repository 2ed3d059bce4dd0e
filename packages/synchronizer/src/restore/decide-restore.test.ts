import { describe, expect, test } from "vitest";
import { countToDisprove, decideRestore, type RestoreDecision } from "./decide-restore.ts";

interface Given {
  /**
   * The copies of the SVs behind entry 10, a letter for an entry: "ab" holds two, "" none, "ab…" has more that is not shown yet,
   * "?" has not answered.
   */
  readonly copies: readonly string[];
  readonly lost?: readonly number[];
  readonly kept?: readonly (readonly [number, string])[];
}

const named = (index: number) => `sv-${index + 1}`;

function decide({ copies, lost = [], kept = [] }: Given): RestoreDecision {
  const shown = copies.flatMap((copy, i) => {
    if (copy === "?") return [];
    const entryHashes = [...copy.replace("…", "")];
    return [[named(i), { entryHashes, isWhole: !copy.endsWith("…") }] as const];
  });
  return decideRestore({
    svs: copies.map((_, i) => named(i)),
    end: 10,
    shown: new Map(shown),
    words: { lost: new Set(lost.map((i) => named(i - 1))), kept: new Map(kept) },
  });
}

/** For people: the restored chain, the dropped entries with their places, and the end. */
function summarize({ restored, dropped, end }: RestoreDecision): string {
  const chain = restored.map(({ entryHash }) => entryHash).join("");
  const cut = dropped.map(({ sequence, entryHash }) => ` −${entryHash}${sequence}`).join("");
  const awaited = end.kind === "waits" ? end.awaited.map((sv) => sv.slice(3)).join("") : "";
  return `${chain}${cut} ${end.kind === "whole" ? "whole" : `waits for ${awaited || "a choice"}`}`.trim();
}

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 3],
  [5, 3],
  [6, 4],
  [7, 5],
  [10, 7],
])("of %i SVs, %i that lack an entry prove that it was not acknowledged", (svs, needed) => {
  expect(countToDisprove(svs)).toBe(needed);
});

describe("four SVs", () => {
  test.each([
    // Nothing is lost.
    [["", "", "", ""], "whole"],
    [["", "", "", "?"], "whole"],
    [["", "", "?", "?"], "waits for 34"],
    // Two hold an entry alike, and a third holds no other.
    [["abc", "abc", "", ""], "abc whole"],
    [["abc", "abc", "", "?"], "abc whole"],
    [["abc", "abc", "?", "?"], "waits for 34"],
    [["abc", "ab", "a", "?"], "ab waits for 4"],
    [["abc", "ab", "a", ""], "ab −c13 whole"],
    // One holds an entry alone.
    [["abc", "", "", "?"], "waits for 4"],
    [["abc", "", "", ""], "−a11 whole"],
    [["abc", "abx", "", ""], "ab −c13 −x13 whole"],
    [["a", "x", "y", "?"], "waits for 4"],
    [["a", "x", "y", "z"], "−a11 −x11 −y11 −z11 whole"],
    // Another entry in the place is dropped, with all that follows it.
    [["abc", "abc", "axyz", ""], "abc −x12 whole"],
    [["abc", "abc", "axyz", "?"], "a waits for 4"],
    [["ab", "ab", "x", "?"], "waits for 4"],
    // Two against two: any of both may have been acknowledged with a liar's help.
    [["ab", "ab", "ax", "ax"], "a waits for a choice"],
    // The place behind is not shown yet.
    [["abc", "ab…", "ab…", ""], "ab waits for 23"],
  ] as const)("%j: %s", (copies, summary) => {
    expect(summarize(decide({ copies }))).toBe(summary);
  });

  test("a chain of forty entries by one SV is never restored, however few others answer", () => {
    const forged = "f".repeat(40);
    expect(summarize(decide({ copies: [forged, "?", "?", "?"] }))).toBe("waits for 234");
    expect(summarize(decide({ copies: [forged, "", "", "?"] }))).toBe("waits for 4");
    expect(summarize(decide({ copies: [forged, "", "", "abc"] }))).toBe("−a11 −f11 whole");
    expect(summarize(decide({ copies: [forged, "abc", "", "abc"] }))).toBe("abc −f11 whole");
  });

  test("an SV that is lost counts as one that lacks the entry", () => {
    expect(summarize(decide({ copies: ["ab", "ab", "?", "?"], lost: [4] }))).toBe("ab whole");
    expect(summarize(decide({ copies: ["ab", "?", "", "?"], lost: [4] }))).toBe("waits for 2");
    const dropping = decide({ copies: ["ab", "", "", "?"], lost: [4] });
    expect(summarize(dropping)).toBe("−a11 whole");
    expect(dropping.dropped).toMatchObject([{ by: "word", holders: ["sv-1"] }]);
  });

  test("an SV that answers is heard, also if it is declared lost", () => {
    expect(summarize(decide({ copies: ["ab", "", "", "ab"], lost: [4] }))).toBe("ab whole");
    expect(summarize(decide({ copies: ["ab", "ab…", "", "?"], lost: [2, 4] }))).toBe("ab whole");
  });

  test("the operator chooses between two entries, once no SV is awaited", () => {
    const copies = ["ab", "ab", "xy", "xy"];
    expect(summarize(decide({ copies, kept: [[11, "x"]] }))).toBe("xy −a11 whole");
    expect(summarize(decide({ copies, kept: [[11, "a"]] }))).toBe("ab −x11 whole");
    expect(summarize(decide({ copies, kept: [[12, "y"]] }))).toBe("waits for a choice");
    expect(summarize(decide({ copies, kept: [[11, "z"]] }))).toBe("waits for a choice");
    const silent = ["a", "?", "xy", "xy"];
    expect(summarize(decide({ copies: silent, kept: [[11, "a"]] }))).toBe("waits for 2");
    expect(summarize(decide({ copies: silent, kept: [[11, "a"]], lost: [2] }))).toBe("a −x11 whole");
  });

  test("the operator's choice does not undo what the SVs have proven", () => {
    expect(summarize(decide({ copies: ["a", "a", "a", "x"], kept: [[11, "x"]] }))).toBe("a −x11 whole");
    expect(summarize(decide({ copies: ["", "", "", "x"], kept: [[11, "x"]] }))).toBe("−x11 whole");
  });

  test("an entry that only lost SVs speak against stands if the operator keeps it", () => {
    const copies = ["ab", "", "?", "?"];
    expect(summarize(decide({ copies, lost: [3, 4] }))).toBe("−a11 whole");
    expect(summarize(decide({ copies, lost: [3, 4], kept: [[11, "a"]] }))).toBe("a −b12 whole");
  });
});

describe("networks of another size", () => {
  test.each([
    [["ab"], "ab whole"],
    [["?"], "waits for 1"],
    // Of two SVs both must hold an acknowledged entry: one that lacks it is enough to know.
    [["ab", ""], "ab whole"],
    [["ab", "?"], "ab whole"],
    [["", "?"], "whole"],
    [["b", "a"], "a −b11 whole"],
    [["ab", "", ""], "ab whole"],
    [["ab", "", "?"], "ab whole"],
    [["ab", "?", "?"], "waits for 23"],
    [["b", "a", ""], "a −b11 whole"],
    [["b", "a", "?"], "waits for 3"],
    [["aa", "aa", "aa", "b", "b", "", ""], "aa −b11 whole"],
    [["aa", "aa", "aa", "b", "b", "b", ""], "waits for a choice"],
    [["aa", "aa", "", "", "", "", "?"], "waits for 7"],
    [["aa", "aa", "", "", "", "", ""], "−a11 whole"],
  ] as const)("%j: %s", (copies, summary) => {
    expect(summarize(decide({ copies }))).toBe(summary);
  });

  test("of two entries that may both stand, the operator's stands, else the one with more holders", () => {
    expect(summarize(decide({ copies: ["b", "a"], kept: [[11, "b"]] }))).toBe("b −a11 whole");
    expect(summarize(decide({ copies: ["b", "a", "a", "b", "b", ""] }))).toBe("b −a11 whole");
  });
});

test("an SV is counted once, and nobody else is", () => {
  const tail = { entryHashes: ["a"], isWhole: true };
  const shown = new Map(["sv-1", "x", "y", "z"].map((sv) => [sv, tail]));
  const words = { lost: new Set(["x"]), kept: new Map() };
  const svs = ["sv-1", "sv-1", "sv-2", "sv-3", "sv-4"];
  expect(decideRestore({ svs, end: 0, shown, words }).end).toEqual({
    kind: "waits",
    sequence: 1,
    entries: [{ sequence: 1, entryHash: "a", holders: ["sv-1"] }],
    awaited: ["sv-2", "sv-3", "sv-4"],
  });
});
