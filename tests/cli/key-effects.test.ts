// Every key of every role has the effect of its row, by a values file, by each environment variable and by each path of
// additional configuration.

import { describe, expect, test } from "vitest";
import type { Key } from "../../packages/cli/src/keys/key.ts";
import { PARTICIPANT_KEYS } from "../../packages/cli/src/keys/participant-keys.ts";
import { SCAN_ROLE_KEYS } from "../../packages/cli/src/keys/scan-keys.ts";
import { SV_KEYS } from "../../packages/cli/src/keys/sv-keys.ts";
import { VALIDATOR_KEYS } from "../../packages/cli/src/keys/validator-keys.ts";
import type { ReadParts, SetupOutcome } from "../../packages/cli/src/settings/config-source.ts";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { readScanSetup } from "../../packages/cli/src/settings/read-scan-setup.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import type { ProcessSetup } from "../../packages/cli/src/settings/setups.ts";
import { type Effects, type KeyEffect, keysOfFindings, valuesAt } from "./key-effect.ts";
import { PARTICIPANT_BASE, PARTICIPANT_EFFECTS, SV_BASE, SV_EFFECTS } from "./participant-effects.ts";
import { SCAN_BASE, SCAN_EFFECTS } from "./scan-effects.ts";
import { type Given, setupOf, type Values, writeParts } from "./setup-kit.ts";
import { ALICE, BASE_SECRETS, VALIDATOR_BASE } from "./validator-base.ts";
import { VALIDATOR_EFFECTS } from "./validator-effects.ts";

describe("a validator's key", () => {
  compareKeys({
    table: VALIDATOR_KEYS,
    effects: VALIDATOR_EFFECTS,
    base: VALIDATOR_BASE,
    read: readValidatorSetup,
  });
});

describe("a participant's key", () => {
  compareKeys({
    table: PARTICIPANT_KEYS,
    effects: PARTICIPANT_EFFECTS,
    base: PARTICIPANT_BASE,
    read: readParticipantSetup,
  });
});

describe("a key of a network of SVs", () => {
  compareKeys({ table: SV_KEYS, effects: SV_EFFECTS, base: SV_BASE, read: readSvSetup });
});

describe("a key of a scan", () => {
  compareKeys({ table: SCAN_ROLE_KEYS, effects: SCAN_EFFECTS, base: SCAN_BASE, read: readScanSetup });
});

interface Comparison<T> {
  readonly table: readonly Key[];
  readonly effects: Effects<T>;
  readonly base: Values;
  readonly read: (parts: ReadParts) => SetupOutcome<T>;
}

function compareKeys<T extends ProcessSetup>({ table, effects, base, read }: Comparison<T>): void {
  const used = table.filter(({ unused }) => unused === undefined);
  const rowOf = (path: string) => {
    const row = effects[path];
    if (row === undefined) throw new Error(`no row shows the effect of ${path}`);
    return row;
  };

  test("has a row, and no row is about another key", () => {
    expect(Object.keys(effects).toSorted()).toEqual(used.map(({ path }) => path).toSorted());
    expect(new Set(table.map(({ path }) => path)).size).toBe(table.length);
  });

  /** The base and what the row needs, then the key itself by one of its ways. */
  const outcomeOf = ({ beside = {} }: KeyEffect<T>, given: Given) => {
    const files = [base, beside, ...(given.files ?? [])];
    return read(writeParts({ ...given, files, secrets: BASE_SECRETS }));
  };

  /** Many rows need the same values beside them. */
  const outcomes = new Map<string, SetupOutcome<T>>();
  const outcomeWithout = (row: KeyEffect<T>) => {
    const needed = JSON.stringify(row.beside ?? {});
    const outcome = outcomes.get(needed) ?? outcomeOf(row, {});
    outcomes.set(needed, outcome);
    return outcome;
  };

  const expectEffect = (path: string, row: KeyEffect<T>, given: Given) => {
    const outcome = outcomeOf(row, given);
    if (row.isRefused === true) {
      expect(outcome.ok ? [] : keysOfFindings(outcome.findings)).toHaveLength(1);
      return;
    }
    expect(row.pick(setupOf(outcome)), path).toEqual(row.expected);
  };

  test.each(used.map(({ path }) => [path]))(
    "%s has its effect in a values file, and none without it",
    (path) => {
      const row = rowOf(path);
      const values = path.includes("[].") ? listWith(path, row.given) : valuesAtStar(path, row.given);
      expectEffect(path, row, { files: [values] });
      const without = outcomeWithout(row);
      if (without.ok)
        expect(row.isRefused === true ? "refused" : row.pick(without.setup)).not.toEqual(row.expected);
    },
  );

  const byVariable = used.flatMap(({ path, variables }) => variables.map((name) => [name, path] as const));
  test.each(byVariable)("the variable %s is %s", (name, path) => {
    expectEffect(path, rowOf(path), { environment: { [name]: textOf(rowOf(path).given) } });
  });

  const byPath = used.flatMap(({ path, hocon }) => hocon.map((each) => [each, path] as const));
  if (byPath.length > 0)
    test.each(byPath)("the HOCON path %s is %s", (hocon, path) => {
      const given = hocon.endsWith(".histograms") ? "[]" : JSON.stringify(rowOf(path).given);
      const text = `${hocon.replace("*", JSON.stringify(ALICE))} = ${given}`;
      expectEffect(path, rowOf(path), { environment: { ADDITIONAL_CONFIG_TEST: text } });
    });

  const unused = table.filter(({ unused }) => unused !== undefined);
  if (unused.length > 0)
    test.each(unused.map(({ path }) => [path]))(
      "%s is accepted, and named as one without an effect",
      (path) => {
        const values = path.includes("[]")
          ? valuesAt(path.split("[].")[0] ?? "", [valuesAt(path.split("[].")[1] ?? "", "x")])
          : valuesAt(path, sampleOf(path));
        const { unusedKeys } = setupOf(read(writeParts({ files: [base, values], secrets: BASE_SECRETS })));
        expect(unusedKeys.map(({ key }) => key)).toEqual([path.replace("[]", ".0")]);
      },
    );
}

/** Values that are given together, by the path of their block. */
const TOGETHER: Readonly<Record<string, Values>> = {
  "svs[]": { name: "sv-one" },
  "svs[].publicUrls": { scan: "https://a.example", sequencer: "https://b.example" },
  "svs[].joinWithKeyOnboarding": {
    sponsorApiUrl: "https://a.example",
    publicKey: "a2V5",
    privateKey: "a2V5",
  },
  "approvedSvIdentities[]": { name: "sv-four", publicKey: "a2V5", rewardWeightBps: 1 },
};

/** A list with one element, which has the value at its path. */
function listWith(path: string, given: unknown): Values {
  const [list = "", rest = ""] = path.split("[].");
  const [block, name = ""] = rest.includes(".") ? rest.split(".") : [undefined, rest];
  const together = TOGETHER[`${list}[]${block === undefined ? "" : `.${block}`}`];
  const own = { ...together, [name]: given };
  return { [list]: [block === undefined ? own : { ...TOGETHER[`${list}[]`], [block]: own }] };
}

function sampleOf(path: string): unknown {
  return path.endsWith("optional") ? true : "x";
}

function valuesAtStar(path: string, value: unknown): Values {
  const parts = path.split(".").map((part) => (part === "*" ? ALICE : part));
  return parts.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;
}

function textOf(given: unknown): string {
  return Array.isArray(given) ? given.join(",") : String(given);
}
