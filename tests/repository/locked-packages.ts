/** The packages of others in package-lock.json. */

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
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
