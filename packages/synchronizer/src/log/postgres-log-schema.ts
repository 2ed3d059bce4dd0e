/**
 * The tables of the log on PostgreSQL. A row of `batch` holds entries that were appended together, and is known by the last of
 * them. It refers to the row before it, and no two rows refer to the same one: the database itself refuses gaps and forks. One
 * row has no row before it, and no entries: the anchor, behind which the log begins.
 *
 * A row of `office` names a timeline. Two standbys that are promoted apart from each other may both begin timeline 2: the
 * random `nonce` tells them apart, as each lacks the row that the other's first session made.
 */
import { FIRST_PREVIOUS_HASH } from "@callsign/ledger";
import type { Sql, StoreMigrations } from "@callsign/node";

const SCHEMA = `
  create table batch (
    last_sequence bigint not null,
    last_hash text not null,
    previous_sequence bigint,
    previous_hash text,
    bytes bigint not null,
    entries bytea[] not null,
    primary key (last_sequence, last_hash),
    unique (previous_sequence, previous_hash),
    foreign key (previous_sequence, previous_hash) references batch (last_sequence, last_hash)
      match full deferrable initially immediate,
    check (cardinality(entries) = case when previous_sequence is null then 0 else last_sequence - previous_sequence end),
    check (previous_sequence is null or last_sequence > previous_sequence)
  );
  create unique index batch_anchor on batch ((true)) where previous_sequence is null;
  insert into batch (last_sequence, last_hash, bytes, entries) values (0, '${FIRST_PREVIOUS_HASH}', 0, '{}');
  create table office (timeline text primary key, nonce text not null);
`;

export const postgresLogMigrations: StoreMigrations<Sql> = { store: "log", migrations: [SCHEMA] };

/** The server's history, up to the promotion of the present server. The last completed checkpoint may be of an older one. */
const TIMELINE = `(select c.system_identifier from pg_control_system() c) || ' ' ||
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

/** The term; null before the timeline's first session has named it. Fails on a standby. */
const TERM = `(select o.timeline || ' ' || o.nonce from office o where o.timeline = ${TIMELINE})`;

/** Names the timeline, unless it has been named. */
export const NAME_TIMELINE = `insert into office (timeline, nonce) values (${TIMELINE}, gen_random_uuid()::text)
  on conflict (timeline) do nothing`;

/** Changes nothing, and is a write. */
export const TRY_TO_WRITE = `update office set nonce = nonce where timeline = ${TIMELINE}`;

export const READ_HEAD = `select last_sequence, last_hash, ${TERM} as term from batch order by last_sequence desc limit 1`;

export const READ_START = "select last_sequence, last_hash from batch where previous_sequence is null";

/** Every session that follows the log holds this lock. */
export const SHARE_LOG = "select pg_advisory_lock_shared(hashtextextended($1, 0))";

/** Sessions other than this process's own that hold it. */
export const FIND_FOLLOWERS = `select pid from pg_locks where locktype = 'advisory' and granted and pid <> $2
  and database = (select oid from pg_database where datname = current_database())
  and ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0) limit 1`;

/** Moves the anchor of an empty log. */
export const MOVE_ANCHOR = `update batch set last_sequence = $1, last_hash = $2 where previous_sequence is null
  and last_sequence = 0 and not exists (select 1 from batch where previous_sequence is not null)`;

/** The last batch's last entry. */
export const READ_LAST_BATCH = `select last_sequence, last_hash, entries[cardinality(entries)] as entry,
    previous_sequence is null as is_anchor
  from batch order by last_sequence desc limit 1`;

/** Finds the row with this end. */
export const HAS_ROW = "select 1 as found from batch where last_sequence = $1 and last_hash = $2";

/**
 * Appends a batch, if the term is the given one or none is given. Answers with the term and the number of batches. Fails if the
 * batch does not fit.
 */
export const APPEND = `with present as materialized (select ${TERM} as term), inserted as (
    insert into batch (previous_sequence, previous_hash, last_sequence, last_hash, bytes, entries)
      select $3::bigint, $4::text, $5::bigint, $6::text, $7::bigint, $8::bytea[]
        where $1::text is null or $1::text = (select term from present)
      returning 1)
  select (select term from present) as term, (select count(*) from inserted) as inserted, pg_notify($2::text, '')`;

/**
 * Entries behind a number, one a row, of at most so many batches and about so many bytes, with the term. The anchor has a row
 * without an entry if entries behind that number are trimmed.
 */
export const READ_ENTRIES = `select b.previous_sequence + e.number as sequence, e.entry, b.last_sequence, b.last_hash,
    ${TERM} as term
  from (
    select *, sum(bytes) over (order by last_sequence) - bytes as bytes_before
    from (select * from batch where last_sequence > $1 order by last_sequence limit $2) as next
  ) as b left join lateral unnest(b.entries) with ordinality as e (entry, number) on true
  where b.bytes_before < $3 and (e.number is null or b.previous_sequence + e.number > $1)
  order by b.last_sequence, e.number`;

/** The end of the batches that one transaction trims: at least one batch, if one ends at or before $1. */
export const FIND_TRIMMED_END = `select coalesce(
    (select max(last_sequence) from batch where last_sequence <= least($1::bigint, $2::bigint) and previous_sequence is not null),
    (select min(last_sequence) from batch where last_sequence <= $1::bigint and previous_sequence is not null)
  ) as last_sequence`;

/** The batch with this end becomes the anchor. */
export function trimScript(end: number): string {
  return `begin; set constraints all deferred; delete from batch where last_sequence < ${end};
    update batch set previous_sequence = null, previous_hash = null, bytes = 0, entries = '{}' where last_sequence = ${end};
    commit`;
}

/** The binary form of a `bytea[]`, which needs no escapes. */
export function encodeEntries(entries: readonly string[]): Buffer {
  const texts = entries.map((entry) => Buffer.from(entry));
  const header = Buffer.alloc(20);
  // One dimension, no nulls, elements of type bytea (17), so many, counted from 1.
  for (const [i, word] of [1, 0, 17, entries.length, 1].entries()) header.writeInt32BE(word, i * 4);
  const parts = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text.length);
    return [length, text];
  });
  return Buffer.concat([header, ...parts]);
}
