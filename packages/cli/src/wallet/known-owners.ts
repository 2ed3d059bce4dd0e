/**
 * The owners of names that coin was sent to, by network: a name that belongs to somebody else the next time is a reason to
 * look twice. The file holds the last thousand names and nothing secret; losing it loses the warnings alone.
 */
import { dirname, join } from "node:path";
import type { Host } from "@callsign/node";
import { z } from "zod";

const MOST_OWNERS = 1000;
const KnownOwner = z.object({ network: z.string(), name: z.string(), party: z.string() });
const KnownOwners = z.array(KnownOwner);
export type KnownOwner = z.output<typeof KnownOwner>;

type Environment = Readonly<Record<string, string | undefined>>;

/** In the folder for state of the XDG standard. Null without a home folder. */
export function ownersFile(environment: Environment): string | null {
  const state = environment["XDG_STATE_HOME"] || undefined;
  const home = environment["HOME"] || environment["USERPROFILE"] || undefined;
  const folder = state ?? (home === undefined ? null : join(home, ".local", "state"));
  return folder === null ? null : join(folder, "callsign", "known-owners.json");
}

/** Undefined for a name that coin was never sent to. */
export function findKnownOwner(
  path: string | null,
  { network, name }: Omit<KnownOwner, "party">,
  { files }: Pick<Host, "files">,
): string | undefined {
  return readOwners(path, files).find((each) => each.network === network && each.name === name)?.party;
}

export function rememberOwner(path: string | null, owner: KnownOwner, { files }: Pick<Host, "files">): void {
  if (path === null) return;
  const others = readOwners(path, files).filter(
    ({ network, name }) => network !== owner.network || name !== owner.name,
  );
  files.makeFolder(dirname(path));
  files.write(path, `${JSON.stringify([...others, owner].slice(-MOST_OWNERS))}\n`);
}

/** A damaged file counts as an empty one. */
function readOwners(path: string | null, files: Host["files"]): readonly KnownOwner[] {
  try {
    return KnownOwners.parse(JSON.parse((path === null ? null : files.read(path)) ?? "[]"));
  } catch {
    return [];
  }
}
