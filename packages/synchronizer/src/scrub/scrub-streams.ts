/** The streams of members: offsets without gaps, and digests that follow from the bodies. */
import type { DatabaseSync } from "node:sqlite";
import type { Hash } from "@callsign/ledger";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { rowCheck } from "../replica/row-check.ts";
import { STREAM_BEGIN } from "../streams/member-streams.ts";
import { chainStreamDigest } from "../streams/stream-item.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

interface Place {
  readonly member: string;
  readonly offset: number;
  readonly digest: string;
}

const BEGIN: Place = { member: "", ...STREAM_BEGIN };

export function scrubStreams(database: DatabaseSync, hash: Hash): ScrubPart {
  // Rows are found by the index and read from the table itself: both have a copy of member and offset.
  const select = database.prepare(
    "select s.member, s.offset, s.digest, s.body, s.cause, s.cause_check, i.member = s.member and i.offset = s.offset as same " +
      "from stream_item i cross join stream_item s not indexed on s.rowid = i.rowid " +
      "where (i.member, i.offset) > (?, ?) order by i.member, i.offset limit +?",
  );
  const start = database.prepare("select offset, digest from stream_start where member = ?");
  /** The item before the first one of a stream that is kept. */
  const startOf = (member: string): Place => {
    const row = start.get(member);
    const { offset, digest } = row ?? STREAM_BEGIN;
    return { member, offset: Number(offset), digest: digest as string };
  };
  return {
    name: "streams",
    store: "replica",
    check: (after) => {
      let last = after === "" ? BEGIN : (JSON.parse(after) as Place);
      const rows = select.all(last.member, last.offset, SCRUBBED_AT_ONCE);
      for (const row of rows) {
        const item = {
          member: row["member"] as string,
          offset: Number(row["offset"]),
          digest: row["digest"] as string,
        };
        if (row["same"] !== 1n)
          throw differs(`item ${item.offset} of the stream of ${item.member} is indexed as another`);
        const begin = startOf(item.member);
        const previous = item.member === last.member && last.offset > begin.offset ? last : begin;
        if (item.offset !== previous.offset + 1)
          throw differs(
            `the stream of ${item.member} has item ${item.offset} behind item ${previous.offset}`,
          );
        if (chainStreamDigest(hash, previous.digest, item.offset, row["body"] as string) !== item.digest)
          throw differs(`item ${item.offset} of the stream of ${item.member} is not what its digest says`);
        const { cause, cause_check: check } = row;
        if (check !== null && check !== BigInt(rowCheck(String(cause))))
          throw differs(`the error of item ${item.offset} of the stream of ${item.member} has another check`);
        last = item;
      }
      return {
        after: placeBehind(rows, SCRUBBED_AT_ONCE, () => JSON.stringify(last)),
        rows: rows.length,
      };
    },
  };
}
