/** A snapshot from which a replica may start: in a folder of this machine, or from another SV. */
import {
  CannotStart,
  type Host,
  type Log,
  type MemberIdentity,
  SignatureChecks,
  sha256,
} from "@callsign/node";
import {
  checkSnapshot,
  fetchSnapshot,
  type SnapshotFile,
  SnapshotFolder,
  type SnapshotSource,
} from "@callsign/synchronizer";

export interface SnapshotSearch {
  /** The entry behind which the log begins. */
  readonly start: number;
  /** Folders that may have a snapshot, the best first; a fetched one goes into the first. */
  readonly folders: readonly [string, ...string[]];
  /** URLs of other SVs' sequencers. */
  readonly urls?: readonly string[];
  /** The SV that asks them; a node without one asks nobody. */
  readonly identity?: MemberIdentity;
  readonly host: Host;
  readonly log: Log;
}

export interface FoundSnapshot {
  readonly file: SnapshotFile;
  readonly source: SnapshotSource;
}

/** Throws if there is none that the log goes on from. The caller closes its file. */
export async function findSnapshot(search: SnapshotSearch): Promise<FoundSnapshot> {
  const { start, folders, urls = [], identity, host, log } = search;
  const faults: string[] = [];
  const found = findLocal(search, faults);
  if (found !== null) return found;
  const checks = new SignatureChecks();
  const client = host.http.openClient();
  try {
    for (const url of identity === undefined ? [] : urls) {
      try {
        const folder = new SnapshotFolder(folders[0], { files: host.files, log });
        const { fetch } = client;
        const parts = { url, folder, start, fetch, timers: host.timers, hash: sha256, verify: checks.verify };
        const sequence = await fetchSnapshot({ ...parts, identity: identity as MemberIdentity });
        log.info({ sequence, url }, "a snapshot was fetched");
        const fetched = findLocal(search, faults);
        if (fetched !== null) return fetched;
      } catch (error) {
        faults.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    client.close();
  }
  throw new CannotStart(
    `the log begins behind entry ${start}, and no snapshot takes the place of the entries before it ` +
      `(${faults.length === 0 ? `there is none in ${folders.join(", ")}` : faults.join("; ")}). List the sequencers of other ` +
      `SVs in log.snapshotSources, or copy the file snapshot-<entry>.db of another SV into ${folders[0]}`,
  );
}

function findLocal({ folders, start, host, log }: SnapshotSearch, faults: string[]): FoundSnapshot | null {
  const checks = new SignatureChecks();
  let found: FoundSnapshot | null = null;
  for (const folder of folders) {
    for (const file of new SnapshotFolder(folder, { files: host.files, log }).openAll()) {
      const { source } = file;
      const fault = found === null ? findFault(source, { start, checks }) : null;
      if (fault !== null) faults.push(`${file.path}: ${fault}`);
      if (found === null && fault === null && source !== null) found = { file, source };
      else file.close();
    }
  }
  return found;
}

function findFault(
  source: SnapshotSource | null,
  { start, checks }: { readonly start: number; readonly checks: SignatureChecks },
): string | null {
  if (source === null) return "no quorum of the SVs has attested it";
  const { sequence } = source.manifest.head;
  if (sequence < start) return `it ends with entry ${sequence}, before the log's first`;
  const checked = checkSnapshot(source, { hash: sha256, verify: checks.verify });
  return checked.ok ? null : checked.fault;
}
