import { expect, test } from "vitest";
import { isSnapshotName } from "./snapshot-name.ts";

test.each(["a", "0", "before-renewal_2", "a".repeat(60)])("%s names a snapshot", (name) => {
  expect(isSnapshotName(name)).toBe(true);
});

test.each(["", "-a", "_a", "A", "a b", "a/b", "..", "ä", "a".repeat(61)])("%j names none", (name) => {
  expect(isSnapshotName(name)).toBe(false);
});
