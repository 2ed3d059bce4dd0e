/**
 * Every payload, argument, result and view of the golden logs, written and read again in the three forms of JSON that
 * clients see: real values of nearly every template, and of most choices.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { type AnyDamlType, decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import { historyJson, ledgerJson, scanJson } from "../../packages/ledger/src/daml/json-dialect.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { FOUNDED, PRIMARY_NAME, readGoldenLog, TAKEN_UP } from "./golden-file.ts";
import { replayDigests } from "./replay-digests.ts";

interface Known {
  readonly what: string;
  readonly type: AnyDamlType;
  /** By canonical text. */
  readonly values: Map<string, unknown>;
}

const known = new Map<string, Known>();

function note(what: string, type: AnyDamlType, value: unknown): void {
  const entry = known.get(what) ?? { what, type, values: new Map<string, unknown>() };
  entry.values.set(type.encode(value), value);
  known.set(what, entry);
}

beforeAll(() => {
  for (const files of [FOUNDED, TAKEN_UP, PRIMARY_NAME]) replayDigests(readGoldenLog(files).log, noteValues);
});

function noteValues({ verdict }: Outcome): void {
  if (verdict.kind !== "accepted") return;
  for (const node of verdict.transaction?.nodes ?? []) {
    if (node.kind === "exercise") {
      note(`${node.choice} argument`, node.argument.type, node.argument.value);
      note(`${node.choice} result`, node.result.type, node.result.value);
      continue;
    }
    const template = networkCatalogue.findTemplate(node.contract.templateId);
    if (template === undefined) throw new Error(`${node.contract.templateId} is not in the catalogue`);
    note(template.declaration.nameRef, template.declaration.record, node.value);
    for (const instance of template.interfaces.values()) {
      const view = instance.view(node.value);
      note(`${instance.interface.nameRef} view`, instance.interface.view, view);
    }
  }
}

function numbersIn(json: unknown): readonly number[] {
  if (typeof json === "number") return [json];
  if (typeof json !== "object" || json === null) return [];
  return Object.values(json).flatMap(numbersIn);
}

describe.each([
  ["the ledger's API", ledgerJson],
  ["scan's contracts", scanJson],
  ["scan's history", historyJson],
] as const)("in the JSON of %s", (_, dialect) => {
  test("every value reads back as the same value, and no number is written as a JSON number", () => {
    for (const { what, type, values } of known.values()) {
      for (const [canonical, value] of values) {
        const json: unknown = JSON.parse(JSON.stringify(type.toJson(value, dialect)));
        expect(type.encode(type.fromJson(json, dialect)), what).toBe(canonical);
        expect(numbersIn(json), what).toEqual([]);
      }
    }
  });
});

test("the canonical text of each is read as the same value", () => {
  for (const { what, type, values } of known.values()) {
    for (const canonical of values.keys())
      expect(type.encode(decodeText(type, canonical)), what).toBe(canonical);
  }
});

test("each payload shows every record in it by its name", () => {
  const payloads = [...known.values()].filter(({ what }) => what.startsWith("#") && !what.endsWith(" view"));
  for (const { what, type, values } of payloads) {
    for (const value of values.values()) expect(type.show(value), what).not.toMatch(/(= |\[|\(|,)\{/);
  }
});

test("the logs have every template but these, which no story uses", () => {
  const templates = networkCatalogue.packages.flatMap((loaded) => loaded.templates);
  const missing = templates.filter(({ declaration }) => !known.has(declaration.nameRef));
  expect(missing.map(({ declaration }) => declaration.entity).sort()).toEqual([
    "AmuletConversionRateFeed",
    "BootstrapExternalPartyConfigStateInstruction",
    "ElectionRequest",
    "SvOnboardingConfirmed",
    "SvOnboardingRequest",
    "TransferCommand",
    "TransferCommandCounter",
    "ValidatorFaucetCoupon",
    "ValidatorTopUpState",
  ]);
});
