import { posix } from "node:path";
import { file, type Rule } from "../rule.ts";
import { isSource, isTest, listImports, withoutStrings } from "../source-text.ts";

/** Imports point down only. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ledger: [],
  api: ["ledger"],
  server: ["ledger", "api"],
  localnet: ["ledger", "api", "server"],
  cli: ["ledger", "api", "server", "localnet"],
  web: ["api"],
};

/** Inside `server`, a role imports plumbing and these roles; the others it reaches over the wire. */
const mayImportRole: Readonly<Record<string, readonly string[]>> = {
  synchronizer: [],
  participant: [],
  scan: ["synchronizer"],
  sv: ["synchronizer", "scan"],
  validator: [],
};

/** Inside `ledger`, from the values up to the transition; a folder imports itself and these. */
const mayImportFolder: Readonly<Record<string, readonly string[]>> = {
  values: [],
  errors: [],
  daml: ["values"],
  names: ["values"],
  rounds: ["values"],
  engine: ["values", "errors", "daml"],
  contracts: ["values", "daml", "engine"],
  transition: ["values", "errors", "daml", "names", "engine", "contracts"],
};

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function roleOf(path: string): string | undefined {
  const folder = /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
  return folder !== undefined && folder in mayImportRole ? folder : undefined;
}

function importProblem(from: string, imported: string): string | undefined {
  const home = packageOf(from);
  if (home === undefined) return undefined;
  if (imported.startsWith("@callsign/")) {
    const allowed = mayImport[home] ?? [];
    const names = allowed.map((name) => `@callsign/${name}`);
    return names.includes(imported)
      ? undefined
      : `imports ${imported}; ${home} may import ${names.join(", ") || "no other package"}`;
  }
  if (!imported.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(from), imported);
  if (!target.startsWith(`packages/${home}/`)) return `imports ${imported}, outside its package`;
  const [role, targetRole] = [roleOf(from), roleOf(target)];
  if (targetRole === undefined || role === targetRole || isTest(from)) return undefined;
  if (role === undefined) {
    // The package's own index wires roles; plumbing knows none of them.
    return from === "packages/server/src/index.ts" ? undefined : `plumbing imports the role ${targetRole}`;
  }
  return mayImportRole[role]?.includes(targetRole) === true
    ? undefined
    : `the role ${role} imports the role ${targetRole}`;
}

function folderProblem(from: string, imported: string): string | undefined {
  const folderOf = (path: string) => /^packages\/ledger\/src\/([^/]+)\//.exec(path)?.[1];
  const home = folderOf(from);
  if (home === undefined || isTest(from) || !imported.startsWith(".")) return undefined;
  const target = folderOf(posix.join(posix.dirname(from), imported));
  if (target === home) return undefined;
  const allowed = mayImportFolder[home];
  if (allowed === undefined) return `the folder ${home} has no place in the order of the ledger's folders`;
  return target !== undefined && allowed.includes(target)
    ? undefined
    : `imports ${imported}; ${home} may import ${allowed.join(", ") || "no other folder"}`;
}

function eachImport(problem: (from: string, imported: string) => string | undefined): Rule["find"] {
  return (files) =>
    files
      .filter(({ path }) => isSource(path))
      .flatMap(({ path, text }) =>
        listImports(text).flatMap((imported) => {
          const found = problem(path, imported);
          return found === undefined ? [] : [`${path}: ${found}`];
        }),
      );
}

const layers: Rule = {
  name: "imports point down only: ledger, api, server, localnet, cli; web imports api",
  find: eachImport(importProblem),
  broken: [
    [file("packages/ledger/src/a.ts", 'import { b } from "@callsign/api";')],
    [file("packages/ledger/src/a.ts", 'import { b } from "../../api/src/b.ts";')],
    [file("packages/api/src/a.ts", 'import type { b } from "@callsign/server";')],
    [file("packages/web/src/a.tsx", 'import { b } from "@callsign/ledger";')],
    [file("packages/server/src/a.ts", 'const b = await import("@callsign/localnet");')],
    [file("packages/cli/src/a.ts", 'import { b } from "@callsign/ledger/src/b.ts";')],
    [file("packages/server/src/validator/a.ts", 'import { b } from "../participant/b.ts";')],
    [file("packages/server/src/http/a.ts", 'export { b } from "../scan/b.ts";')],
  ],
  sound: [
    file("packages/server/src/sv/a.ts", 'import { b } from "../synchronizer/b.ts";'),
    file("packages/server/src/scan/a.ts", 'import { b } from "../http/b.ts"; // from "../sv/b.ts"'),
    file("packages/api/src/a.ts", 'import { b } from "@callsign/ledger";\nimport { z } from "zod";'),
    file("tests/a.ts", 'import { b } from "@callsign/localnet";'),
  ],
};

const folders: Rule = {
  name: "inside the ledger too, imports point down only: the engine knows no contracts",
  find: eachImport(folderProblem),
  broken: [
    [file("packages/ledger/src/engine/a.ts", 'import { b } from "../contracts/b.ts";')],
    [file("packages/ledger/src/engine/a.ts", 'import type { b } from "../contracts/splice-amulet/b.ts";')],
    [file("packages/ledger/src/daml/a.ts", 'import { b } from "../engine/b.ts";')],
    [file("packages/ledger/src/values/a.ts", 'import { b } from "../errors/b.ts";')],
    [file("packages/ledger/src/contracts/checks/a.ts", 'import { b } from "../../transition/b.ts";')],
    [file("packages/ledger/src/names/a.ts", 'import { b } from "../index.ts";')],
    [file("packages/ledger/src/wallets/a.ts", 'import { b } from "../values/b.ts";')],
  ],
  sound: [
    file("packages/ledger/src/engine/a.ts", 'import { b } from "./b.ts"; import { c } from "../daml/c.ts";'),
    file("packages/ledger/src/contracts/x/a.ts", 'import { b } from "../y/b.ts"; // from "../../names/c.ts"'),
    file("packages/ledger/src/engine/a.test.ts", 'import { b } from "../contracts/b.ts";'),
    file("packages/ledger/src/index.ts", 'export { a } from "./transition/a.ts";'),
  ],
};

const reExports: Rule = {
  name: "only a package's index.ts re-exports, by name",
  find: (files) =>
    files
      .filter(({ path }) => isSource(path))
      .flatMap(({ path, text }) => {
        const code = withoutStrings(text);
        const all = /\bexport\s+\*/.test(code) ? ["re-exports everything; list the names"] : [];
        const named = /\bexport\s+(type\s+)?\{[^}]*\}\s*from\b/.test(code);
        const elsewhere = named && !/^packages\/[^/]+\/src\/index\.ts$/.test(path);
        const problems = [...all, ...(elsewhere ? ["re-exports, but is not its package's index.ts"] : [])];
        return problems.map((problem) => `${path}: ${problem}`);
      }),
  broken: [
    [file("packages/ledger/src/index.ts", 'export * from "./a.ts";')],
    [file("packages/ledger/src/values/index.ts", 'export { a } from "./a.ts";')],
    [file("packages/ledger/src/b.ts", 'export type {\n  A,\n} from "./a.ts";')],
  ],
  sound: [
    file("packages/ledger/src/index.ts", 'export { a } from "./a.ts";\nexport type { A } from "./a.ts";'),
    file("packages/ledger/src/b.ts", 'import { a } from "./a.ts";\nexport const b = a;\nexport { b as c };'),
  ],
};

export const layerRules: readonly Rule[] = [layers, folders, reExports];
