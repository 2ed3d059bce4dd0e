/**
 * Snapshots of the whole network: its log, replicas, participants and validators as they were at one moment. One is saved,
 * restored or deleted at a time, and a second call meanwhile is refused. Decision 0077.
 */
import { join } from "node:path";
import { type NetworkSnapshot, SNAPSHOT_NAME, SNAPSHOT_NAME_RULE } from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import {
  beginFolder,
  commitFolder,
  finishFolder,
  type Host,
  type Log,
  nextTurn,
  RESTORING,
} from "@callsign/node";
import { listData } from "./data-folder.ts";
import { NetworkSnapshotFolder } from "./network-snapshot-folder.ts";
import { SnapshotRefused } from "./snapshot-refused.ts";

/** The folders for data that a restore has replaced. */
const REPLACED = /^replaced-[\dTZ-]+$/;

interface SnapshotParts {
  readonly dataFolder: string;
  /** The reason why this network has no snapshots; null if it has. */
  readonly unsupported: string | null;
  readonly now: () => Time;
  readonly acronym: () => string;
  /** The time that the clock is on its way to; null if it stands. */
  readonly clockGoal: () => Time | null;
  /** Closes every part that uses the data. */
  readonly stop: () => Promise<void>;
  /** Starts the parts on the data that is there now. */
  readonly start: () => Promise<void>;
  readonly host: Host;
  readonly log: Log;
}

export class NetworkSnapshots {
  readonly #parts: SnapshotParts;
  readonly #folder: NetworkSnapshotFolder;
  #underWay: string | null = null;
  #running: Promise<unknown> = Promise.resolve();
  /** The data of before a restore goes away behind the answer. */
  #removing: Promise<void> = Promise.resolve();
  #isRestoring = false;
  #isClosed = false;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#folder = new NetworkSnapshotFolder(parts.dataFolder, parts.host);
  }

  /** True while the network's parts are replaced. */
  get isRestoring(): boolean {
    return this.#isRestoring;
  }

  readonly list = (): readonly NetworkSnapshot[] => this.#folder.list();

  /** Resolves when the snapshot is on disk. The network stands still only while its files are copied. */
  readonly save = (name: string): Promise<NetworkSnapshot> =>
    this.#alone(`the snapshot ${name} is being saved`, name, async () => {
      const { now, acronym, host } = this.#parts;
      this.#folder.checkRoom(name);
      const savedAt = new Date(host.clock.wallMilliseconds()).toISOString();
      return this.#folder.save({ name, savedAt, time: formatTime(now()), acronym: acronym() });
    });

  /** Resolves when every endpoint answers again. The state before it is gone for good then. */
  readonly restore = (name: string): Promise<NetworkSnapshot> =>
    this.#alone(`the snapshot ${name} is being restored`, name, async () => {
      const snapshot = this.#folder.get(name);
      const goal = this.#parts.clockGoal();
      if (goal !== null)
        throw new SnapshotRefused(
          `The clock is on its way to ${formatTime(goal)}: wait for it, then restore the snapshot.`,
          { kind: "conflict" },
        );
      this.#folder.checkDisk(snapshot.bytes);
      const { dataFolder, host } = this.#parts;
      await this.#folder.copyTo(name, beginFolder(dataFolder, host));
      this.#isRestoring = true;
      try {
        await this.#replaceData(name);
      } finally {
        this.#isRestoring = false;
      }
      return snapshot;
    });

  readonly delete = (name: string): Promise<void> =>
    this.#alone(`the snapshot ${name} is being deleted`, name, async () => {
      this.#folder.get(name);
      this.#folder.delete(name);
    });

  /** Waits for the work under way, and refuses any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => undefined);
    await this.#removing;
  }

  async #alone<T>(what: string, name: string, work: () => Promise<T>): Promise<T> {
    const { unsupported } = this.#parts;
    if (unsupported !== null) throw new SnapshotRefused(unsupported, { kind: "unsupported" });
    if (!SNAPSHOT_NAME.test(name))
      throw new SnapshotRefused(`${JSON.stringify(name)} is no name: ${SNAPSHOT_NAME_RULE}.`, {
        kind: "wrong-name",
      });
    if (this.#isClosed) throw new SnapshotRefused("The network is being closed.", { kind: "conflict" });
    if (this.#underWay !== null)
      throw new SnapshotRefused(`Now ${this.#underWay}: try again when that is done.`, { kind: "conflict" });
    this.#underWay = what;
    const running = this.#removing.then(work);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#underWay = null;
    }
  }

  /** The prepared files take the places of the data. If the network does not start on them, they give way again. */
  async #replaceData(name: string): Promise<void> {
    const { stop, start, host, dataFolder, log } = this.#parts;
    await stop();
    const aside = await this.#swapOrStart(`snapshot ${name}`);
    try {
      await start();
    } catch (error) {
      log.error({ error, name }, "the network did not start on the snapshot: it goes back to its data");
      host.files.remove(join(dataFolder, RESTORING));
      if (aside !== null) host.files.move(aside, join(dataFolder, RESTORING));
      await this.#swapOrStart("the data before the snapshot");
      await start();
      removeReplaced(dataFolder, host);
      const reason = error instanceof Error ? error.message : "an unknown error";
      throw new SnapshotRefused(
        `The network does not start on the snapshot ${name}, and is where it was: ${reason}.`,
        { kind: "cannot-start", cause: error },
      );
    }
    this.#removing = nextTurn(host.timers).then(() => removeReplaced(dataFolder, host));
  }

  /** Returns the folder with the data before. If the disk refuses the swap, the network goes on with the data that is whole. */
  async #swapOrStart(archive: string): Promise<string | null> {
    const { start, host, dataFolder } = this.#parts;
    try {
      commitFolder(dataFolder, { archive, old: listData(dataFolder, host) }, host);
      return finishFolder(dataFolder, host)?.aside ?? null;
    } catch (error) {
      finishSnapshots(dataFolder, host);
      await start();
      throw error;
    }
  }
}

/** Finishes or undoes the work of a process that was killed. Call it before anything uses the data. */
export function finishSnapshots(dataFolder: string, host: Host): void {
  finishFolder(dataFolder, host);
  host.files.remove(join(dataFolder, RESTORING));
  new NetworkSnapshotFolder(dataFolder, host).tidy();
}

/** Removes data that restores have replaced. Call it once the network runs on the data that is in its place. */
export function removeReplaced(dataFolder: string, { files }: Host): void {
  for (const name of files.list(dataFolder).filter((each) => REPLACED.test(each)))
    files.remove(join(dataFolder, name));
}
