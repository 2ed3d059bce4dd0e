/** The packages of others in package-lock.json. */

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface LockedPackage {
  readonly name: string;
  /** Its folder, such as `node_modules/pg`. */
  readonly folder: string;
  readonly version: string;
  /** As npm knows it; empty if it names none. */
  readonly license: string;
  readonly integrity: string | null;
  /** True if tests and tools alone need it. */
  readonly isForDevelopment: boolean;
  readonly hasInstallScript: boolean;
}

export function listLockedPackages(lock: string): readonly LockedPackage[] {
  const { packages = {} } = JSON.parse(lock) as { readonly packages?: Readonly<Record<string, LockEntry>> };
  return Object.entries(packages)
    .filter(([folder, { link }]) => folder.includes("node_modules/") && link !== true)
    .map(([folder, entry]) => ({
      folder,
      name: folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length),
      version: entry.version ?? "",
      license: entry.license ?? "",
      integrity: entry.integrity ?? null,
      isForDevelopment: entry.dev === true || entry.devOptional === true,
      hasInstallScript: entry.hasInstallScript === true,
    }));
}

/** Tools of the web application's build, and types: their code is in no page. */
const NOT_BUNDLED = /^(@callsign\/|@types\/|@vitejs\/|vite$)/;

/** The names of the packages whose code may be in the built web application. */
export function listBundledNames(lock: string): ReadonlySet<string> {
  const { packages = {} } = JSON.parse(lock) as { readonly packages?: Readonly<Record<string, LockEntry>> };
  const bundled = new Set<string>();
  const add = (names: Readonly<Record<string, string>> = {}) => {
    for (const name of Object.keys(names)) {
      if (bundled.has(name) || NOT_BUNDLED.test(name)) continue;
      bundled.add(name);
      add(packages[`node_modules/${name}`]?.dependencies);
    }
  };
  add(packages["packages/web"]?.devDependencies);
  return bundled;
}
