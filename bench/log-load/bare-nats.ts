/** The floor of the log on NATS: the same bytes in plain messages of a stream with as many replicas, one at a time. */
import type { LogBatch, NatsLogConfig } from "@callsign/synchronizer";
import { DiscardPolicy, jetstream, jetstreamManager, StorageType } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { BareInserts } from "./bare-inserts.ts";

export async function bareNats({ servers, login }: NatsLogConfig): Promise<BareInserts> {
  const connection = await connect({
    servers: [...servers],
    ...(login === undefined ? {} : { user: login.user, pass: login.password }),
  });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: "bare",
    subjects: ["bare"],
    num_replicas: 3,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
  });
  const client = jetstream(connection);
  return {
    insert: async (batches: readonly LogBatch[]) => {
      const entries = batches.flatMap((batch) => batch.entries);
      await client.publish("bare", Buffer.from(entries.join("\n")));
    },
    close: () => connection.close(),
  };
}
