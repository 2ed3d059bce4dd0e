// Time, timers, randomness and outgoing HTTP come through ports, so that whole roles can run in virtual time.

import { file, type Rule } from "../rule.ts";
import { isSource, isTest, listImports, withoutComments, withoutStrings } from "../source-text.ts";
import type { TrackedFile } from "../tracked-files.ts";

const HOST = "packages/node/src/host/";
const DOOR = "packages/node/src/http-client/";

/** Files that still use the machine directly. Take a file off the list with its last use. */
const EXCEPTIONS: readonly string[] = ["packages/api/src/exchange.ts"];

function isOfPackages({ path }: TrackedFile): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && isSource(path) && !isTest(path);
}

const machineWords =
  /\b(Date\s*\.\s*now|performance\s*\.\s*now|Math\s*\.\s*random|AbortSignal\s*\.\s*timeout|new\s+Date\s*\(\s*\)|(?<![.#])(?:setTimeout|setInterval|setImmediate|randomUUID|randomBytes)\b)/g;

const host: Rule = {
  name: "clock, timers and randomness come from the host",
  find: (files) =>
    files
      .filter((each) => isOfPackages(each) && !each.path.startsWith(HOST) && !EXCEPTIONS.includes(each.path))
      .flatMap(({ path, text }) => {
        const words = [...withoutStrings(text).matchAll(machineWords)].map(([word]) => word);
        const timers = listImports(text).filter((name) => /^node:timers/.test(name));
        return [...new Set([...words, ...timers])].map(
          (word) => `${path}: uses ${word}; take it from a Host`,
        );
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
  ].map((text) => [file("packages/sv/src/a.ts", text)]),
  sound: [
    file("packages/node/src/host/system-host.ts", "setTimeout(Date.now, Math.random());"),
    file("packages/sv/src/a.ts", "// Date.now\nconst day = new Date(0); host.timers.set(look, 1);"),
    file("packages/sv/src/a.test.ts", "setTimeout(look, 10);"),
    file("tests/a.ts", "Date.now();"),
  ],
};

const oneDoorOut: Rule = {
  name: "outgoing HTTP goes through one client",
  find: (files) =>
    files
      .filter((each) => isOfPackages(each) && !each.path.startsWith(DOOR))
      .flatMap(({ path, text }) => {
        const isDirect =
          listImports(text).includes("undici") ||
          /\{[^}]*\brequest\b[^}]*\}\s*from\s*"node:https?"/.test(withoutComments(text)) ||
          /\bglobalThis\s*\.\s*fetch\b/.test(withoutStrings(text));
        return isDirect ? [`${path}: opens connections by itself; use openHttpClient of @callsign/node`] : [];
      }),
  broken: [
    'import { Agent } from "undici";',
    'import { createServer, request as forward } from "node:http";',
    "const { status } = await globalThis.fetch(url);",
  ].map((text) => [file("packages/validator/src/a.ts", text)]),
  sound: [
    file("packages/node/src/http-client/http-client.ts", 'import { Agent } from "undici";'),
    file("packages/validator/src/a.ts", 'import { createServer } from "node:http"; client.fetch(url);'),
  ],
};

export const hostRules: readonly Rule[] = [host, oneDoorOut];
