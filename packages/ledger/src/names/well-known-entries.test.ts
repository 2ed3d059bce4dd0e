import { expect, test } from "vitest";
import { parseEntryName } from "./entry-name.ts";
import { findWellKnownByName, findWellKnownByParty, listWellKnownEntries } from "./well-known-entries.ts";

const svs = [
  { name: "Digital-Asset-2", party: "da2::1220bb" },
  { name: "sv-1", party: "sv1::1220aa" },
];
const entries = listWellKnownEntries({ acronym: "CNS", dso: "DSO::1220dd", svs });

test("the DSO comes first, then the SVs in the given order, all in lower case", () => {
  expect(entries).toEqual([
    { name: "dso.cns", party: "DSO::1220dd", url: "", description: "" },
    { name: "digital-asset-2.sv.cns", party: "da2::1220bb", url: "", description: "" },
    { name: "sv-1.sv.cns", party: "sv1::1220aa", url: "", description: "" },
  ]);
});

test("without SVs there is the DSO alone, under the network's acronym", () => {
  expect(listWellKnownEntries({ acronym: "ans", dso: "DSO::1220dd", svs: [] })).toEqual([
    { name: "dso.ans", party: "DSO::1220dd", url: "", description: "" },
  ]);
});

test.each([
  ["dso.cns", "DSO::1220dd"],
  ["sv-1.sv.cns", "sv1::1220aa"],
  ["digital-asset-2.sv.cns", "da2::1220bb"],
  ["DSO.cns", undefined],
  ["Digital-Asset-2.sv.cns", undefined],
  ["dso.cn", undefined],
  ["dso.unverified.cns", undefined],
  ["", undefined],
])("the name %j belongs to %s", (name, party) => {
  expect(findWellKnownByName(entries, name)?.party).toBe(party);
});

test.each([
  ["DSO::1220dd", "dso.cns"],
  ["sv1::1220aa", "sv-1.sv.cns"],
  ["dso::1220dd", undefined],
  ["alice::1220ee", undefined],
])("the party %s has the name %s", (party, name) => {
  expect(findWellKnownByParty(entries, party)?.name).toBe(name);
});

test("of several matches the first wins", () => {
  const doubled = listWellKnownEntries({
    acronym: "cns",
    dso: "one::1220aa",
    svs: [
      { name: "SV", party: "one::1220aa" },
      { name: "sv", party: "two::1220bb" },
    ],
  });
  expect(findWellKnownByParty(doubled, "one::1220aa")?.name).toBe("dso.cns");
  expect(findWellKnownByName(doubled, "sv.sv.cns")?.party).toBe("one::1220aa");
});

test("no well-known name can be registered", () => {
  for (const entry of entries) expect(parseEntryName(entry.name, "cns").ok).toBe(false);
});
