/** A file system of its own that can be filled and emptied. */
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

const MOST_TRIES = 100;

export class SmallDisk {
  readonly folder: string;
  readonly #size: string;

  private constructor(folder: string, size: string) {
    this.folder = folder;
    this.#size = size;
  }

  /** Skips the test where no file system can be mounted: that takes root outside of a container. */
  static mount(megabytes: number, { skip }: Pick<TestContext, "skip">): SmallDisk {
    const disk = SmallDisk.tryMount(megabytes, onTestFinished);
    return disk ?? skip("no file system can be mounted here: that takes root and its capabilities");
  }

  /** Null where no file system can be mounted. */
  static tryMount(megabytes: number, atEnd: AtEnd): SmallDisk | null {
    const folder = temporaryFolder(atEnd);
    const size = `${megabytes}m`;
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
    if (mounted.status !== 0) return null;
    atEnd(() => void spawnSync("umount", ["--lazy", folder]));
    return new SmallDisk(folder, size);
  }

  /** Leaves no byte, by taking away the room that is not used. */
  fill(): void {
    // A size of nothing would mean no limit.
    writeFileSync(this.#filler, "x");
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      // Refused if more has been written since.
      if (this.#resize(`${(blocks - bfree) * bsize}`)) return;
    }
    throw new Error(`${this.folder} is written to all the time: it could not be filled`);
  }

  /** Makes the disk read-only. */
  lock(): void {
    spawnSync("mount", ["-o", "remount,ro", this.folder]);
  }

  empty(): void {
    rmSync(this.#filler);
    this.#resize(this.#size);
  }

  get #filler(): string {
    return join(this.folder, "filler");
  }

  #resize(size: string): boolean {
    return spawnSync("mount", ["-o", `remount,size=${size}`, this.folder]).status === 0;
  }
}
