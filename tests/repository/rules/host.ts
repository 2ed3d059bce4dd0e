// Time, timers, randomness, files and HTTP come through ports, so that whole roles can run in virtual time.

import { file, type Rule } from "../rule.ts";
import { isSource, isTest, listImports, withoutComments, withoutStrings } from "../source-text.ts";
import type { TrackedFile } from "../tracked-files.ts";

/** The machine's own ports, and the parts they are assembled from. */
const MACHINE: readonly string[] = [
  "packages/node/src/system-host.ts",
  "packages/node/src/host/node-http.ts",
  "packages/node/src/host/private-files.ts",
  "packages/node/src/database/open-database.ts",
  "packages/node/src/database/wal-sync.ts",
  "packages/node/src/http-client/dispatchers.ts",
  "packages/node/src/http-client/exits.ts",
  "packages/node/src/http-client/http-client.ts",
  "packages/node/src/observability/log-file.ts",
  "packages/web/src/browser/page-host.ts",
];
/** Composition roots take a host, and may choose the machine's own. */
const ROOT =
  /^packages\/(node\/src\/index|sv\/src\/sv-node|(?:localnet|cli)\/src\/main|[a-z]+\/src\/start-[a-z-]+)\.ts$/;

/** Files that still use the machine directly. Take a file off the list with its last use. */
const EXCEPTIONS: readonly string[] = ["packages/api/src/exchange.ts"];

function isOfPackages({ path }: TrackedFile): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && isSource(path) && !isTest(path);
}

const machineWords =
  /\b(Date\s*\.\s*now|performance\s*\.\s*now|Math\s*\.\s*random|AbortSignal\s*\.\s*timeout|new\s+Date\s*\(\s*\)|(?<![.#])(?:process\s*\.\s*hrtime|setTimeout|setInterval|setImmediate|randomUUID|randomBytes|generateKeyPair|generateKeyPairSync)\b)/g;

const host: Rule = {
  name: "clock, timers, randomness, files and HTTP come from the host",
  find: (files) =>
    files
      .filter((each) => isOfPackages(each) && !MACHINE.includes(each.path) && !EXCEPTIONS.includes(each.path))
      .flatMap(({ path, text }) => {
        const code = withoutStrings(text);
        const words = [...code.matchAll(machineWords)].map(([word]) => word);
        const modules = listImports(text).filter((name) => /^(node:(timers|fs)\b|undici$)/.test(name));
        const servers = /\{[^}]*\b(createServer|request)\b[^}]*\}\s*from\s*"node:(?:https?|net)"/.exec(
          withoutComments(text),
        );
        const builtIn = /\bgetBuiltinModule\b/.exec(code);
        const chosen = !ROOT.test(path) && /\bsystemHost\b/.test(code) ? ["systemHost"] : [];
        const fetches = /\bglobalThis\s*\.\s*fetch\b/.exec(code);
        const found = [
          ...words,
          ...modules,
          ...(servers?.slice(1) ?? []),
          ...(fetches ?? []),
          ...(builtIn ?? []),
          ...chosen,
        ];
        return [...new Set(found)].map((word) => `${path}: uses ${word}; take it from a Host`);
      }),
  broken: [
    "const now = Date.now();",
    "const now = performance.now;",
    "setTimeout(look, 10);",
    'import { setTimeout as sleep } from "node:timers/promises";',
    'import { randomUUID } from "node:crypto";',
    "const pause = Math.random();",
    "const signal = AbortSignal.timeout(10);",
    "const today = new Date();",
    "const at = process.hrtime.bigint();",
    'import { mkdirSync } from "node:fs";',
    'import { Agent } from "undici";',
    'import { createServer, type Server } from "node:http";',
    'import { createServer } from "node:net";',
    'const { createServer } = process.getBuiltinModule("node:http");',
    'import { request as forward } from "node:http";',
    "const { status } = await globalThis.fetch(url);",
    'import { systemHost } from "@callsign/node";',
  ].map((text) => [file("packages/sv/src/a.ts", text)]),
  sound: [
    file("packages/node/src/system-host.ts", "setTimeout(Date.now, Math.random());"),
    file("packages/sv/src/a.ts", "// Date.now\nconst day = new Date(0); host.timers.set(look, 1);"),
    file("packages/node/src/http-client/http-client.ts", 'import { Agent } from "undici";'),
    file("packages/validator/src/a.ts", 'import type { Server } from "node:http"; client.fetch(url);'),
    file("packages/validator/src/start-validator.ts", 'import { systemHost } from "@callsign/node";'),
    file("packages/sv/src/a.test.ts", "setTimeout(look, 10);"),
    file("tests/a.ts", "Date.now();"),
  ],
};

/** SQLite prepares such a statement anew for each call, because a bound limit may change its plan: 20 µs in place of one. */
const boundLimits: Rule = {
  name: "statements for SQLite bind a limit as an expression",
  find: (files) =>
    files
      .filter((each) => isOfPackages(each) && /\blimit \?/.test(each.text))
      .map(({ path }) => `${path}: has "limit ?"; write "limit +?"`),
  broken: [[file("packages/sv/src/rows.ts", 'database.prepare("select a from b limit ?");')]],
  sound: [file("packages/sv/src/rows.ts", 'database.prepare("select a from b limit +?");')],
};

export const hostRules: readonly Rule[] = [host, boundLimits];
