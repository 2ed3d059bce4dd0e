import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { WalSync } from "./wal-sync.ts";

test("syncs one after the other, and calls during a sync share the next", async () => {
  const path = join(temporaryFolder(), "pot.db");
  writeFileSync(`${path}-wal`, "frames");
  const wal = new WalSync(path);
  onTestFinished(() => wal.close());
  const first = wal.sync();
  expect(wal.sync()).toBe(first);
  await first;
  appendFileSync(`${path}-wal`, "more frames");
  const second = wal.sync();
  expect(second).not.toBe(first);
  await second;
});

test("fails while there is no file, and works once there is one", async () => {
  const path = join(temporaryFolder(), "pot.db");
  const wal = new WalSync(path);
  onTestFinished(() => wal.close());
  await expect(wal.sync()).rejects.toThrow("ENOENT");
  writeFileSync(`${path}-wal`, "frames");
  await wal.sync();
});

test("a file that is gone when it closes does no harm", async () => {
  const path = join(temporaryFolder(), "pot.db");
  writeFileSync(`${path}-wal`, "frames");
  const wal = new WalSync(path);
  await wal.sync();
  rmSync(`${path}-wal`);
  await wal.close();
});
