/** Reads names page after page, and names that look alike, from the rows of the name index. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Time } from "@callsign/ledger";
import { SKELETON_SQL } from "../names/skeleton.ts";

export const SKELETON_INDEX = `create index if not exists name_entry_skeleton on name_entry (${SKELETON_SQL})`;

/** SQLite orders bytes behind every text. */
const BEHIND_ALL_TEXTS = new Uint8Array([0]);

/** A name with its entry's JSON. */
export interface ListedName {
  readonly name: string;
  readonly json: string;
}

/** An entry's JSON with its contract. */
export interface OwnedName {
  readonly json: string;
  readonly contractId: string;
}

export interface NameRange {
  /** The first name of the range, */
  readonly from: string;
  /** and false if it is left out itself. */
  readonly isFromIncluded: boolean;
  /** Names before this one; null has no end. */
  readonly end: string | null;
  readonly now: Time;
  readonly limit: number;
}

export function openNamePages(database: DatabaseSync) {
  const order = "order by name, expires_at desc, created desc";
  const columns = "select name, json from name_entry";
  const prepareRange = (comparison: ">=" | ">") =>
    database.prepare(`${columns} where name ${comparison} ? and name < ? and expires_at >= ? ${order}`);
  const fromName = prepareRange(">=");
  const afterName = prepareRange(">");
  const ofOwner = database.prepare(`${columns} where owner = ? and name > ? and expires_at >= ? ${order}`);
  const owned = database.prepare(
    `select json, contract_id from name_entry where owner = ? and name = ? and expires_at >= ? ${order} limit 1`,
  );
  const ofSkeleton = database.prepare(`${columns} where ${SKELETON_SQL} = ? and expires_at >= ? ${order}`);
  return {
    list: ({ from, isFromIncluded, end, now, limit }: NameRange) =>
      takeNames(isFromIncluded ? fromName : afterName, [from, end ?? BEHIND_ALL_TEXTS, now], limit),
    listOfOwner: (owner: string, { after, now, limit }: { after: string; now: Time; limit: number }) =>
      takeNames(ofOwner, [owner, after, now], limit),
    /** The owner's entry of a name, as a lookup by party would show it. */
    findOwned: ({ owner, name, now }: { owner: string; name: string; now: Time }): OwnedName | undefined => {
      const row = name.isWellFormed() ? owned.get(owner, name, now) : undefined;
      if (row === undefined) return undefined;
      return { json: row["json"] as string, contractId: row["contract_id"] as string };
    },
    listBySkeleton: (skeleton: string, { now, limit }: { now: Time; limit: number }) =>
      takeNames(ofSkeleton, [skeleton, now], limit),
  };
}

/** Of several entries with one name, the first row counts. */
function takeNames(
  statement: StatementSync,
  parameters: readonly SQLInputValue[],
  limit: number,
): readonly ListedName[] {
  const taken: ListedName[] = [];
  for (const row of statement.iterate(...parameters)) {
    const name = row["name"] as string;
    if (name === taken.at(-1)?.name) continue;
    taken.push({ name, json: row["json"] as string });
    if (taken.length === limit) break;
  }
  return taken;
}
