import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { describeWrongNode, NODE_RANGE, OLDEST_NODE } from "./node-version.js";

test.each(["24.20.0", "24.21.0", "26.6.0", "26.10.1", "27.0.0", "100.0.0", "26.6.0-nightly"])(
  "Node %s is accepted",
  (version) => {
    expect(describeWrongNode(version)).toBe(null);
  },
);

test.each(["0.12.18", "8.17.0", "20.20.2", "22.18.0", "23.11.1", "24.0.0", "24.19.0", "25.9.0", "26.5.0"])(
  "Node %s is not: what is needed, what was found, how to get it",
  (version) => {
    expect(describeWrongNode(version)).toBe(
      `callsign needs Node 24 from 24.20 on, or 26.6 or newer, and this is Node ${version}. ` +
        "Install one from https://nodejs.org, or with a version manager such as nvm: nvm install 24",
    );
  },
);

test("the oldest is the first of the range that npm gets", () => {
  expect(NODE_RANGE.split(" || ")).toContain(`^${OLDEST_NODE}`);
});

test("a Node that is accepted gives whole texts, or an error", () => {
  const database = new DatabaseSync(":memory:");
  const row = database.prepare("select ?1 as one, ?1 as two").get("a\u0000b");
  expect({ ...row }).toEqual({ one: "a\u0000b", two: "a\u0000b" });
  const compressed = zstdCompressSync("a".repeat(100));
  expect(() => zstdDecompressSync(compressed.subarray(0, -1))).toThrow();
});
