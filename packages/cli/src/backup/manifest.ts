/**
 * A back-up is a folder: the store's archive, the files of identities, and a manifest with the hash of each. The manifest is
 * hashed itself, so that any changed byte of a back-up is found.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseJsonText, StorePosition } from "@callsign/api";
import { ArchiveDamaged, ArchiveRefused, errorCodeOf, type Host, sha256, VERSION } from "@callsign/node";
import { z } from "zod";

export const ARCHIVE_NAME = "store.gz";
const MANIFEST_NAME = "backup.json";
const FORMAT = "callsign back-up";

const Content = z.strictObject({
  format: z.literal(FORMAT),
  role: z.string(),
  /** The release that took it. */
  release: z.string(),
  takenAt: z.string(),
  position: StorePosition,
  /** By their paths in the folder. */
  files: z.record(z.string(), z.strictObject({ bytes: z.int(), sha256: z.string() })),
});
const Manifest = z.strictObject({ ...Content.shape, sha256: z.string() });
export type Manifest = z.output<typeof Manifest>;

type FilesOf = Pick<Host, "files">;

interface Taken extends Pick<Manifest, "role" | "takenAt" | "position"> {
  /** Paths in the folder. */
  readonly names: readonly string[];
}

export async function writeManifest(
  folder: string,
  { role, takenAt, position, names }: Taken,
  { files }: FilesOf,
): Promise<Manifest> {
  const hashed: Record<string, Manifest["files"][string]> = {};
  for (const name of names) hashed[name] = await hashFile(join(folder, name), { files });
  const content = { format: FORMAT, role, release: VERSION, takenAt, position, files: hashed } as const;
  const manifest = { ...content, sha256: hashOf(content) };
  files.write(join(folder, MANIFEST_NAME), format(manifest));
  return manifest;
}

/** Checks every byte of the folder's files. Throws `ArchiveDamaged` or `ArchiveRefused`. */
export async function checkManifest(folder: string, { files }: FilesOf): Promise<Manifest> {
  const path = join(folder, MANIFEST_NAME);
  const text = files.read(path);
  if (text === null)
    throw new ArchiveRefused(`${folder} is no back-up: it has no ${MANIFEST_NAME}. Give the folder of --to`);
  const manifest = Manifest.safeParse(parseJsonText(text));
  if (!manifest.success) throw new ArchiveDamaged(`${path} is damaged`);
  const { sha256: hash, ...content } = manifest.data;
  if (hashOf(content) !== hash || format(manifest.data) !== text)
    throw new ArchiveDamaged(`${path} is damaged`);
  refuseNewer(manifest.data);
  for (const [name, known] of Object.entries(content.files)) {
    const found = await findHash(folder, name, { files });
    if (found.bytes !== known.bytes || found.sha256 !== known.sha256)
      throw new ArchiveDamaged(`${join(folder, name)} is damaged: it is not as the back-up left it`);
  }
  return manifest.data;
}

function refuseNewer({ release, takenAt }: Manifest): void {
  const [taken, own] = [release, VERSION].map((version) => version.split(/[.-]/, 3).map(Number));
  const i = (taken ?? []).findIndex((part, place) => part !== own?.[place]);
  if (i < 0 || (taken?.[i] ?? 0) < (own?.[i] ?? 0)) return;
  throw new ArchiveRefused(
    `release ${release} took this back-up at ${takenAt}, and this is the older release ${VERSION}: ` +
      `restore it with release ${release} or a later one`,
  );
}

async function findHash(folder: string, name: string, { files }: FilesOf) {
  try {
    return await hashFile(join(folder, name), { files });
  } catch (error) {
    if (errorCodeOf(error) !== "ENOENT") throw error;
    throw new ArchiveDamaged(`${join(folder, name)} is missing: the back-up is damaged`, { cause: error });
  }
}

async function hashFile(path: string, { files }: FilesOf): Promise<Manifest["files"][string]> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of files.openRead(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function hashOf(content: z.output<typeof Content>): string {
  return sha256(JSON.stringify(content));
}

function format(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
