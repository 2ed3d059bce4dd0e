/** The stores on which one suite runs: SQLite in a file, PostgreSQL in a database of the shared server. */
import { join } from "node:path";
import { openStore, type Sql, type Store, type StoreMigrations, silentLog, systemHost } from "@callsign/node";
import { onTestFinished, type TestContext } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type StoreKind, storeIn } from "../support/postgres.ts";

/** A place for a store, which can be opened again and again. */
export class StorePlaceOfTest {
  readonly #file: string;
  readonly #kind: StoreKind;
  readonly #context: Pick<TestContext, "skip">;

  constructor(kind: StoreKind, context: Pick<TestContext, "skip">) {
    this.#file = join(temporaryFolder(), "store.sqlite");
    this.#kind = kind;
    this.#context = context;
  }

  async open(plan: StoreMigrations<Sql>, host = systemHost): Promise<Store> {
    const place = await storeIn(this.#file, this.#kind, this.#context);
    const store = await openStore({ ...place, file: this.#file }, plan, { host, log: silentLog });
    onTestFinished(() => store.close());
    return store;
  }
}

/** The plan of an earlier release. */
export function upTo(plan: StoreMigrations<Sql>, version: number): StoreMigrations<Sql> {
  return { ...plan, migrations: plan.migrations.slice(0, version) };
}
