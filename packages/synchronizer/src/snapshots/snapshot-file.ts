/**
 * A snapshot in a file of its own. Parts come first, and the manifest makes them whole; the proof comes once a quorum of the SVs
 * has attested the digest. A file that lacks its manifest is left over from a process that was stopped.
 */
import type { DatabaseSync } from "node:sqlite";
import type { AttestedSnapshot, SvSetChange } from "@callsign/ledger";
import { formatJson, type Host, inTransaction, migrateDatabase, parseJson } from "@callsign/node";
import type { SnapshotManifest } from "./snapshot-parts.ts";

const SCHEMA = `
  create table part (number integer primary key, body text not null) strict;
  create table manifest (one integer primary key check (one = 1), body text not null) strict;
  create table proof (one integer primary key check (one = 1), body text not null) strict;
`;

/** Everything that shows the snapshot to be the network's, for somebody who has nothing of it. */
export interface SnapshotProof {
  /** The log's first entry, which names the founding SVs. */
  readonly first: string;
  /** The changes of the SVs since. */
  readonly svSets: readonly SvSetChange[];
  readonly attested: AttestedSnapshot;
}

/** A snapshot that can be read part by part. */
export interface SnapshotSource {
  readonly manifest: SnapshotManifest;
  readonly proof: SnapshotProof;
  readonly part: (number: number) => Promise<string>;
}

export class SnapshotFile {
  readonly path: string;
  readonly #database: DatabaseSync;

  constructor(path: string, { files }: Pick<Host, "files">) {
    this.path = path;
    this.#database = files.openDatabase(path, { owner: "snapshot" });
    migrateDatabase(this.#database, { store: "snapshot", migrations: [SCHEMA] });
  }

  addPart(number: number, body: string): void {
    this.#run("insert or replace into part (number, body) values (?, ?)", number, body);
  }

  /** Undefined if the file lacks it. */
  findPart(number: number): string | undefined {
    return this.#database.prepare("select body from part where number = ?").get(number)?.["body"] as
      | string
      | undefined;
  }

  finish(manifest: SnapshotManifest): void {
    this.#run("insert or replace into manifest (one, body) values (1, ?)", formatJson(manifest));
  }

  /** The file itself has everything then: operators copy it while it is open. */
  prove(proof: SnapshotProof): void {
    this.#run("insert or replace into proof (one, body) values (1, ?)", formatJson(proof));
    this.#database.exec("pragma wal_checkpoint(truncate)");
  }

  get manifest(): SnapshotManifest | null {
    return this.#read("manifest") as SnapshotManifest | null;
  }

  get proof(): SnapshotProof | null {
    return this.#read("proof") as SnapshotProof | null;
  }

  /** Null unless it is whole and proven. */
  get source(): SnapshotSource | null {
    const { manifest, proof } = this;
    if (manifest === null || proof === null) return null;
    return {
      manifest,
      proof,
      part: async (number) => {
        const part = this.findPart(number);
        if (part === undefined) throw new Error(`${this.path} has no part ${number}`);
        return part;
      },
    };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #run(sql: string, ...values: readonly (string | number)[]): void {
    inTransaction(this.#database, () => this.#database.prepare(sql).run(...values));
  }

  #read(table: "manifest" | "proof"): unknown {
    const row = this.#database.prepare(`select body from ${table}`).get();
    return row === undefined ? null : parseJson(row["body"] as string);
  }
}
