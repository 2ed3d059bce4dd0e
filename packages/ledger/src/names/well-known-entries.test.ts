import { expect, test } from "vitest";
import { parseEntryName } from "./entry-name.ts";
import { listWellKnownEntries } from "./well-known-entries.ts";

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

test("no well-known name can be registered", () => {
  for (const entry of entries) expect(parseEntryName(entry.name, "cns").ok).toBe(false);
});
