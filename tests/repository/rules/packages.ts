import { eachFile, file, type Rule } from "../rule.ts";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const exactVersions: Rule = {
  name: "dependencies are named by exact version",
  find: eachFile(({ path, text }) => {
    if (!/(^|\/)package\.json$/.test(path)) return undefined;
    const manifest = JSON.parse(text) as Manifest;
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const loose = Object.entries(all).filter(([, version]) => !exactVersion.test(version));
    if (loose.length === 0) return undefined;
    return `not exact: ${loose.map(([name, version]) => `${name} ${version}`).join(", ")}`;
  }),
  broken: ["^1.2.3", "~1.2.3", "*", "latest", "1.x"].map((version) => [
    file("package.json", JSON.stringify({ devDependencies: { vitest: version } })),
  ]),
  sound: [
    file("packages/api/package.json", '{ "dependencies": { "zod": "4.1.0", "@callsign/ledger": "0.1.0" } }'),
  ],
};

const oneVersion: Rule = {
  name: "all packages have one version, and name each other by it",
  find: (files) => {
    const manifests = files
      .filter(({ path }) => /^(packages\/[^/]+\/)?package\.json$/.test(path))
      .map(({ path, text }) => ({ path, ...(JSON.parse(text) as Manifest) }));
    const wanted = manifests.find(({ path }) => path === "package.json")?.version;
    return manifests.flatMap(({ path, version, dependencies = {} }) => {
      const own = Object.entries(dependencies).filter(([name]) => /^(@callsign\/|callsign$)/.test(name));
      const named: readonly (readonly [string, string | undefined])[] = [["version", version], ...own];
      return named
        .filter(([, given]) => given !== wanted)
        .map(([what, given]) => `${path}: ${what} ${given}; package.json says ${wanted}`);
    });
  },
  broken: [
    [
      file("package.json", '{ "version": "0.2.0" }'),
      file("packages/api/package.json", '{ "version": "0.1.0" }'),
    ],
    [
      file("package.json", '{ "version": "0.2.0" }'),
      file(
        "packages/api/package.json",
        '{ "version": "0.2.0", "dependencies": { "@callsign/ledger": "0.1.0" } }',
      ),
    ],
  ],
  sound: [
    file("package.json", '{ "version": "0.2.0" }'),
    file(
      "packages/api/package.json",
      '{ "version": "0.2.0", "dependencies": { "@callsign/ledger": "0.2.0", "zod": "4.1.0" } }',
    ),
  ],
};

const lockFile: Rule = {
  name: "package-lock.json records no download address",
  find: eachFile(({ path, text }) => {
    if (path !== "package-lock.json") return undefined;
    const address = /"resolved": "(\w+:[^"]*)"/.exec(text)?.[1];
    return address === undefined
      ? undefined
      : `records ${address}; .npmrc must be in place when npm writes it`;
  }),
  broken: [[file("package-lock.json", '"resolved": "https://example.org/zod/-/zod-4.1.0.tgz",')]],
  sound: [file("package-lock.json", '"node_modules/@callsign/ledger": { "resolved": "packages/ledger" }')],
};

interface Lock {
  readonly packages?: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

const completeLock: Rule = {
  name: "package-lock.json lists the optional dependencies of every platform",
  find: eachFile(({ path, text }) => {
    if (path !== "package-lock.json") return undefined;
    const packages = (JSON.parse(text) as Lock).packages ?? {};
    const missing = Object.values(packages)
      .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
      .filter((name) => packages[`node_modules/${name}`] === undefined);
    return missing.length === 0 ? undefined : `lacks ${missing.join(", ")}; run: npm run lock`;
  }),
  broken: [
    [
      file(
        "package-lock.json",
        '{ "packages": { "node_modules/a": { "optionalDependencies": { "b": "1.0.0" } } } }',
      ),
    ],
  ],
  sound: [
    file(
      "package-lock.json",
      '{ "packages": { "node_modules/a": { "optionalDependencies": { "b": "1.0.0" } }, "node_modules/b": {} } }',
    ),
  ],
};

const longestReadme = 60;

const readmes: Rule = {
  name: `every package has a README.md of at most ${longestReadme} lines`,
  find: (files) => {
    const folders = new Set(files.flatMap(({ path }) => /^packages\/[^/]+\//.exec(path)?.[0] ?? []));
    return [...folders].flatMap((folder) => {
      const readme = files.find(({ path }) => path === `${folder}README.md`);
      if (readme === undefined) return [`${folder}README.md: is missing`];
      const lines = readme.text.trimEnd().split("\n").length;
      return lines > longestReadme ? [`${readme.path}: ${lines} lines; one screen is enough`] : [];
    });
  },
  broken: [
    [file("packages/api/package.json", "{}")],
    [file("packages/api/README.md", "word\n".repeat(longestReadme + 1))],
  ],
  sound: [file("packages/api/README.md", "word\n".repeat(longestReadme))],
};

export const packageRules: readonly Rule[] = [exactVersions, oneVersion, lockFile, completeLock, readmes];
