/**
 * The folder of a network's snapshots. A snapshot is a folder with a manifest and the files that a kill at one moment would
 * have left: stores are whole after any kill. It appears under its name by one rename, and goes away by one.
 */
import { dirname, join } from "node:path";
import { NetworkSnapshot, SNAPSHOT_NAME } from "@callsign/api";
import { errorCodeOf, type FoundFile, type Host, nextTurn } from "@callsign/node";
import { SqliteLog } from "@callsign/synchronizer";
import { listData, logPath, SNAPSHOTS } from "./data-folder.ts";
import { DATA_PARTS } from "./data-parts.ts";
import { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOTS, SPARE_BYTES } from "./limits.ts";
import { SnapshotRefused } from "./snapshot-refused.ts";

const MANIFEST = "snapshot.json";
const DATA = "data";
/** The layout of the folder. */
const FORMAT = 1;
/** One snapshot is saved or deleted at a time. Their names are no names of snapshots. */
const SAVING = ".saving";
const DELETING = ".deleting";

interface Manifest {
  readonly format: number;
  readonly snapshot: NetworkSnapshot;
  readonly files: readonly FoundFile[];
}

export class NetworkSnapshotFolder {
  readonly #dataFolder: string;
  readonly #folder: string;
  readonly #host: Host;

  constructor(dataFolder: string, host: Host) {
    this.#dataFolder = dataFolder;
    this.#folder = join(dataFolder, SNAPSHOTS);
    this.#host = host;
  }

  /** The oldest first. */
  list(): readonly NetworkSnapshot[] {
    const { files } = this.#host;
    const found = files.list(this.#folder).flatMap((name) => this.#findManifest(name)?.snapshot ?? []);
    return found.toSorted((a, b) => a.savedAt.localeCompare(b.savedAt) || a.name.localeCompare(b.name));
  }

  /** Throws if there is no such snapshot. */
  get(name: string): NetworkSnapshot {
    return this.#getManifest(name).snapshot;
  }

  /** Removes the remains of a process that was killed. */
  tidy(): void {
    for (const name of [SAVING, DELETING]) this.#host.files.remove(join(this.#folder, name));
  }

  /** Throws unless one more snapshot has a place here. */
  checkRoom(name: string): void {
    const { files } = this.#host;
    if (files.list(this.#folder).includes(name))
      throw new SnapshotRefused(
        `There is a snapshot ${name} already: delete it first, or choose another name.`,
        { kind: "conflict" },
      );
    const kept = this.list();
    if (kept.length >= MAX_SNAPSHOTS)
      throw new SnapshotRefused(
        `There are ${kept.length} snapshots, and ${MAX_SNAPSHOTS} are the most: delete one first.`,
        { kind: "conflict" },
      );
    const bytes = sum(this.#listFiles());
    const keptBytes = sum(kept);
    if (keptBytes + bytes > MAX_SNAPSHOT_BYTES)
      throw new SnapshotRefused(
        `The snapshots take ${inMegabytes(keptBytes)}, this one would add ${inMegabytes(bytes)}, and ` +
          `${inMegabytes(MAX_SNAPSHOT_BYTES)} are the most for all: delete one first.`,
        { kind: "conflict" },
      );
    this.checkDisk(bytes);
  }

  /** Throws unless the disk has room for so many bytes, and the network can go on. */
  checkDisk(bytes: number): void {
    const free = this.#host.files.freeBytes(this.#dataFolder);
    const missing = bytes + SPARE_BYTES - free;
    if (missing <= 0) return;
    throw new SnapshotRefused(
      `The disk of ${this.#dataFolder} has ${inMegabytes(free)} free, and ${inMegabytes(bytes + SPARE_BYTES)} are needed: ` +
        `${inMegabytes(missing)} are missing. Delete snapshots, or make room.`,
      { kind: "no-room" },
    );
  }

  /** All files are copied within this turn, in which nobody writes. The rest takes its time. */
  async save(described: Omit<NetworkSnapshot, "bytes" | "entries">): Promise<NetworkSnapshot> {
    const { files } = this.#host;
    const saving = join(this.#folder, SAVING);
    const data = join(saving, DATA);
    this.tidy();
    try {
      for (const { path } of this.#listFiles()) {
        files.makeFolder(dirname(join(data, path)));
        files.copy(join(this.#dataFolder, path), join(data, path));
      }
      const entries = await this.#fold(data);
      const kept = files.listFiles(data, files.list(data));
      await Promise.all(kept.map(({ path }) => files.sync(join(data, path))));
      const snapshot = { ...described, entries, bytes: sum(kept) };
      const manifest: Manifest = { format: FORMAT, snapshot, files: kept };
      files.write(join(saving, MANIFEST), JSON.stringify(manifest));
      files.move(saving, join(this.#folder, described.name));
      return snapshot;
    } catch (error) {
      files.remove(saving);
      throw explainFullDisk(error, this.#dataFolder);
    }
  }

  delete(name: string): void {
    const { files } = this.#host;
    this.tidy();
    files.move(join(this.#folder, name), join(this.#folder, DELETING));
    this.tidy();
  }

  /** Copies the snapshot's files into an empty folder. They are on disk when this resolves. */
  async copyTo(name: string, folder: string): Promise<void> {
    const { files, timers } = this.#host;
    const data = join(this.#folder, name, DATA);
    const { files: kept } = this.#getManifest(name);
    this.#checkWhole(name, kept);
    try {
      for (const { path } of kept) {
        files.makeFolder(dirname(join(folder, path)));
        files.copy(join(data, path), join(folder, path));
        await nextTurn(timers);
      }
      await Promise.all(kept.map(({ path }) => files.sync(join(folder, path))));
    } catch (error) {
      throw explainFullDisk(error, this.#dataFolder);
    }
  }

  #listFiles(): readonly FoundFile[] {
    const names = listData(this.#dataFolder, this.#host);
    // An index of a write-ahead log, which is made again from it.
    return this.#host.files.listFiles(this.#dataFolder, names).filter(({ path }) => !path.endsWith("-shm"));
  }

  /**
   * Opening and closing a store moves its write-ahead log into its file: restores start without that work. Resolves with the
   * number of the log's last entry.
   */
  async #fold(data: string): Promise<number> {
    const { files, timers } = this.#host;
    for (const { file } of DATA_PARTS) {
      if (files.listFiles(data, [`${file}-wal`]).length === 0) continue;
      files.openDatabase(join(data, file), { exclusive: true, synced: false }).close();
      await nextTurn(timers);
    }
    const log = new SqliteLog(logPath(data), this.#host);
    const { sequence } = await log.head();
    await log.close();
    return sequence;
  }

  /** Throws if a file is gone or has another size than it was saved with. */
  #checkWhole(name: string, kept: readonly FoundFile[]): void {
    const { files } = this.#host;
    const data = join(this.#folder, name, DATA);
    const found = new Map(files.listFiles(data, files.list(data)).map(({ path, bytes }) => [path, bytes]));
    const wrong = kept.find(({ path, bytes }) => found.get(path) !== bytes);
    if (wrong === undefined) return;
    const size = found.get(wrong.path);
    const what = size === undefined ? "is missing" : `has ${size} bytes instead of ${wrong.bytes}`;
    throw new SnapshotRefused(
      `The snapshot ${name} is damaged: ${join(data, wrong.path)} ${what}. Delete the snapshot; nothing was changed.`,
      { kind: "conflict" },
    );
  }

  #getManifest(name: string): Manifest {
    const manifest = this.#findManifest(name);
    if (manifest !== undefined) return manifest;
    const known = this.list().map((each) => each.name);
    const there = known.length === 0 ? "There are none" : `There are ${known.join(", ")}`;
    throw new SnapshotRefused(`There is no snapshot ${name}. ${there}.`, { kind: "missing" });
  }

  /** Undefined for a folder that is no snapshot, or one of a later release. */
  #findManifest(name: string): Manifest | undefined {
    if (!SNAPSHOT_NAME.test(name)) return undefined;
    const text = this.#host.files.read(join(this.#folder, name, MANIFEST));
    if (text === null) return undefined;
    try {
      const { format, snapshot, files } = JSON.parse(text) as Manifest;
      if (format !== FORMAT) return undefined;
      // The folder may have been renamed.
      return { format, files, snapshot: NetworkSnapshot.parse({ ...snapshot, name }) };
    } catch {
      return undefined;
    }
  }
}

function explainFullDisk(error: unknown, dataFolder: string): unknown {
  const code = errorCodeOf(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  const text = `The disk of ${dataFolder} is full: nothing was changed. Delete snapshots, or make room.`;
  return new SnapshotRefused(text, { kind: "no-room", cause: error });
}

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

/** Rounded up. */
function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000).toLocaleString("en-US")} MB`;
}
