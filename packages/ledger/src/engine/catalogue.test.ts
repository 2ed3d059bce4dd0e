/** Finding templates and interfaces by their names. */
import { describe, expect, test } from "vitest";
import { Asset, alice, assets, Iou, Paper, papers, testCatalogue } from "../../testing/engine-fixture.ts";
import { EngineLedger } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import { text } from "../daml/scalars.ts";
import { createCatalogue } from "./catalogue.ts";
import { createCommand } from "./command.ts";
import { type DamlPackage, declareInterface, declareTemplate } from "./declaration.ts";
import { createEngine } from "./interpret.ts";
import { implement } from "./template.ts";

function noteOf(pkg: DamlPackage) {
  const declaration = declareTemplate({ package: pkg, module: "Notes", entity: "Note", fields: { text } });
  return implement(declaration, { signatories: () => [alice] });
}

const notes = { name: "test-notes", version: "1.0.0", id: "c".repeat(64) };
const loaded = { package: notes, templates: [noteOf(notes)], interfaces: [] };

describe("a name resolves", () => {
  test.each([Paper.id, "#test-papers:Test.Papers:Paper"])("to a template: %s", (ref) => {
    expect(testCatalogue.resolve(ref)).toEqual({
      kind: "template",
      template: testCatalogue.findTemplate(Paper.id),
    });
  });

  test.each([Asset.id, "#test-assets:Test.Assets:Asset"])("to an interface: %s", (ref) => {
    expect(testCatalogue.resolve(ref)).toEqual({ kind: "interface", interface: Asset });
  });

  test.each([
    ["nothing of a package id that is unknown", `${"d".repeat(64)}:Test.Papers:Paper`, "package"],
    ["nothing of a package name that is unknown", "#test-paper:Test.Papers:Paper", "package-name"],
    ["nothing of a package name where an id is due", "test-papers:Test.Papers:Paper", "package"],
    ["nothing of a package id where a name is due", `#${papers.id}:Test.Papers:Paper`, "package-name"],
    ["nothing of a known package", "#test-papers:Test.Papers:Letter", "entity"],
    ["nothing of what another package has", `${assets.id}:Test.Papers:Paper`, "entity"],
    ["nothing of another case", "#test-papers:Test.Papers:paper", "entity"],
    ["nothing malformed", "Test.Papers:Paper", "malformed"],
  ])("to %s", (_, ref, reason) => {
    expect(testCatalogue.resolve(ref)).toEqual({ kind: "unknown", reason });
  });
});

test("a template is found by its id alone; the id of an interface finds none", () => {
  expect(testCatalogue.findTemplate(Iou.id)?.declaration).toBe(Iou);
  expect(testCatalogue.findTemplate("#test-papers:Test.Ious:Iou")).toBeUndefined();
  expect(testCatalogue.findTemplate(Asset.id)).toBeUndefined();
});

describe("a catalogue refuses duplicates", () => {
  test("by its id", () => {
    expect(() => createCatalogue([loaded, loaded])).toThrow(
      "#test-notes:Notes:Note is in the catalogue twice",
    );
  });

  test("as a template and as an interface", () => {
    const note = declareInterface({
      package: notes,
      module: "Notes",
      entity: "Note",
      view: text,
    });
    const confused = { ...loaded, interfaces: [note] };
    expect(() => createCatalogue([confused])).toThrow("twice");
  });
});

test("an engine runs what its own catalogue holds, and nothing else", () => {
  const engine = createEngine({ catalogue: createCatalogue([loaded]), hash: sha256 });
  const ledger = new EngineLedger();
  const note = createCommand(noteOf(notes).declaration, { text: "words" });
  const request = {
    commands: [note],
    actAs: [alice],
    readAs: [],
    disclosed: [],
    seed: "",
    now: ledger.now,
    timeBounds: { earliest: null, latest: null },
    findContract: () => undefined,
    stage: "commit",
  } as const;
  expect(engine.interpret(request).kind).toBe("transaction");
  expect(ledger.engine.interpret(request)).toMatchObject({ error: { code: "PACKAGE_NOT_FOUND" } });
});
