/** `callsign backup`, `callsign restore` and `callsign store move`. Each resolves with its exit code. */
import type { Archived } from "@callsign/node";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { ARCHIVE_NAME, type Manifest } from "./manifest.ts";
import { moveStore } from "./move-store.ts";
import { checkBackup, type Restored, type RestoreOptions, restoreBackup } from "./restore-backup.ts";
import { describePlace, type StoredRole } from "./store-place.ts";
import { takeBackup } from "./take-backup.ts";

export function runBackup(role: StoredRole, to: string, { terminal, host }: Surroundings): Promise<number> {
  return explaining(`the ${role.name} was not backed up`, terminal, async () => {
    const { archived, manifest } = await takeBackup(role, to, host);
    terminal.write(`The ${role.name} is backed up in ${to}\n${describeArchive(archived, manifest)}`);
  });
}

export function runRestore(
  role: StoredRole,
  options: RestoreOptions,
  { terminal, host }: Surroundings,
): Promise<number> {
  return explaining(`the ${role.name} was not restored`, terminal, async () => {
    const restored = await restoreBackup(role, options, host);
    const verified = options.verify ? "; every row was read back and is the same" : "";
    terminal.write(`${describeRestored(role, restored, verified)}${describeArchive(restored.archived)}`);
  });
}

/** Without a configuration: reads every byte of a back-up, and writes nothing. */
export function runCheck(from: string, { terminal, host }: Surroundings): Promise<number> {
  return explaining("the back-up cannot be used", terminal, async () => {
    const { archived, manifest } = await checkBackup(from, host);
    terminal.write(
      `${from} is a whole back-up of a ${manifest.role}\n${describeArchive(archived, manifest)}`,
    );
  });
}

export function runMove(
  from: StoredRole,
  to: StoredRole,
  { replace, terminal, host }: Surroundings & { readonly replace: boolean },
): Promise<number> {
  return explaining(`the store of the ${from.name} was not moved`, terminal, async () => {
    const restored = await moveStore(from, to, { replace, host });
    const verified = "; every row was read back and is the same";
    terminal.write(`${describeRestored(to, restored, verified)}${describeArchive(restored.archived)}`);
    terminal.write(`${describePlace(from)} is as it was, and no ${from.name} starts on it any more\n`);
  });
}

function describeRestored(role: StoredRole, restored: Restored, verified: string): string {
  if (restored.kind === "same") return `${describePlace(role)} has these rows already\n`;
  const { replaced } = restored;
  const aside = replaced === null ? "" : `The store that was there before is kept as ${replaced}\n`;
  return `The store of the ${role.name} is in ${describePlace(role)}${verified}\n${aside}`;
}

function describeArchive({ header, trailer }: Archived, manifest?: Manifest): string {
  const bytes = manifest?.files[ARCHIVE_NAME]?.bytes;
  const facts = {
    ...header.position,
    "taken at": header.takenAt,
    "store version": `${header.storeVersion} of release ${header.release}`,
    rows: `${trailer.rows} in ${Object.keys(trailer.tables).length} tables`,
    ...(bytes === undefined ? {} : { bytes: String(bytes) }),
    sha256: trailer.sha256,
  };
  return Object.entries(facts)
    .map(([what, value]) => `  ${what}: ${value}\n`)
    .join("");
}
