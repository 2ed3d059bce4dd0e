/** The snapshots in a folder: one file each, by the entry whose state it holds. */
import { join } from "node:path";
import { type Host, isDamage, type Log, removeDatabase } from "@callsign/node";
import { SnapshotFile } from "./snapshot-file.ts";

const NAME = /^snapshot-([1-9]\d*)\.db$/;

export class SnapshotFolder {
  readonly folder: string;
  readonly #host: Pick<Host, "files">;
  readonly #log: Log;

  constructor(folder: string, { files, log }: Pick<Host, "files"> & { readonly log: Log }) {
    this.folder = folder;
    this.#host = { files };
    this.#log = log;
  }

  /** The copy of a replica's database that a snapshot is made from. */
  get copyPath(): string {
    return join(this.folder, "snapshot-copy.db");
  }

  create(sequence: number): SnapshotFile {
    this.remove(sequence);
    return new SnapshotFile(this.#pathOf(sequence), this.#host);
  }

  /** Opens a file without removing what it has. */
  open(sequence: number): SnapshotFile {
    return new SnapshotFile(this.#pathOf(sequence), this.#host);
  }

  /** The whole snapshots, the latest first. Files that are not whole or cannot be read are removed. */
  openAll(): readonly SnapshotFile[] {
    const files: SnapshotFile[] = [];
    for (const sequence of this.#list()) {
      const file = this.#tryOpen(sequence);
      if (file === null) this.remove(sequence);
      else files.push(file);
    }
    return files;
  }

  remove(sequence: number): void {
    removeDatabase(this.#pathOf(sequence), this.#host);
  }

  removeCopy(): void {
    removeDatabase(this.copyPath, this.#host);
  }

  #tryOpen(sequence: number): SnapshotFile | null {
    try {
      const file = this.open(sequence);
      if (file.manifest !== null) return file;
      file.close();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof SyntaxError)) throw error;
      this.#log.warn({ error, file: this.#pathOf(sequence) }, "a damaged snapshot was removed");
    }
    return null;
  }

  #list(): readonly number[] {
    const names = this.#host.files.list(this.folder);
    return names.flatMap((name) => Number(NAME.exec(name)?.[1] ?? []) || []).sort((a, b) => b - a);
  }

  #pathOf(sequence: number): string {
    return join(this.folder, `snapshot-${sequence}.db`);
  }
}
