/** A file system of its own that can be filled and emptied. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Skips the test where no file system can be mounted: that takes root outside of a container. */
  static mount(megabytes: number, { skip }: Pick<TestContext, "skip">): SmallDisk {
    const folder = temporaryFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
    if (mounted.status !== 0)
      skip("no file system can be mounted here: that takes root and its capabilities");
    onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
    return new SmallDisk(folder);
  }

  /** Leaves no byte. */
  fill(): void {
    const file = openSync(this.#filler, "w");
    for (let bytes = 1 << 20; bytes > 0; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
    closeSync(file);
  }

  /** Makes the disk read-only. */
  lock(): void {
    spawnSync("mount", ["-o", "remount,ro", this.folder]);
  }

  empty(): void {
    rmSync(this.#filler);
  }

  get #filler(): string {
    return join(this.folder, "filler");
  }
}
