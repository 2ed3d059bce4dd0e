/**
 * Syncs the write-ahead log of an open database on another thread. A commit without a sync of its own has written its pages to
 * that file, so it is on disk once the file is; and a checkpoint syncs the log before it moves the pages on. Commits that arrive
 * while a sync runs share the next one.
 */
import { close, fdatasync, open } from "node:fs";
import { promisify } from "node:util";

const [openFile, syncFile, closeFile] = [promisify(open), promisify(fdatasync), promisify(close)];

export class WalSync {
  readonly #path: string;
  /** The file's descriptor. */
  #file: Promise<number> | null = null;
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

  /** Call behind the last sync. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#running;
    const file = await this.#file?.catch(() => undefined);
    this.#file = null;
    if (file !== undefined) await closeFile(file);
  }

  async #after(earlier: Promise<void>): Promise<void> {
    await earlier;
    const running = this.#open().then((file) => {
      this.#next = null;
      return syncFile(file);
    });
    this.#running = running.catch(() => undefined);
    await running;
  }

  /** There is no file before the first commit. Windows syncs only files that are open for writing. */
  #open(): Promise<number> {
    this.#file ??= openFile(this.#path, "r+").catch((error: unknown) => {
      this.#file = null;
      this.#next = null;
      throw error;
    });
    return this.#file;
  }
}
