// The ledger is synchronous, and its outcome depends on its arguments alone. The linter says
// most of this; here are the words it has no rule for, and those that no comment may talk it out of.

import { file, type Rule } from "../rule.ts";
import { isSource, isTest, listImports, withoutStrings } from "../source-text.ts";
import type { TrackedFile } from "../tracked-files.ts";

function isPure({ path }: TrackedFile): boolean {
  return path.startsWith("packages/ledger/src/") && isSource(path) && !isTest(path);
}

const impureWords =
  /(?<![\w$.])(async|await|Promise|Date|Intl|Temporal|URL)(?![\w$])(?!\s*\??:)|Math\s*\.\s*random|\.\s*(localeCompare|toLocale\w+)/g;

/** Code that no import names: it is loaded, or made of text, while the program runs. */
const hiddenCode = /(?<![\w$.])(import|eval|Function)\s*\(|(?<![\w$.])new\s+Function(?![\w$])/g;

export const purity: Rule = {
  name: "the ledger is pure",
  find: (files) =>
    files.filter(isPure).flatMap(({ path, text }) => {
      const code = withoutStrings(text);
      const words = [impureWords, hiddenCode].flatMap((pattern) =>
        [...code.matchAll(pattern)].map((match) => `says ${match[0]}`),
      );
      const foreign = listImports(text).filter((imported) => !imported.startsWith("."));
      return [...words, ...foreign.map((imported) => `imports ${imported}`)].map(
        (problem) => `${path}: ${problem}`,
      );
    }),
  broken: [
    "async () => 1",
    "await x",
    "let x: Promise<string>",
    "new Date()",
    "`at ${Date.now()}`",
    "Intl.Collator",
    "new URL(text)",
    "Math.random()",
    'a.localeCompare("b")',
    "n.toLocaleString()",
    'import { hash } from "node:crypto";',
    'const clock = import("./clock.ts");',
    "const clock = import (`./${name}.ts`);",
    'new Function("return Da" + "te.now()")',
    'Function("return 1")()',
    'eval("1 + 1")',
    'import { z } from "zod";',
    "// biome-ignore lint/style/noRestrictedGlobals: just once\nnew Date();",
  ].map((text) => [file("packages/ledger/src/a.ts", text)]),
  sound: [
    file("packages/ledger/src/a.ts", '// No Date, no await.\nconst date = { Date: "a Date, a URL" };'),
    file("packages/ledger/src/b.ts", 'import { a } from "./a.ts"; a.Date; `URL ${a.date}`;'),
    file(
      "packages/ledger/src/c.ts",
      "// No import(x).\nconst newFunction = a.eval(isFunction(b)); type F = Function;",
    ),
    file("packages/ledger/src/a.test.ts", 'import { hash } from "node:crypto"; new Date();'),
  ],
};
