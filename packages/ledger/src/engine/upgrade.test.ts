/** Versions of one package side by side, as in Daml's smart contract upgrades. */
import { describe, expect, test } from "vitest";
import { alice, bob } from "../../testing/engine-fixture.ts";
import { rejectionOf } from "../../testing/rejection.ts";
import { Sandbox } from "../../testing/sandbox.ts";
import { sha256 } from "../../testing/sha256.ts";
import { record } from "../daml/record.ts";
import { party, text } from "../daml/scalars.ts";
import { createCatalogue, type LoadedPackage } from "./catalogue.ts";
import { type createCommand, exerciseCommand } from "./command.ts";
import {
  consuming,
  type DamlPackage,
  declareInterface,
  declareTemplate,
  nonConsuming,
} from "./declaration.ts";
import { createEngine } from "./interpret.ts";
import { type InterfaceInstance, implement, implementInterface } from "./template.ts";

const v1: DamlPackage = { name: "test-notes", version: "1.0.0", id: "c".repeat(64) };
const v2: DamlPackage = { name: "test-notes", version: "2.0.0", id: "d".repeat(64) };
const place = { module: "Notes", entity: "Note" } as const;
const fields = { author: party, words: text };
const Read = record({ words: text });
const Other = declareTemplate({ package: v1, module: "Notes", entity: "Other", fields });

const NoteV1 = declareTemplate({
  ...place,
  package: v1,
  fields,
  choices: { Note_Read: nonConsuming({}, Read) },
});
const NoteV2 = declareTemplate({
  ...place,
  package: v2,
  fields,
  choices: { ...NoteV1.choices, Note_Shout: nonConsuming({}, Read), Note_Burn: consuming({}, record({})) },
});

const byAuthor = ({ author }: { readonly author: typeof alice }) => [author];
const noteV1 = implement(NoteV1, {
  signatories: byAuthor,
  choices: { Note_Read: { controllers: byAuthor, exercise: ({ contract: { words } }) => ({ words }) } },
});
const noteV2 = implement(NoteV2, {
  signatories: byAuthor,
  choices: {
    Note_Read: { controllers: byAuthor, exercise: ({ contract: { words } }) => ({ words: `${words}.` }) },
    Note_Shout: {
      controllers: byAuthor,
      exercise: ({ update, self }) => {
        const { words } = update.fetch(NoteV2, self);
        return { words: words.toUpperCase() };
      },
    },
    Note_Burn: { controllers: byAuthor, exercise: () => ({}) },
  },
});
const other = implement(Other, { signatories: byAuthor });

const first: LoadedPackage = { package: v1, templates: [noteV1, other], interfaces: [] };
const second: LoadedPackage = { package: v2, templates: [noteV2], interfaces: [], since: 3n };
const catalogue = createCatalogue([first, second]);
const as = { actAs: [alice] };

function written() {
  const sandbox = new Sandbox({ catalogue });
  const note = sandbox.create(NoteV1, { author: alice, words: "hello" }, as);
  return { sandbox, note };
}

describe("a contract of an earlier version", () => {
  test("has the choices of a later one, and its exercise names the version that ran", () => {
    const { sandbox, note } = written();
    expect(sandbox.exercise(NoteV2, note, "Note_Shout", {}, as)).toEqual({ words: "HELLO" });
    expect(sandbox.lastTransaction?.nodes).toMatchObject([{ templateId: NoteV2.id, contractId: note }]);
    expect(sandbox.exercise(NoteV1, note, "Note_Read", {}, as)).toEqual({ words: "hello" });
    expect(sandbox.exercise(NoteV2, note, "Note_Read", {}, as)).toEqual({ words: "hello." });
    sandbox.exercise(NoteV2, note, "Note_Burn", {}, as);
    expect(sandbox.isActive(note)).toBe(false);
  });

  test("keeps its own signatories and controllers", () => {
    const { sandbox, note } = written();
    const outcome = () =>
      sandbox.exercise(NoteV2, note, "Note_Shout", {}, { actAs: [bob], disclose: [note] });
    expect(rejectionOf(outcome).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("is none of another template of the same package", () => {
    const { sandbox } = written();
    const plain = sandbox.create(Other, { author: alice, words: "hello" }, as);
    const outcome = () => sandbox.exercise(NoteV2, plain, "Note_Shout", {}, as);
    expect(rejectionOf(outcome).code).toBe("WRONGLY_TYPED_CONTRACT");
  });
});

test("a contract of a later version has the choices of an earlier one", () => {
  const { sandbox } = written();
  const note = sandbox.create(NoteV2, { author: alice, words: "hello" }, as);
  expect(sandbox.exercise(NoteV1, note, "Note_Read", {}, as)).toEqual({ words: "hello" });
});

describe("a package name", () => {
  test("means the latest version of each template", () => {
    expect(catalogue.resolve(NoteV1.nameRef)).toEqual({ kind: "template", template: noteV2 });
    expect(catalogue.resolve(Other.nameRef)).toEqual({ kind: "template", template: other });
    expect(catalogue.listVersions(NoteV1.nameRef)).toEqual([NoteV1.id, NoteV2.id]);
    expect(catalogue.listVersions(NoteV1.id)).toEqual([NoteV1.id]);
    expect(catalogue.listVersions("#test-notes:Notes:Nothing")).toEqual([]);
  });

  test("means the version that the protocol version knows", () => {
    expect(catalogue.at(2n).resolve(NoteV1.nameRef)).toEqual({ kind: "template", template: noteV1 });
    expect(catalogue.at(2n).resolve(NoteV2.id)).toEqual({ kind: "unknown", reason: "package" });
    expect(catalogue.at(3n)).toBe(catalogue);
  });
});

describe("an engine asked for a protocol version", () => {
  const engine = createEngine({ catalogue, hash: sha256 });
  const { sandbox, note } = written();
  const ask = (templateId: string, protocolVersion?: bigint) =>
    engine.interpret({
      commands: [
        {
          ...exerciseCommand(NoteV2, note, "Note_Shout", {}),
          value: { templateId, contractId: note, choice: "Note_Shout", argument: [] },
        } as ReturnType<typeof createCommand>,
      ],
      ...{ ...as, readAs: [], disclosed: [], seed: "", now: sandbox.now, stage: "commit" },
      timeBounds: { earliest: null, latest: null },
      findContract: () => {
        const payload = NoteV1.record.encode({ author: alice, words: "hello" });
        return { contractId: note, templateId: NoteV1.id, payload, createdAt: sandbox.now };
      },
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
    });

  test.each([undefined, 3n, 4n])("runs the choice in %s", (version) => {
    expect(ask(NoteV2.id, version).kind).toBe("transaction");
    expect(ask(NoteV2.nameRef, version).kind).toBe("transaction");
  });

  test.each([1n, 2n])("does not know the package or the choice in %s", (version) => {
    expect(ask(NoteV2.id, version)).toMatchObject({ error: { code: "PACKAGE_NOT_FOUND" } });
    const byName = ask(NoteV2.nameRef, version);
    expect(byName).toMatchObject({ error: { code: "COMMAND_PREPROCESSING_FAILED" } });
  });
});

describe("a later version is refused", () => {
  const upgraded = (change: object, interfaces: readonly InterfaceInstance[] = []) => {
    const declaration = declareTemplate({
      ...place,
      package: v2,
      fields,
      choices: NoteV1.choices,
      ...change,
    });
    const rules = { controllers: byAuthor, exercise: () => ({ words: "" }) };
    const choices = Object.fromEntries(Object.keys(declaration.choices).map((name) => [name, rules]));
    const template = implement(declaration, { signatories: () => [alice], choices, interfaces } as never);
    return () => createCatalogue([first, { package: v2, templates: [template], interfaces: [] }]);
  };

  test.each([
    ["other fields", { fields: { ...fields, more: text } }],
    ["another type of a field", { fields: { author: text, words: text } }],
    ["a choice less", { choices: {} }],
    ["a choice of another argument", { choices: { Note_Read: nonConsuming({ words: text }, Read) } }],
    ["a choice of another result", { choices: { Note_Read: nonConsuming({}, record({})) } }],
    ["a choice that consumes", { choices: { Note_Read: consuming({}, Read) } }],
  ])("with %s", (_, change) => {
    expect(upgraded(change)).toThrow(`${NoteV2.id} is no upgrade of ${NoteV1.id}`);
  });

  test("with another interface", () => {
    const Titled = declareInterface({ package: v2, module: "Notes", entity: "Titled", view: Read });
    const titled = implementInterface(NoteV2, Titled, { view: ({ words }) => ({ words }) });
    expect(upgraded({}, [titled])).toThrow(`${NoteV2.id} is no upgrade of ${NoteV1.id}`);
  });

  test("unless it keeps them", () => {
    expect(upgraded({})).not.toThrow();
  });
});
