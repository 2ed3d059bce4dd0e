/** A replica that lacks entries which its log no longer has starts from a snapshot that a quorum of the SVs attested. */
import { type DatabaseOptions, sha256 } from "@callsign/node";
import { loadSnapshot, type ReplicaConsumer, type SqliteState } from "@callsign/synchronizer";
import { findSnapshot, type SnapshotSearch } from "./find-snapshot.ts";

interface LateReplica extends SnapshotSearch {
  /** The replica's database, closed. */
  readonly path: string;
  readonly options: DatabaseOptions;
  readonly openConsumers: (state: SqliteState) => readonly ReplicaConsumer[];
}

/** Throws if there is no snapshot that the log goes on from. */
export async function startFromSnapshot(late: LateReplica): Promise<void> {
  const { path, options, openConsumers, host, log } = late;
  const { file, source } = await findSnapshot(late);
  try {
    await loadSnapshot({ source, path, options, openConsumers, hash: sha256, host });
    const { sequence } = source.manifest.head;
    log.info({ sequence, file: file.path }, "the replica starts from a snapshot");
  } finally {
    file.close();
  }
}
