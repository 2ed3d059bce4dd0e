/** A replica that writes member streams, and whatever else a test wants of it. */
import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { MemberStreams } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { type NamedConsumers, openReplica, type ReplicaOptions } from "../support/open-replica.ts";

export type StreamReplica = ReturnType<typeof openStreamReplica<Record<never, never>>>;

export function openStreamReplica<C extends NamedConsumers = Record<never, never>>(
  options: ReplicaOptions,
  more: (database: DatabaseSync) => C = () => ({}) as C,
) {
  return openReplica(options, (state) => ({
    streams: new MemberStreams(state, sha256),
    ...more(state.database),
  }));
}

/** The last entry that another reader of a replica's file sees. */
export function committedIn(file: string): number {
  const reader = openDatabase(file);
  const sequence = reader.prepare("select sequence from head").get()?.["sequence"];
  reader.close();
  return Number(sequence ?? 0);
}
