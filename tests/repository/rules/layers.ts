import { posix } from "node:path";
import { file, type Rule } from "../rule.ts";
import { isSource, isTest, listImports, withoutStrings } from "../source-text.ts";

/** Packages, from the bottom up; each imports the packages listed for it, by name. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ledger: [],
  api: ["ledger"],
  node: ["ledger", "api"],
  synchronizer: ["ledger", "api", "node"],
  scan: ["ledger", "api", "node", "synchronizer"],
  sv: ["ledger", "api", "node", "synchronizer", "scan"],
  participant: ["ledger", "api", "node"],
  validator: ["ledger", "api", "node"],
  localnet: ["ledger", "api", "node", "synchronizer", "scan", "sv", "participant", "validator"],
  cli: ["ledger", "api", "node", "synchronizer", "scan", "sv", "participant", "validator", "localnet"],
  web: ["ledger", "api"],
};

/** Folders of the web application that every section builds on; sections know little of each other. */
const WEB_GROUND = ["browser", "config", "words", "routing", "login", "calls"];
const WEB_SECTION = [...WEB_GROUND, "design"];

/**
 * The folders of a package, from the bottom up; a folder imports itself and the folders listed for it. Files beside the
 * folders (`start-…`, `index.ts`) are the composition root: they import every folder, and no folder imports them.
 */
const mayImportFolder: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ledger: {
    values: [],
    errors: [],
    daml: ["values"],
    names: ["values"],
    rounds: ["values"],
    engine: ["values", "errors", "daml"],
    contracts: ["values", "daml", "engine"],
    transition: ["values", "errors", "daml", "names", "engine", "contracts"],
  },
  node: {
    tls: [],
    words: [],
    host: ["tls"],
    waiting: ["host"],
    observability: ["host", "waiting", "process", "words"],
    database: ["host", "tls", "waiting", "observability"],
    packing: ["waiting", "database"],
    identity: ["host", "process", "waiting", "observability"],
    "http-client": ["tls", "host", "waiting", "observability"],
    auth: ["http-client", "host", "waiting", "observability"],
    http: ["tls", "host", "waiting", "observability", "database", "auth"],
    websockets: ["host", "waiting", "observability", "http"],
    automation: ["host", "waiting", "observability"],
    monitoring: ["host", "observability", "http"],
    process: ["host"],
    archive: ["host", "database", "process", "waiting", "observability"],
    control: ["host", "observability", "http", "process"],
    workers: ["host", "waiting", "observability"],
  },
  synchronizer: {
    limits: [],
    log: ["limits"],
    replica: ["limits", "log"],
    streams: ["limits", "replica"],
    peers: ["limits", "log", "replica"],
    restore: ["limits", "log", "peers"],
    snapshots: ["limits", "replica"],
    pruning: ["limits", "log", "replica", "streams"],
    sequencer: ["limits", "log", "replica", "peers", "streams", "snapshots"],
    scrub: ["limits", "log", "replica", "streams"],
  },
  scan: {
    limits: [],
    contracts: [],
    rounds: ["contracts"],
    names: ["contracts"],
    holdings: ["limits"],
    history: [],
    rows: ["limits", "contracts", "rounds", "names", "holdings", "history"],
    wire: ["contracts", "history"],
    registry: ["contracts", "rows", "wire"],
    routes: ["limits", "contracts", "rounds", "names", "holdings", "history", "rows", "wire", "registry"],
    ext: ["limits", "names", "rows", "routes"],
  },
  sv: {
    limits: [],
    kinds: [],
    founding: [],
    agenda: ["limits", "kinds"],
    onboarding: ["limits"],
    automation: ["limits", "kinds", "agenda", "onboarding"],
    submission: ["limits"],
    runner: ["limits", "kinds", "agenda", "onboarding", "automation", "submission"],
    app: ["limits", "agenda", "onboarding", "automation", "submission"],
    joining: ["limits", "onboarding", "submission", "app"],
    migration: ["founding", "agenda"],
    "scan-workers": ["limits"],
  },
  participant: {
    limits: [],
    requests: ["limits"],
    resources: ["limits", "requests"],
    agreement: ["limits"],
    network: ["limits", "agreement"],
    store: ["limits", "requests", "resources", "agreement"],
    access: ["limits", "requests", "store"],
    events: ["requests", "store"],
    reads: ["limits", "requests", "store", "access", "events"],
    streams: ["limits", "requests", "store", "access", "events", "reads"],
    pruning: ["limits", "requests", "store"],
    migration: ["limits", "store"],
    resync: ["agreement", "network", "store"],
    users: ["limits", "requests", "resources", "store", "access"],
    submission: ["limits", "requests", "network", "store", "access", "events"],
    parties: ["limits", "requests", "resources", "network", "store", "access", "users", "submission"],
    routes: [
      ...["limits", "requests", "resources", "network", "store", "access", "events"],
      ...["reads", "pruning", "users", "submission", "parties"],
    ],
  },
  cli: {
    values: [],
    hocon: ["values"],
    secrets: ["values"],
    keys: ["values"],
    settings: ["values", "hocon", "secrets", "keys"],
    output: ["values"],
    "config-commands": ["values", "keys", "settings", "output"],
    networks: ["settings", "output"],
    "local-network": ["settings", "output", "networks"],
    names: ["output", "networks"],
    wallet: ["output", "networks", "names"],
    run: ["settings", "output"],
    status: ["run", "output"],
    backup: ["run", "output"],
    identity: ["settings", "run", "output", "backup"],
    network: ["keys", "settings", "run", "output"],
    doctor: ["settings", "output", "values"],
    commands: [
      ...["values", "settings", "output", "run"],
      ...["status", "backup", "identity", "network", "doctor"],
      ...["networks", "local-network", "names", "wallet"],
    ],
  },
  validator: {
    limits: [],
    errors: [],
    settings: ["limits"],
    ledger: ["limits", "errors"],
    store: ["limits", "ledger"],
    follower: ["limits", "errors", "ledger", "store"],
    history: ["limits", "errors", "ledger", "store", "follower"],
    scans: ["limits", "errors", "settings", "ledger", "store"],
    wallet: ["limits", "errors", "ledger", "store", "follower", "history", "scans"],
    entries: ["errors", "limits", "ledger", "store", "history", "scans", "wallet"],
    onboarding: ["limits", "errors", "settings", "ledger", "follower", "wallet"],
    automation: [
      ...["limits", "errors", "settings", "ledger", "store", "follower", "history", "scans", "wallet"],
      "onboarding",
    ],
    routes: [
      ...["errors", "settings", "ledger", "store", "follower", "history", "scans", "wallet", "entries"],
      ...["onboarding", "automation"],
    ],
  },
  web: {
    browser: [],
    config: ["browser"],
    words: ["browser", "config"],
    routing: ["browser", "config", "words"],
    login: ["browser", "config"],
    calls: ["browser", "config", "login"],
    design: WEB_GROUND,
    names: WEB_SECTION,
    network: WEB_SECTION,
    register: [...WEB_SECTION, "names"],
    wallet: [...WEB_SECTION, "names", "register"],
    operator: WEB_SECTION,
    developer: WEB_SECTION,
    app: [...WEB_SECTION, "names", "network", "register", "wallet", "operator", "developer"],
  },
};

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function importProblem(from: string, imported: string): string | undefined {
  const home = packageOf(from);
  if (home === undefined) return undefined;
  if (imported.startsWith("@callsign/") || imported === "callsign") {
    const allowed = mayImport[home] ?? [];
    const names = allowed.map((name) => `@callsign/${name}`);
    return names.includes(imported)
      ? undefined
      : `imports ${imported}; ${home} may import ${names.join(", ") || "no other package"}`;
  }
  if (!imported.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(from), imported);
  if (target.startsWith(`packages/${home}/`)) return undefined;
  // Tests and test support share the test support of the packages below.
  const supportOf = (path: string) => /^packages\/([^/]+)\/testing\//.exec(path)?.[1];
  const below = mayImport[home]?.includes(supportOf(target) ?? "") === true;
  if (below && (isTest(from) || supportOf(from) !== undefined)) return undefined;
  return `imports ${imported}, outside its package`;
}

function folderProblem(from: string, imported: string): string | undefined {
  const order = mayImportFolder[packageOf(from) ?? ""];
  if (order === undefined || isTest(from) || !imported.startsWith(".")) return undefined;
  const folderOf = (path: string) => /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
  const home = folderOf(from);
  const path = posix.join(posix.dirname(from), imported);
  const target = folderOf(path);
  // A package's manifest says its release.
  const isManifest = path === `packages/${packageOf(from)}/package.json`;
  if (home === undefined || target === home || isManifest) return undefined;
  const allowed = order[home];
  if (allowed === undefined) return `the folder ${home} has no place in the order of its package's folders`;
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
  name: "packages import the packages below them only",
  find: eachImport(importProblem),
  broken: [
    [file("packages/ledger/src/a.ts", 'import { b } from "@callsign/api";')],
    [file("packages/ledger/src/a.ts", 'import { b } from "../../api/src/b.ts";')],
    [file("packages/api/src/a.ts", 'import type { b } from "@callsign/node";')],
    [file("packages/web/src/a.tsx", 'import { b } from "@callsign/node";')],
    [file("packages/sv/src/a.ts", 'const b = await import("@callsign/localnet");')],
    [file("packages/localnet/src/a.ts", 'import { b } from "callsign";')],
    [file("packages/cli/src/a.ts", 'import { b } from "@callsign/ledger/src/b.ts";')],
    [file("packages/validator/src/a.ts", 'import { b } from "@callsign/participant";')],
    [file("packages/node/src/http/a.ts", 'export { b } from "../../../scan/src/b.ts";')],
  ],
  sound: [
    file("packages/sv/src/a.ts", 'import { b } from "@callsign/synchronizer";'),
    file("packages/scan/src/a.ts", 'import { b } from "@callsign/node"; // from "@callsign/sv"'),
    file("packages/api/src/a.ts", 'import { b } from "@callsign/ledger";\nimport { z } from "zod";'),
    file("packages/scan/src/a.test.ts", 'import { b } from "../../ledger/testing/b.ts";'),
    file("packages/node/testing/a.ts", 'import { b } from "../../api/testing/b.ts";'),
    file("tests/a.ts", 'import { b } from "@callsign/localnet";'),
  ],
};

const folders: Rule = {
  name: "inside a package, folders import the folders below them only",
  find: eachImport(folderProblem),
  broken: [
    [file("packages/ledger/src/engine/a.ts", 'import { b } from "../contracts/b.ts";')],
    [file("packages/ledger/src/engine/a.ts", 'import type { b } from "../contracts/splice-amulet/b.ts";')],
    [file("packages/ledger/src/daml/a.ts", 'import { b } from "../engine/b.ts";')],
    [file("packages/ledger/src/values/a.ts", 'import { b } from "../errors/b.ts";')],
    [file("packages/ledger/src/contracts/checks/a.ts", 'import { b } from "../../transition/b.ts";')],
    [file("packages/ledger/src/names/a.ts", 'import { b } from "../index.ts";')],
    [file("packages/ledger/src/wallets/a.ts", 'import { b } from "../values/b.ts";')],
    [file("packages/web/src/design/a.tsx", 'import { b } from "../wallet/b.tsx";')],
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
