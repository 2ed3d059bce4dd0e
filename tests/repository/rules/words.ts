import { file, type Rule } from "../rule.ts";
import { isSource, isTest } from "../source-text.ts";

/** A comment line that opens with one of these usually has no subject: name the thing instead. */
const headless = /^[ \t]*(?:\/\/|\/?\*\*?)[ \t]+(?:What|Who|Whoever|Whom|Whose|Whatever|Those)\b.*$/gm;
const mostHeadless = 60;

const comments: Rule = {
  name: `at most ${mostHeadless} comment lines open with "What", "Who", "Those" or the like`,
  find: (files) => {
    const found = files
      .filter(({ path }) => isSource(path))
      .flatMap(({ path, text }) => [...text.matchAll(headless)].map(([line]) => `${path}: ${line.trim()}`));
    return found.length > mostHeadless ? found : [];
  },
  broken: [[file("packages/ledger/src/a.ts", "/** What a name costs. */\n".repeat(mostHeadless + 1))]],
  sound: [
    file("packages/ledger/src/a.ts", "// Those who pay.\n".repeat(mostHeadless)),
    file("packages/ledger/src/b.ts", "/** The price of a name. */\nconst what = 1; // What\n".repeat(100)),
  ],
};

/**
 * Names that are not ours to choose: wire shapes and Daml's types keep upstream's names, and a template's declaration
 * and its rules share one.
 */
const givenNames = /^packages\/(api\/src\/|ledger\/src\/(contracts\/|daml\/scalars\.ts))/;

const oneMeaning: Rule = {
  name: "an exported name has one meaning in all packages",
  find: (files) => {
    const places = new Map<string, Set<string>>();
    for (const { path, text } of files) {
      if (!/^packages\/[^/]+\/src\//.test(path) || isTest(path) || givenNames.test(path)) continue;
      const exported = text.matchAll(
        /^export (?:async )?(?:interface|class|type|function\*?|const) ([\w$]+)/gm,
      );
      // A page is called like the thing that it shows.
      const world = path.startsWith("packages/web/") ? "web" : "nodes";
      for (const [, name = ""] of exported) {
        const key = `${world} ${name}`;
        places.set(key, (places.get(key) ?? new Set()).add(path));
      }
    }
    return [...places].flatMap(([key, paths]) =>
      paths.size > 1 ? [`${[...paths].join(", ")}: each exports a ${key.split(" ")[1]} of its own`] : [],
    );
  },
  broken: [
    [
      file("packages/sv/src/a.ts", "export class Submitter {}"),
      file("packages/participant/src/b.ts", "export interface Submitter {}"),
    ],
  ],
  sound: [
    file("packages/sv/src/a.ts", "export type A = 1;\nexport const A = 1;\nconst b = 2;"),
    file("packages/scan/src/a.ts", "export const b = 1;"),
    file("packages/scan/src/a.test.ts", "export const A = 1;"),
    file("packages/web/src/a.tsx", "export function A() {}"),
  ],
};

export const wordRules: readonly Rule[] = [comments, oneMeaning];
