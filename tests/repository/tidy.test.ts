// Rules about the repository as a whole, for what a linter cannot say.

import { describe, expect, test } from "vitest";
import { documentRules } from "./rules/documents.ts";
import { hostRules } from "./rules/host.ts";
import { layerRules } from "./rules/layers.ts";
import { nameRules } from "./rules/names.ts";
import { packageRules } from "./rules/packages.ts";
import { purity } from "./rules/purity.ts";
import { supplyChainRules } from "./rules/supply-chain.ts";
import { testRules } from "./rules/tests.ts";
import { wordRules } from "./rules/words.ts";
import { listTrackedFiles } from "./tracked-files.ts";

const rules = [
  ...nameRules,
  ...layerRules,
  ...hostRules,
  purity,
  ...packageRules,
  ...supplyChainRules,
  ...documentRules,
  ...wordRules,
  ...testRules,
];
const files = listTrackedFiles();

describe.each(rules)("$name", ({ find, broken, sound }) => {
  test("holds in this repository", () => {
    expect(find(files)).toEqual([]);
  });

  test.each(broken)("would be found broken (%#)", (...sample) => {
    expect(find(sample)).not.toEqual([]);
  });

  test("is content with a sound example", () => {
    expect(find(sound)).toEqual([]);
  });
});
