import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createLog } from "./log.ts";
import { logTo } from "./log-file.ts";

/** A disk with room for so many bytes. */
function disk(room: number) {
  const written: Buffer[] = [];
  let left = room;
  return {
    text: () => Buffer.concat(written).toString(),
    grow: (bytes: number) => {
      left += bytes;
    },
    write: (_: number, bytes: Uint8Array): number => {
      if (left === 0) throw new Error("ENOSPC: no space left on device");
      const part = Buffer.from(bytes.subarray(0, left));
      written.push(part);
      left -= part.length;
      return part.length;
    },
  };
}

test("lines of a log file are there when the call returns", () => {
  const file = join(temporaryFolder(), "folder", "node.log");
  createLog({ level: "info", file }).info({ n: 1 }, "first");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ n: 1, msg: "first" });
});

test("lines that find no room are left out and counted, and later lines are whole", () => {
  const small = disk(12);
  const { write } = logTo(0, small.write);
  for (const line of ["first\n", "second, long\n", "third\n", "fourth\n"]) write(line);
  expect(small.text()).toBe("first\nsecond");
  small.grow(1000);
  write("fifth\n");
  write("sixth\n");
  const lost = '{"level":40,"lost":3,"msg":"log lines could not be written"}\n';
  expect(small.text()).toBe(`first\nsecond\n${lost}fifth\nsixth\n`);
});

test("a log on a device without room stops nobody", () => {
  const log = createLog({ level: "info", file: "/dev/full" });
  for (let i = 0; i < 100; i++) log.info({ i }, "lost");
});
