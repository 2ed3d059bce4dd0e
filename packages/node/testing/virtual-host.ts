/** A host whose time passes only when a test says so. Equal calls give equal randomness. */
import { Readable } from "node:stream";
import { openDatabase } from "../src/database/open-database.ts";
import type { Clock, Files, Host, Http, Randomness, Timer, Timers } from "../src/host/host.ts";
import { systemHost } from "../src/system-host.ts";

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600_000;

interface Planned extends Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class VirtualHost implements Host {
  readonly clock: Clock = {
    wallMilliseconds: () => START + this.#now,
    elapsedMilliseconds: () => this.#now,
  };
  readonly timers: Timers = {
    set: (callback, milliseconds) => {
      const planned = { at: this.#now + Math.max(milliseconds, 0), callback, unref: () => undefined };
      this.#planned.add(planned);
      return planned;
    },
    clear: (timer) => void this.#planned.delete(timer as Planned),
    soon: (callback) => void this.timers.set(callback, 0),
  };
  readonly randomness: Randomness = {
    bytes: (length) => Uint8Array.from({ length }, () => this.#random() % 256),
    uuid: () => `00000000-0000-4000-8000-${String(this.#random()).padStart(12, "0")}`,
    fraction: () => this.#random() / 2 ** 32,
  };
  /** Files stay in memory; a database is empty whenever it is opened. */
  readonly files: Files = {
    read: (path) => this.#files.get(path) ?? null,
    write: (path, text) => void this.#files.set(path, text),
    openRead: (path) => Readable.from([this.#files.get(path) ?? ""]),
    size: (path) => this.#files.get(path)?.length ?? null,
    openWrite: () => {
      throw new Error("a virtual host has no files of that size");
    },
    makeFolder: () => undefined,
    makePrivate: () => undefined,
    list: (folder) => {
      const inside = [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(inside.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))];
    },
    remove: (path) => void this.#files.delete(path),
    move: (from, to) => {
      const text = this.#files.get(from);
      if (text !== undefined) this.#files.set(to, text);
      this.#files.delete(from);
    },
    moveAll: (moves) => {
      for (const { from, to } of moves) this.files.move(from, to);
    },
    copy: (from, to) => void this.#files.set(to, this.#files.get(from) ?? ""),
    sync: async () => undefined,
    listFiles: (folder, names) =>
      [...this.#files]
        .map(([path, text]) => ({ path: path.slice(folder.length + 1), bytes: Buffer.byteLength(text) }))
        .filter(({ path }) => names.some((name) => path === name || path.startsWith(`${name}/`))),
    freeBytes: () => Number.POSITIVE_INFINITY,
    openDatabase: (_path, options) => openDatabase(":memory:", options),
  };
  readonly http: Http = systemHost.http;
  readonly #files = new Map<string, string>();
  readonly #planned = new Set<Planned>();
  #now = 0;
  #seed = 1;

  /** The number of timers that are set. */
  get waiting(): number {
    return this.#planned.size;
  }

  /** Lets that much time pass. Timers fire in their order, each followed by the promises that it resolves. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      this.#planned.delete(next);
      next.callback();
      await settle();
    }
    this.#now = end;
  }

  #next(end: number): Planned | undefined {
    let first: Planned | undefined;
    for (const planned of this.#planned) {
      if (planned.at <= end && (first === undefined || planned.at < first.at)) first = planned;
    }
    return first;
  }

  /** A linear congruential generator. */
  #random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed;
  }
}

/** Waits until the promises that can settle have settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
