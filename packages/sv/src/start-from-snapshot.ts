/** A replica that lacks entries which its log no longer has starts from a snapshot that a quorum of the SVs attested. */
import {
  CannotStart,
  type DatabaseOptions,
  type Host,
  type Log,
  type SignatureChecks,
  sha256,
} from "@callsign/node";
import {
  checkSnapshot,
  loadSnapshot,
  type ReplicaConsumer,
  SnapshotFolder,
  type SnapshotSource,
  type SqliteState,
} from "@callsign/synchronizer";

interface LateReplica {
  /** The replica's database, closed. */
  readonly path: string;
  readonly options: DatabaseOptions;
  /** The entry behind which the log begins. */
  readonly start: number;
  /** Folders that may have a snapshot, the best first. */
  readonly folders: readonly string[];
  readonly openConsumers: (state: SqliteState) => readonly ReplicaConsumer[];
  readonly checks: SignatureChecks;
  readonly host: Host;
  readonly log: Log;
}

/** Throws if there is no snapshot that the log goes on from. */
export async function startFromSnapshot(late: LateReplica): Promise<void> {
  const { path, options, openConsumers, start, host, log } = late;
  const faults: string[] = [];
  for (const folder of late.folders) {
    const files = new SnapshotFolder(folder, { files: host.files, log }).openAll();
    try {
      for (const { source, path: file } of files) {
        const fault = findFault(source, late);
        if (source === null || fault !== null) {
          faults.push(`${file}: ${fault}`);
          continue;
        }
        await loadSnapshot({ source, path, options, openConsumers, hash: sha256, host });
        const { sequence } = source.manifest.head;
        log.info({ sequence, file }, "the replica starts from a snapshot");
        return;
      }
    } finally {
      for (const file of files) file.close();
    }
  }
  throw new CannotStart(
    `the log begins behind entry ${start}, ${path} lacks entries before it, and no snapshot takes their place ` +
      `(${faults.length === 0 ? `none in ${late.folders.join(", ")}` : faults.join("; ")}). Copy the file ` +
      `snapshot-<entry>.db of another SV into ${late.folders[0]}, or run callsign log snapshot`,
  );
}

function findFault(source: SnapshotSource | null, { start, checks }: LateReplica): string | null {
  if (source === null) return "no quorum of the SVs has attested it";
  const { sequence } = source.manifest.head;
  if (sequence < start) return `it ends with entry ${sequence}, before the log's first`;
  const checked = checkSnapshot(source, { hash: sha256, verify: checks.verify });
  return checked.ok ? null : checked.fault;
}
