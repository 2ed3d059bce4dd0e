/** The rights of users, as rows. */
import { listsForIn, placesFrom, type Sql, type SqlRow } from "@callsign/node";
import { MAX_RIGHTS_PER_USER } from "../limits/limits.ts";

export const rightKinds = [
  "CanActAs",
  "CanReadAs",
  "CanExecuteAs",
  "CanReadAsAnyParty",
  "CanExecuteAsAnyParty",
  "ParticipantAdmin",
  "IdentityProviderAdmin",
] as const;
export type RightKind = (typeof rightKinds)[number];

export interface UserRight {
  readonly kind: RightKind;
  /** Empty for a right without a party. */
  readonly party: string;
}

export class TooManyRights extends Error {
  override readonly name = "TooManyRights";
}

export async function listRights(
  sql: Sql,
  userId: string,
  limit: number = MAX_RIGHTS_PER_USER,
): Promise<readonly UserRight[]> {
  const rows = await sql.all(
    "select kind, party from user_right where user_id = $1 order by kind, party limit $2",
    userId,
    BigInt(limit),
  );
  return rows.map(readRight);
}

export function readRight({ kind, party }: SqlRow): UserRight {
  return { kind: kind as RightKind, party: party as string };
}

/** Those of the user's rights that have one of these kinds and one of these parties. */
export async function listRightsFor(
  sql: Sql,
  userId: string,
  { kinds, parties }: { readonly kinds: readonly RightKind[]; readonly parties: readonly string[] },
): Promise<readonly UserRight[]> {
  const found: UserRight[] = [];
  for (const some of listsForIn(parties)) {
    const rows = await sql.all(
      `select kind, party from user_right where user_id = $1 and kind in (${placesFrom(2, kinds)})
        and party in (${placesFrom(2 + kinds.length, some)})`,
      ...[userId, ...kinds, ...some],
    );
    found.push(...rows.map(readRight));
  }
  return found;
}

export async function countRights(sql: Sql, userId: string): Promise<number> {
  const row = await sql.get("select count(*) as rights from user_right where user_id = $1", userId);
  return Number(row?.["rights"] ?? 0);
}

/** Returns the rights that the user did not have. `rights`: each once. */
export async function grantRights(
  sql: Sql,
  userId: string,
  rights: readonly UserRight[],
): Promise<readonly UserRight[]> {
  const granted: UserRight[] = [];
  if (rights.length > MAX_RIGHTS_PER_USER) throw new TooManyRights(userId);
  for (const right of rights) {
    const count = await sql.run(
      "insert into user_right (user_id, kind, party) values ($1, $2, $3) on conflict (user_id, kind, party) do nothing",
      userId,
      right.kind,
      right.party,
    );
    if (count > 0) granted.push(right);
  }
  if ((await countRights(sql, userId)) > MAX_RIGHTS_PER_USER) throw new TooManyRights(userId);
  return granted;
}

/** Returns the rights that the user had. Its cost is bounded by the rights that a user can have. */
export async function revokeRights(
  sql: Sql,
  userId: string,
  rights: readonly UserRight[],
): Promise<readonly UserRight[]> {
  const named = new Set(rights.map(({ kind, party }) => `${kind} ${party}`));
  const revoked = (await listRights(sql, userId)).filter(({ kind, party }) => named.has(`${kind} ${party}`));
  for (const { kind, party } of revoked) {
    await sql.run(
      "delete from user_right where user_id = $1 and kind = $2 and party = $3",
      userId,
      kind,
      party,
    );
  }
  return revoked;
}
