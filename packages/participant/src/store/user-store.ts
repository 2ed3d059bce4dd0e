/** Users of the participant and their rights. */
import type { Clock, Sql, SqlRow, SqlValue, Store } from "@callsign/node";
import { FEW_RIGHTS, MAX_RIGHTS_PER_USER } from "../limits/limits.ts";
import type { Annotations } from "../resources/annotations.ts";
import { type AnnotatedPage, readAnnotatedPage } from "./annotated-page.ts";
import { type CallingUser, CallingUsers } from "./calling-users.ts";
import { holdRights } from "./held-rights.ts";
import {
  countRights,
  grantRights,
  listRights,
  listRightsFor,
  readRight,
  revokeRights,
  type UserRight,
} from "./right-rows.ts";

export interface StoredUser {
  readonly id: string;
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly identityProviderId: string;
  readonly primaryPartyAuthentication: boolean;
  readonly resourceVersion: bigint;
  readonly annotations: Annotations;
}

/** Returns the user to change, or throws because there is none or it may not be changed. */
export type NeedUser = (user: StoredUser | undefined) => StoredUser;

export class UserStore {
  readonly #store: Store;
  readonly #callers: CallingUsers;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#callers = new CallingUsers(clock);
  }

  /** A transaction that may change users and their rights. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#callers.change(() => this.#store.transaction(work));
  }

  async find(id: string, sql: Sql = this.#store): Promise<StoredUser | undefined> {
    const row = await sql.get("select * from participant_user where user_id = $1", id);
    return row === undefined ? undefined : readUser(row);
  }

  /** Users of an identity provider after the given id, ordered by the bytes of their ids. */
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

  listRights(id: string): Promise<readonly UserRight[]> {
    return listRights(this.#store, id);
  }

  /** The user with its rights, as a call asks about them. */
  findCaller(id: string): Promise<CallingUser | undefined> {
    return this.#callers.find(id, () => this.#readCaller(id));
  }

  async #readCaller(id: string): Promise<CallingUser | undefined> {
    const rows = await this.#store.all(
      `select identity_provider_id, is_deactivated, kind, party from participant_user
        left join user_right on user_right.user_id = participant_user.user_id
        where participant_user.user_id = $1 order by kind, party limit $2`,
      id,
      BigInt(FEW_RIGHTS + 1),
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    // A user without a right has a row without one.
    const rights = rows.filter(({ kind }) => kind !== null).map(readRight);
    return {
      id,
      identityProviderId: row["identity_provider_id"] as string,
      isDeactivated: row["is_deactivated"] !== 0n,
      rights: await holdRights(this.#store, id, rights),
    };
  }

  /** Returns false if the id is taken. */
  create(user: StoredUser, rights: readonly UserRight[]): Promise<boolean> {
    return this.transaction(async (sql) => {
      if ((await this.find(user.id, sql)) !== undefined) return false;
      await sql.run(
        `insert into participant_user (user_id, primary_party, is_deactivated, identity_provider_id,
          primary_party_authentication, resource_version, annotations) values ($1, $2, $3, $4, $5, $6, $7)`,
        ...parametersOf(user),
      );
      await grantRights(sql, user.id, rights);
      return true;
    });
  }

  /** Writes the user that `change` returns. Concurrent updates run one after the other. */
  update(id: string, change: NeedUser): Promise<StoredUser> {
    return this.transaction(async (sql) => {
      const changed = change(await this.find(id, sql));
      await sql.run(
        `update participant_user set primary_party = $2, is_deactivated = $3, identity_provider_id = $4,
          primary_party_authentication = $5, resource_version = $6, annotations = $7 where user_id = $1`,
        ...parametersOf(changed),
      );
      return changed;
    });
  }

  /** Deletes the user with all rights. */
  delete(id: string, need: NeedUser): Promise<void> {
    return this.transaction(async (sql) => {
      need(await this.find(id, sql));
      await sql.run("delete from user_right where user_id = $1", id);
      await sql.run("delete from participant_user where user_id = $1", id);
    });
  }

  /** Returns the rights that the user did not have; undefined if there is no such user. */
  grant(
    id: string,
    rights: readonly UserRight[],
    need?: NeedUser,
  ): Promise<readonly UserRight[] | undefined> {
    return this.transaction(async (sql) => {
      need?.(await this.find(id, sql));
      return this.grantIn(sql, id, rights);
    });
  }

  /** `grant` as part of a `transaction`. */
  async grantIn(
    sql: Sql,
    id: string,
    rights: readonly UserRight[],
  ): Promise<readonly UserRight[] | undefined> {
    return (await this.find(id, sql)) === undefined ? undefined : grantRights(sql, id, rights);
  }

  /** True if the user has the right, or has fewer rights than the limit. */
  async hasRoomFor(id: string, { kind, party }: UserRight): Promise<boolean> {
    const found = await listRightsFor(this.#store, id, { kinds: [kind], parties: [party] });
    return found.length > 0 || (await countRights(this.#store, id)) < MAX_RIGHTS_PER_USER;
  }

  /** Returns the rights that the user had. */
  revoke(id: string, rights: readonly UserRight[], need: NeedUser): Promise<readonly UserRight[]> {
    return this.transaction(async (sql) => {
      need(await this.find(id, sql));
      return revokeRights(sql, id, rights);
    });
  }
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
