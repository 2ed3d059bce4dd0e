import { eachFile, file, type Rule } from "../rule.ts";
import { isSource, isTest } from "../source-text.ts";

const conventionalNames = new Set(["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE"]);

const kebabCase = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;

const fileNames: Rule = {
  name: "files and folders are named in kebab-case",
  find: eachFile(({ path }) => {
    const odd = path.split("/").find((part) => !kebabCase.test(part) && !conventionalNames.has(part));
    return odd === undefined ? undefined : `${odd} is not kebab-case`;
  }),
  broken: [[file("packages/ledger/src/partyId.ts")], [file("tests/Golden/log.json")], [file("docs/a_b.md")]],
  sound: [file("README.md"), file(".ci/run"), file("docs/decisions/0001-order-first.md")],
};

const emptyWords = /(^|-)(utils?|helpers?|common|misc|managers?)$/;

const tellingNames: Rule = {
  name: "a name says what is inside: no utils, helpers, common, misc, manager, types.ts",
  find: eachFile(({ path }) => {
    const parts = path.split("/");
    const empty = parts.find((part) => part === "types.ts" || emptyWords.test(part.replace(/\..*$/, "")));
    return empty === undefined ? undefined : `${empty} does not say what is inside`;
  }),
  broken: [
    [file("packages/ledger/src/utils.ts")],
    [file("packages/server/src/common/clock.ts")],
    [file("packages/server/src/session-manager.ts")],
    [file("packages/api/src/types.ts")],
    [file("tests/helpers.test.ts")],
  ],
  sound: [file("packages/ledger/src/daml/type.ts"), file("packages/server/src/common-name.ts")],
};

const longestSource = 350;

/** Tables of data, which have no reason to be split. */
const tables: ReadonlySet<string> = new Set();

const sourceLength: Rule = {
  name: `a source file has at most ${longestSource} lines`,
  find: eachFile(({ path, text }) => {
    if (!isSource(path) || isTest(path) || tables.has(path)) return undefined;
    const lines = text.split("\n").length - 1;
    return lines > longestSource ? `${lines} lines; split it by idea` : undefined;
  }),
  broken: [[file("packages/ledger/src/engine.ts", "\n".repeat(longestSource + 1))]],
  sound: [
    file("packages/ledger/src/engine.ts", "\n".repeat(longestSource)),
    file("packages/ledger/src/engine.test.ts", "\n".repeat(2 * longestSource)),
    file("docs/errors.md", "\n".repeat(2 * longestSource)),
  ],
};

export const nameRules: readonly Rule[] = [fileNames, tellingNames, sourceLength];
