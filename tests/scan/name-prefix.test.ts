import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareText } from "../../packages/ledger/src/values/text.ts";
import { endOfPrefix } from "../../packages/scan/src/names/name-prefix.ts";
import { ScannedWorld } from "./name-world.ts";

describe("the end of a prefix", () => {
  test.each([
    ["", null],
    ["a", "b"],
    ["alice", "alicf"],
    ["a%", "a&"],
    ["a_", "a`"],
    ["\u007f", "\u0080"],
    ["\ud7ff", "\ue000"],
    ["\uffff", "\u{10000}"],
    ["a\u{1f600}", "a\u{1f601}"],
    ["a\u{10ffff}", "b"],
    ["\u{10ffff}\u{10ffff}", null],
  ])("of %j is %j", (prefix, end) => {
    expect(endOfPrefix(prefix)).toBe(end);
  });

  test("divides the texts with the prefix from all that come after them", () => {
    const edges = fc.constantFrom(
      "a",
      "b",
      "\u007f",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
    );
    const text = fc.string({
      unit: fc.oneof(edges, fc.string({ unit: "binary", maxLength: 1 })),
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, text, (prefix, suffix, other) => {
        const end = endOfPrefix(prefix);
        for (const candidate of [prefix, prefix + suffix, other]) {
          const isInRange =
            compareText(candidate, prefix) >= 0 && (end === null || compareText(candidate, end) < 0);
          expect(isInRange).toBe(candidate.startsWith(prefix));
        }
      }),
      { numRuns: 500 },
    );
  });
});

const WELL_KNOWN = ["dso.cns", "sv-1.sv.cns", "sv-2.sv.cns", "sv-3.sv.cns", "sv-4.sv.cns"];

/** A world with these names; the ledger takes any text as one. */
function worldWith(names: readonly string[]): ScannedWorld {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  for (const name of names) world.collectAnyway(alice, { name });
  return world;
}

describe("a page of names", () => {
  test("has them in the order of their UTF-8 bytes, whatever the locale or UTF-16 would say", async () => {
    const ordered = ["", "-", "A", "Z", "_", "a", "a-b", "a.b", "a_b", "ab", "z", "é", "\uffff", "\u{1f600}"];
    const world = worldWith(ordered.toReversed());
    expect(await world.list("")).toEqual([...ordered, ...WELL_KNOWN]);
  });

  test("takes every character of the prefix for itself", async () => {
    const world = worldWith(["a%b", "a%c", "a_b", "axb", "a*b", "a\\b", "a'b", "A%b", "a"]);
    expect(await world.list("a%")).toEqual(["a%b", "a%c"]);
    expect(await world.list("a_")).toEqual(["a_b"]);
    expect(await world.list("a*")).toEqual(["a*b"]);
    expect(await world.list("a\\")).toEqual(["a\\b"]);
    expect(await world.list("a'")).toEqual(["a'b"]);
    expect(await world.list("A")).toEqual(["A%b"]);
    expect(await world.list("%")).toEqual([]);
    expect(await world.list("_")).toEqual([]);
  });

  test("finds characters beyond the basic plane, and nothing for half a character", async () => {
    const faces = ["\u{1f600}", "\u{1f600}\u{1f600}", "\u{1f601}"];
    const last = ["\u{10ffff}", "\u{10ffff}\u{10ffff}z"];
    const world = worldWith([...faces, ...last, "\ufffd", "\ud7ff", "\ue000"]);
    expect(await world.list("\u{1f600}")).toEqual(["\u{1f600}", "\u{1f600}\u{1f600}"]);
    expect(await world.list("\u{10ffff}")).toEqual(last);
    expect(await world.list("\u{10ffff}\u{10ffff}")).toEqual(["\u{10ffff}\u{10ffff}z"]);
    expect(await world.list("\ud7ff")).toEqual(["\ud7ff"]);
    // SQLite would read a lone surrogate as U+FFFD.
    expect(await world.list("\ud83d")).toEqual([]);
    expect(await world.list("\ude00")).toEqual([]);
    expect(await world.findByName("\ud83d")).toBe("not-found");
    expect(await world.findByName("\ufffd")).toMatchObject({ name: "\ufffd" });
  });

  test("is empty for a prefix longer than any name, and for one with U+0000", async () => {
    const world = worldWith(["a"]);
    expect(await world.list("a".repeat(5000))).toEqual([]);
    expect(await world.list("aa")).toEqual([]);
    expect(await world.list("a\0")).toEqual([]);
    expect(await world.list("\0")).toEqual([]);
  });

  test("gives well-known names the room that registered ones leave", async () => {
    const registered = ["a.unverified.cns", "dx.unverified.cns", "sv-2x.unverified.cns"];
    const world = worldWith(registered);
    expect(await world.list("", 1)).toEqual(registered.slice(0, 1));
    expect(await world.list("", 3)).toEqual(registered);
    expect(await world.list("", 4)).toEqual([...registered, "dso.cns"]);
    expect(await world.list("", 6)).toEqual([...registered, "dso.cns", "sv-1.sv.cns", "sv-2.sv.cns"]);
    expect(await world.list("", 1000)).toEqual([...registered, ...WELL_KNOWN]);
    expect(await world.list("d")).toEqual(["dx.unverified.cns", "dso.cns"]);
    expect(await world.list("sv-2")).toEqual(["sv-2x.unverified.cns", "sv-2.sv.cns"]);
    expect(await world.list("dso.cns.")).toEqual([]);
  });
});
