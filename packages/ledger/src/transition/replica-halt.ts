/**
 * Raised when going on would be wrong: the entry does not follow the last one, or it needs behaviour this
 * program does not have. A replica that meets it stops and says so.
 */
export class ReplicaHalt extends Error {
  override readonly name = "ReplicaHalt";
}
