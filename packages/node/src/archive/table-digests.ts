/** Counts and hashes rows by table, as they are written or read. */
import { createHash, type Hash } from "node:crypto";
import type { TableDigest } from "./archive-format.ts";

export class TableDigests {
  readonly #tables = new Map<string, { rows: number; readonly hash: Hash }>();
  #current: { rows: number; readonly hash: Hash } | null = null;

  begin(table: string): void {
    this.#current = { rows: 0, hash: createHash("sha256") };
    this.#tables.set(table, this.#current);
  }

  /** A row of the table that was begun last; with the end of its line. */
  add(line: string): void {
    if (this.#current === null) throw new Error("a row stands before its table");
    this.#current.rows++;
    this.#current.hash.update(line);
  }

  /** Call once, at the end. */
  finish(): Readonly<Record<string, TableDigest>> {
    const entries = [...this.#tables].map(
      ([table, { rows, hash }]) => [table, { rows, sha256: hash.digest("hex") }] as const,
    );
    return Object.fromEntries(entries);
  }
}
