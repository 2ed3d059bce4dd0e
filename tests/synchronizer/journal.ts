/** A consumer that writes down which entries it was shown, so that twice or never can be told. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ReplicaChange, ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";

export class Journal implements ReplicaConsumer {
  readonly name = "journal";
  readonly kinds = [];
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(
      "create table if not exists journal (sequence integer not null, digest text not null) strict",
    );
    this.#insert = database.prepare("insert into journal (sequence, digest) values (?, ?)");
    this.#select = database.prepare("select sequence, digest from journal order by rowid");
  }

  absorb({ outcome }: ReplicaChange): void {
    if (outcome === null) return;
    const { head } = outcome;
    this.#insert.run(head.sequence, head.digest);
  }

  reload(): void {
    // Everything it knows is in its table.
  }

  /** The entries it was shown, in order. */
  list(): readonly { readonly sequence: number; readonly digest: string }[] {
    return this.#select
      .all()
      .map((row) => ({ sequence: Number(row["sequence"]), digest: String(row["digest"]) }));
  }
}
