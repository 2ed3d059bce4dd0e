/** Users of the participant and their rights. */
import type { Sql, SqlRow, SqlValue, Store } from "@callsign/node";
import { MAX_RIGHTS_PER_USER } from "../limits/limits.ts";
import type { Annotations } from "../resources/annotations.ts";
import { type AnnotatedPage, readAnnotatedPage } from "./annotated-page.ts";

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
  /** Empty where the right is for no party in particular. */
  readonly party: string;
}

export interface StoredUser {
  readonly id: string;
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly identityProviderId: string;
  readonly primaryPartyAuthentication: boolean;
  readonly resourceVersion: bigint;
  readonly annotations: Annotations;
}

/** The user that a change is for, or what is thrown instead: because there is none, or because it may not be changed. */
export type NeedUser = (user: StoredUser | undefined) => StoredUser;

export class TooManyRights extends Error {
  override readonly name = "TooManyRights";
}

export class UserStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(id: string, sql: Sql = this.#store): Promise<StoredUser | undefined> {
    const row = await sql.get("select * from participant_user where user_id = $1", id);
    return row === undefined ? undefined : readUser(row);
  }

  /** Users of an identity provider behind one, ordered by the bytes of their ids. */
  async list(page: {
    readonly identityProviderId: string;
    readonly after: string;
    readonly limit: number;
  }): Promise<AnnotatedPage<StoredUser>> {
    const read = (after: string, limit: number) =>
      this.#store.all(
        `select * from participant_user where identity_provider_id = $1 and user_id > $2
          order by user_id limit $3`,
        page.identityProviderId,
        after,
        BigInt(limit),
      );
    const { items, mayGoOn } = await readAnnotatedPage(read, { ...page, key: "user_id" });
    return { items: items.map(readUser), mayGoOn };
  }

  async listRights(id: string, sql: Sql = this.#store): Promise<readonly UserRight[]> {
    const rows = await sql.all(
      "select kind, party from user_right where user_id = $1 order by kind, party",
      id,
    );
    return rows.map((row) => ({ kind: row["kind"] as RightKind, party: row["party"] as string }));
  }

  /** False if there is one of that id already. */
  create(user: StoredUser, rights: readonly UserRight[]): Promise<boolean> {
    return this.#store.transaction(async (sql) => {
      if ((await this.find(user.id, sql)) !== undefined) return false;
      await insertUser(sql, user);
      await this.#grant(sql, user.id, rights);
      return true;
    });
  }

  /** What `change` makes of the user; under the store's own order of writers. */
  update(id: string, change: NeedUser): Promise<StoredUser> {
    return this.#store.transaction(async (sql) => {
      const changed = change(await this.find(id, sql));
      await writeUser(sql, changed);
      return changed;
    });
  }

  /** With all rights. */
  delete(id: string, need: NeedUser): Promise<void> {
    return this.#store.transaction(async (sql) => {
      need(await this.find(id, sql));
      await sql.run("delete from user_right where user_id = $1", id);
      await sql.run("delete from participant_user where user_id = $1", id);
    });
  }

  /** The rights that the user did not have; undefined if there is no such user. */
  grant(
    id: string,
    rights: readonly UserRight[],
    need?: NeedUser,
  ): Promise<readonly UserRight[] | undefined> {
    return this.#store.transaction(async (sql) => {
      need?.(await this.find(id, sql));
      return this.grantIn(sql, id, rights);
    });
  }

  /** As part of a transaction. */
  async grantIn(
    sql: Sql,
    id: string,
    rights: readonly UserRight[],
  ): Promise<readonly UserRight[] | undefined> {
    if ((await this.find(id, sql)) === undefined) return undefined;
    return this.#grant(sql, id, rights);
  }

  /** Whether the user has the right, or may get it. */
  async hasRoomFor(id: string, { kind, party }: UserRight): Promise<boolean> {
    const rights = await this.listRights(id);
    const has = rights.some((right) => right.kind === kind && right.party === party);
    return has || rights.length < MAX_RIGHTS_PER_USER;
  }

  /** The rights that the user had. At most as many as a user can have are touched. */
  revoke(id: string, rights: readonly UserRight[], need: NeedUser): Promise<readonly UserRight[]> {
    return this.#store.transaction(async (sql) => {
      need(await this.find(id, sql));
      const meant = new Set(rights.map(({ kind, party }) => `${kind} ${party}`));
      const own = await this.listRights(id, sql);
      const revoked = own.filter(({ kind, party }) => meant.has(`${kind} ${party}`));
      for (const { kind, party } of revoked) {
        await sql.run(
          "delete from user_right where user_id = $1 and kind = $2 and party = $3",
          id,
          kind,
          party,
        );
      }
      return revoked;
    });
  }

  /** `rights`: each once. */
  async #grant(sql: Sql, id: string, rights: readonly UserRight[]): Promise<readonly UserRight[]> {
    const granted: UserRight[] = [];
    if (rights.length > MAX_RIGHTS_PER_USER) throw new TooManyRights(id);
    for (const right of rights) {
      const { kind, party } = right;
      const count = await sql.run(
        "insert into user_right (user_id, kind, party) values ($1, $2, $3) on conflict (user_id, kind, party) do nothing",
        id,
        kind,
        party,
      );
      if (count > 0) granted.push(right);
    }
    const row = await sql.get("select count(*) as rights from user_right where user_id = $1", id);
    if (Number(row?.["rights"]) > MAX_RIGHTS_PER_USER) throw new TooManyRights(id);
    return granted;
  }
}

async function insertUser(sql: Sql, user: StoredUser): Promise<void> {
  await sql.run(
    `insert into participant_user (user_id, primary_party, is_deactivated, identity_provider_id,
      primary_party_authentication, resource_version, annotations) values ($1, $2, $3, $4, $5, $6, $7)`,
    ...parametersOf(user),
  );
}

async function writeUser(sql: Sql, user: StoredUser): Promise<void> {
  await sql.run(
    `update participant_user set primary_party = $2, is_deactivated = $3, identity_provider_id = $4,
      primary_party_authentication = $5, resource_version = $6, annotations = $7 where user_id = $1`,
    ...parametersOf(user),
  );
}

function parametersOf(user: StoredUser): readonly SqlValue[] {
  return [
    user.id,
    user.primaryParty,
    user.isDeactivated ? 1n : 0n,
    user.identityProviderId,
    user.primaryPartyAuthentication ? 1n : 0n,
    user.resourceVersion,
    JSON.stringify(user.annotations),
  ];
}

function readUser(row: SqlRow): StoredUser {
  return {
    id: row["user_id"] as string,
    primaryParty: row["primary_party"] as string,
    isDeactivated: row["is_deactivated"] !== 0n,
    identityProviderId: row["identity_provider_id"] as string,
    primaryPartyAuthentication: row["primary_party_authentication"] !== 0n,
    resourceVersion: row["resource_version"] as bigint,
    annotations: JSON.parse(row["annotations"] as string) as Annotations,
  };
}
