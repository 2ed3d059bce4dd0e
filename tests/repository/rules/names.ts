import { eachFile, file, type Rule } from "../rule.ts";
import { isSource, isTest, withoutComments } from "../source-text.ts";

const conventionalNames = new Set([
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "SECURITY.md",
  "THIRD-PARTY-LICENSES.md",
  "Dockerfile",
  "Dockerfile.dockerignore",
  "Chart.yaml",
  "callsign@.service",
]);

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
    [file("packages/node/src/common/clock.ts")],
    [file("packages/node/src/session-manager.ts")],
    [file("packages/api/src/types.ts")],
    [file("tests/helpers.test.ts")],
  ],
  sound: [file("packages/ledger/src/daml/type.ts"), file("packages/node/src/common-name.ts")],
};

/** The glossary and this rule name the words to avoid; a parameter of the wallet SDK is one of them. */
const HAS_OTHER_WORDS = [
  ...["docs/glossary.md", "tests/repository/rules/names.ts", "tests/clients/sdk-calls.ts"],
];
const otherWords = /[Pp]ayer|[Pp]ayee|[Rr]ecipient/;

const oneWord: Rule = {
  name: "who gives coin is its sender, who gets it its receiver: no payer, payee, recipient",
  find: eachFile(({ path, text }) => {
    if (HAS_OTHER_WORDS.includes(path)) return undefined;
    if (!isSource(path) && !path.endsWith(".md")) return undefined;
    const word = otherWords.exec(`${path}\n${text}`)?.[0];
    return word === undefined ? undefined : `says ${word}; docs/glossary.md has the word to use`;
  }),
  broken: [
    [file("packages/ledger/src/a.ts", "const payer = 1;")],
    [file("packages/ledger/src/a.test.ts", "// The app and its Payees.")],
    [file("docs/decisions/0001-coin.md", "goes to the recipient")],
    [file("packages/ledger/src/find-payer.ts")],
  ],
  sound: [
    file("docs/glossary.md", 'Never "payer".'),
    file("packages/ledger/src/a.ts", 'const code = "NO_VIEW_WITH_VALID_RECIPIENTS"; const layer = payment;'),
  ],
};

/** Written into a document by the test that compares the two. */
const usedByTests: ReadonlySet<string> = new Set(["formatErrorDocs"]);

const livingExports: Rule = {
  name: "what a package's file exports as a function, a constant or a class, another file uses, and not only its test",
  find: (files) => {
    const sources = files.filter(({ path }) => isSource(path));
    const uses = new Map<string, number>();
    const users = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      for (const [word] of withoutComments(text).matchAll(/[\w$]+/g)) {
        if (!isTest(path)) uses.set(word, (uses.get(word) ?? 0) + 1);
        users.set(word, (users.get(word) ?? new Set()).add(path));
      }
    }
    return sources
      .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
      .flatMap(({ path, text }) => {
        const exported = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gm)];
        return exported
          .map(([, name = ""]) => name)
          .filter((name) => !usedByTests.has(name))
          .flatMap((name) => {
            if (uses.get(name) === 1) return [`${path}: nobody uses ${name}; remove it`];
            if (users.get(name)?.size === 1) return [`${path}: no other file uses ${name}; do not export it`];
            return [];
          });
      });
  },
  broken: [
    [file("packages/ledger/src/a.ts", "export function a() {}\n// a is good.")],
    [
      file("packages/api/src/a.ts", "export const A = 1;"),
      file("packages/api/src/a.test.ts", 'import { A } from "./a.ts";'),
    ],
    [file("packages/sv/src/a.ts", "export async function a() {\n  return await a();\n}")],
  ],
  sound: [
    file("packages/ledger/src/a.ts", "export const A = 1;\nexport function b() {\n  return A + A;\n}"),
    file("packages/ledger/src/a.test.ts", 'import { A } from "./a.ts";'),
    file("tests/scenarios/b.ts", 'import { b } from "../../packages/ledger/src/a.ts";'),
  ],
};

const longestSource = 350;

const sourceLength: Rule = {
  name: `a source file has at most ${longestSource} lines`,
  find: eachFile(({ path, text }) => {
    if (!isSource(path) || isTest(path)) return undefined;
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

export const nameRules: readonly Rule[] = [fileNames, tellingNames, oneWord, livingExports, sourceLength];
