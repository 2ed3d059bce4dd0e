/** Walks through the rows of a replica that have checks, as the scrub does, without its pauses. */
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import type { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { scrubRows } from "../../packages/synchronizer/src/scrub/scrub-rows.ts";

interface WalkedReplica {
  readonly replica: Pick<Replica, "state">;
  readonly index: ReplicaConsumer;
}

interface Walk {
  /** The only table; all if omitted. */
  readonly table?: string;
  readonly betweenPages?: () => Promise<void>;
}

/** Returns the number of rows. Throws at the first that is damaged, and if one is missing. */
export async function walkRows(
  { replica, index }: WalkedReplica,
  { table, betweenPages = async () => undefined }: Walk = {},
): Promise<number> {
  let rows = 0;
  for (const { name, check } of scrubRows(replica.state, [index])) {
    if (table !== undefined && name !== `rows of ${table}`) continue;
    for (let after: string | null = ""; after !== null; ) {
      const page = await check(after, AbortSignal.timeout(60_000));
      rows += page.rows;
      after = page.after;
      await betweenPages();
    }
  }
  return rows;
}
