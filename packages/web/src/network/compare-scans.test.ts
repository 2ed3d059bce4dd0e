import { expect, test } from "vitest";
import { compareScans, type ScanAnswer } from "./compare-scans.ts";

const says = (text: string, second = 10): ScanAnswer => ({
  text,
  recordTime: `2027-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
});

test.each<[string, readonly (ScanAnswer | null)[], readonly [string, number | null][]]>([
  [
    "scans that agree, one of them a little later",
    [says("a"), says("a", 13), says("a")],
    [
      ["agrees", 3000],
      ["agrees", 0],
      ["agrees", 3000],
    ],
  ],
  [
    "a liar, a scan that is behind, and one that is silent",
    [says("a"), says("a"), says("a"), says("lie"), says("before", 9), null],
    [
      ["agrees", 0],
      ["agrees", 0],
      ["agrees", 0],
      ["differs", 0],
      ["behind", 1000],
      ["silent", null],
    ],
  ],
  [
    "a liar that claims a later time: it makes nobody late",
    [says("a"), says("a"), says("lie", 59)],
    [
      ["agrees", 0],
      ["agrees", 0],
      ["differs", 0],
    ],
  ],
  [
    "two against one that lies and one that is behind",
    [says("a"), says("lie"), says("a"), says("before", 9)],
    [
      ["agrees", 0],
      ["differs", 0],
      ["agrees", 0],
      ["behind", 1000],
    ],
  ],
  [
    "two of seven, of which two may be faulty",
    [says("a"), says("a"), null, null, null, null, null],
    [
      ["undecided", null],
      ["undecided", null],
      ...[3, 4, 5, 6, 7].map((): [string, null] => ["silent", null]),
    ],
  ],
  [
    "two against two",
    [says("a"), says("a"), says("b"), says("b")],
    [
      ["undecided", null],
      ["undecided", null],
      ["undecided", null],
      ["undecided", null],
    ],
  ],
  ["one alone", [says("a")], [["undecided", null]]],
])("%s", (_, answers, expected) => {
  const { bySv } = compareScans(Object.fromEntries(answers.map((answer, i) => [`sv-${i}`, answer])), null);
  expect(Object.values(bySv).map(({ verdict, lag }) => [verdict, lag])).toEqual(expected);
});

test("the scan behind the page is judged by the others, and tips no scales", () => {
  const sides = { a: says("a"), b: says("a"), c: says("b"), d: says("b") };
  expect(compareScans(sides, says("a")).own.verdict).toBe("undecided");
  expect(compareScans({ ...sides, c: says("a") }, says("b")).own.verdict).toBe("differs");
  expect(compareScans(sides, null).own.verdict).toBe("silent");
});
