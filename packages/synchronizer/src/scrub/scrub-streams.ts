/** The streams of members: offsets without gaps, and digests that follow from the bodies, which follow from the entries. */
import type { Hash } from "@callsign/ledger";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { rowCheck } from "../replica/row-check.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";
import { STREAM_BEGIN, type StreamEnd } from "../streams/member-streams.ts";
import { StreamEntries } from "../streams/stream-entries.ts";
import { chainStreamDigest } from "../streams/stream-item.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

interface Place {
  /** The member's number. */
  readonly member: number;
  readonly offset: number;
  readonly digest: string;
}

const BEGIN: Place = { member: 0, ...STREAM_BEGIN };

export function scrubStreams(state: Pick<SqliteState, "database" | "flush">, hash: Hash): ScrubPart {
  const { database } = state;
  // Rows are found by the index and read from the table itself: both have a copy of member and offset.
  const select = database.prepare(
    "select n.name, i.member as number, s.offset, lower(hex(s.digest)) as digest, s.entry, s.cause, s.cause_check, " +
      "i.member = s.member and i.offset = s.offset as same " +
      "from stream_item i cross join stream_item s not indexed on s.rowid = i.rowid " +
      "left join stream_member n on n.id = i.member " +
      "where (i.member, i.offset) > (?, ?) order by i.member, i.offset limit +?",
  );
  const start = database.prepare("select offset, digest from stream_start where member = ?");
  const entries = new StreamEntries(database);
  /** The item before the first one of a stream that is kept. */
  const startOf = (name: string): StreamEnd => {
    const { offset, digest } = start.get(name) ?? STREAM_BEGIN;
    return { offset: Number(offset), digest: digest as string };
  };
  const bodyOf = (entry: bigint, name: string): string => {
    try {
      return entries.bodyOf(entry, name);
    } catch (error) {
      throw differs(`the entry ${entry} of the streams cannot be read: ${String(error)}`);
    }
  };
  return {
    name: "streams",
    store: "replica",
    check: (after) => {
      let last = after === "" ? BEGIN : (JSON.parse(after) as Place);
      state.flush();
      // A dictionary that was read before may have been rolled back, or lost.
      entries.reload();
      const rows = select.all(last.member, last.offset, SCRUBBED_AT_ONCE);
      for (const row of rows) {
        const item = {
          member: Number(row["number"]),
          offset: Number(row["offset"]),
          digest: row["digest"] as string,
        };
        if (row["name"] === null) throw differs(`the streams have no name of member ${item.member}`);
        const name = row["name"] as string;
        const place = `item ${item.offset} of the stream of ${name}`;
        if (row["same"] !== 1n) throw differs(`${place} is indexed as another`);
        const begin = startOf(name);
        const previous = item.member === last.member && last.offset > begin.offset ? last : begin;
        if (item.offset !== previous.offset + 1)
          throw differs(`the stream of ${name} has item ${item.offset} behind item ${previous.offset}`);
        const body = bodyOf(row["entry"] as bigint, name);
        if (chainStreamDigest(hash, previous.digest, item.offset, body) !== item.digest)
          throw differs(`${place} is not what its digest says`);
        const { cause, cause_check: check } = row;
        if (check !== null && check !== BigInt(rowCheck(String(cause))))
          throw differs(`the error of ${place} has another check`);
        last = item;
      }
      return {
        after: placeBehind(rows, SCRUBBED_AT_ONCE, () => JSON.stringify(last)),
        rows: rows.length,
      };
    },
  };
}
