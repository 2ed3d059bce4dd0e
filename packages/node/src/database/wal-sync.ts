/**
 * Syncs the write-ahead log of an open database on another thread. A commit without a sync of its own has written its pages to
 * that file, so it is on disk once the file is; and a checkpoint syncs the log before it moves the pages on. Commits that arrive
 * while a sync runs share the next one.
 */
import { type FileHandle, open } from "node:fs/promises";

export class WalSync {
  readonly #path: string;
  #file: Promise<FileHandle> | null = null;
  #running: Promise<void> = Promise.resolve();
  /** The sync that has not begun. */
  #next: Promise<void> | null = null;

  /** The path is that of the database. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** Resolves once all commits of before the call are on disk. */
  sync(): Promise<void> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#running;
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
  }

  async #after(earlier: Promise<void>): Promise<void> {
    await earlier;
    const running = this.#open().then((file) => {
      this.#next = null;
      return file.datasync();
    });
    this.#running = running.catch(() => undefined);
    await running;
  }

  /** There is no file before the first commit. Windows syncs only files that are open for writing. */
  #open(): Promise<FileHandle> {
    this.#file ??= open(this.#path, "r+").catch((error: unknown) => {
      this.#file = null;
      this.#next = null;
      throw error;
    });
    return this.#file;
  }
}
