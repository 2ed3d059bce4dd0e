// Code of others: packages of the lock file, and programs that scripts fetch (decision 0045).

import { type LockedPackage, listLockedPackages } from "../locked-packages.ts";
import { eachFile, file, type Rule } from "../rule.ts";
import { isSource } from "../source-text.ts";

/** A rule about each package of the lock file. */
function eachPackage(problem: (locked: LockedPackage) => string | undefined): Rule["find"] {
  return eachFile(({ path, text }) => {
    if (path !== "package-lock.json") return undefined;
    const found = listLockedPackages(text).flatMap((locked) => {
      const said = problem(locked);
      return said === undefined ? [] : [`${locked.name}@${locked.version} ${said}`];
    });
    return found.length === 0 ? undefined : found.join("; ");
  });
}

function lockFile(entry: object): readonly ReturnType<typeof file>[] {
  return [file("package-lock.json", JSON.stringify({ packages: { "": {}, "node_modules/a": entry } }))];
}

const SOUND = { version: "1.0.0", integrity: "sha512-abc==", license: "MIT" };

const integrity: Rule = {
  name: "every package in package-lock.json has its sha512 integrity",
  find: eachPackage(({ integrity: hash }) =>
    hash?.startsWith("sha512-") === true
      ? undefined
      : "has no sha512 integrity; take a version that the registry has for every platform",
  ),
  broken: [lockFile({ ...SOUND, integrity: undefined }), lockFile({ ...SOUND, integrity: "sha1-abc=" })],
  sound: [
    ...lockFile(SOUND),
    file("packages/a/package-lock.json", '{ "packages": { "node_modules/a": {} } }'),
  ],
};

const ALLOWED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"];
/** Asks for its own files' sources alone; fine for tools, which are not handed on. */
const ALLOWED_FOR_DEVELOPMENT = [...ALLOWED, "MPL-2.0"];

/** True if the expression can be met: `A AND B` needs both, `A OR B` one of them. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const plain = expression.replaceAll(/[()]/g, "");
  if (plain.includes(" OR ")) return plain.split(" OR ").some((part) => isAllowed(part, allowed));
  return plain.split(" AND ").every((license) => allowed.includes(license));
}

const licenses: Rule = {
  name: `dependencies are under ${ALLOWED.join(", ")}; tools also under MPL-2.0`,
  find: eachPackage(({ license, isForDevelopment }) =>
    isAllowed(license, isForDevelopment ? ALLOWED_FOR_DEVELOPMENT : ALLOWED)
      ? undefined
      : `is under ${license === "" ? "no licence" : license}`,
  ),
  broken: ["GPL-3.0", "MPL-2.0", "", "(MIT AND GPL-3.0)"].map((license) => lockFile({ ...SOUND, license })),
  sound: [
    ...lockFile({ ...SOUND, license: "(Apache-2.0 AND BSD-3-Clause)" }),
    ...lockFile({ ...SOUND, license: "MPL-2.0", dev: true }),
    ...lockFile({ ...SOUND, license: "MIT OR GPL-3.0" }),
  ],
};

/** Packages with an install script whose work a script of ours does. There is none today. */
const REPLACED_SCRIPTS: ReadonlySet<string> = new Set();

const installScripts: Rule = {
  name: "no dependency has an install script, and .npmrc lets npm run none",
  find: (files) => {
    const npmrc = files.find(({ path }) => path === ".npmrc");
    const allowsScripts = npmrc !== undefined && !/^ignore-scripts=true$/m.test(npmrc.text);
    const found = eachPackage(({ name, hasInstallScript }) =>
      hasInstallScript && !REPLACED_SCRIPTS.has(name)
        ? "has an install script: do in scripts/ what it does, and list the package in this rule"
        : undefined,
    )(files);
    return allowsScripts ? [...found, ".npmrc: lacks ignore-scripts=true"] : found;
  },
  broken: [lockFile({ ...SOUND, hasInstallScript: true }), [file(".npmrc", "save-exact=true")]],
  sound: [...lockFile(SOUND), file(".npmrc", "fund=false\nignore-scripts=true\n")],
};

const npmCalls: Rule = {
  name: "code that installs or packs with npm gives --ignore-scripts, or uses spawnNpm",
  find: eachFile(({ path, text }) => {
    if (!isSource(path) || path === "tests/repository/rules/supply-chain.ts") return undefined;
    const installs =
      /"npm"/.test(text) && /"(ci|i|install|pack|exec)"/.test(text) && !text.includes('"--ignore-scripts"');
    return installs ? "runs npm without --ignore-scripts" : undefined;
  }),
  broken: [[file("scripts/a.ts", 'spawnSync("npm", ["ci"]);')]],
  sound: [
    file("scripts/a.ts", 'spawnNpm(["ci"]);'),
    file("scripts/b.ts", 'spawn("npm", ["install", "--ignore-scripts"])'),
    file("tests/c.test.ts", 'spawn("npm", ["run", "callsign"])'),
  ],
};

interface Pins {
  readonly [program: string]: {
    readonly [platform: string]: { readonly spec: string; readonly integrity: string };
  };
}

const PLATFORMS = "darwin-arm64 darwin-x64 linux-arm64 linux-x64 win32-x64";

/** No version of it can be had for all of them. */
const TESTED_ON: Readonly<Record<string, string>> = { "oldest-node": "linux-x64" };

const pinnedPrograms: Rule = {
  name: `programs that scripts fetch are pinned by hash, at one version, for ${PLATFORMS}`,
  find: eachFile(({ path, text }) => {
    if (path !== "scripts/pinned-packages.json") return undefined;
    const found = Object.entries(JSON.parse(text) as Pins).flatMap(([program, pins]) => {
      const versions = new Set(Object.values(pins).map(({ spec }) => spec.slice(spec.lastIndexOf("@") + 1)));
      const platforms = Object.keys(pins).sort().join(" ");
      return [
        ...(versions.size === 1 ? [] : [`${program} has the versions ${[...versions].join(", ")}`]),
        ...(platforms === (TESTED_ON[program] ?? PLATFORMS) ? [] : [`${program} is for ${platforms}`]),
        ...Object.values(pins)
          .filter((pin) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(pin.integrity))
          .map(({ spec }) => `${spec} has no sha512 hash`),
      ];
    });
    return found.length === 0 ? undefined : found.join("; ");
  }),
  broken: [
    [pinFile({ "linux-x64": "a@1.0.0" })],
    [pinFile(Object.fromEntries(PLATFORMS.split(" ").map((platform, i) => [platform, `a@1.0.${i}`])))],
    [pinFile(Object.fromEntries(PLATFORMS.split(" ").map((platform) => [platform, "a@1.0.0"])), "sha1-abc=")],
  ],
  sound: [pinFile(Object.fromEntries(PLATFORMS.split(" ").map((platform) => [platform, "a@1.0.0"])))],
};

function pinFile(specs: Readonly<Record<string, string>>, hash = `sha512-${"a".repeat(86)}==`) {
  const pins = Object.entries(specs).map(([platform, spec]) => [platform, { spec, integrity: hash }]);
  return file("scripts/pinned-packages.json", JSON.stringify({ program: Object.fromEntries(pins) }));
}

export const supplyChainRules: readonly Rule[] = [
  integrity,
  licenses,
  installScripts,
  npmCalls,
  pinnedPrograms,
];
