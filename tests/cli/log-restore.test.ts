// `callsign log restore` refuses what cannot be meant, and changes nothing then.

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runWith } from "./run-here.ts";
import type { Values } from "./setup-kit.ts";

const postgres = {
  hosts: ["127.0.0.1:1"],
  user: "u",
  password: "p",
  databaseName: "log",
  schema: "callsign",
};

async function complaintOf(words: readonly string[], change: Values = {}): Promise<string> {
  const values = {
    svs: [{ name: "sv-1" }],
    disableAuth: true,
    log: { kind: "postgres", postgres },
    callsign: { dataFolder: join(temporaryFolder(), "data"), log: { level: "ERROR" } },
    ...change,
  };
  const { exitCode, complained, said } = await runWith(["log", "restore", ...words], { files: [values] });
  expect([exitCode, said]).toEqual([1, ""]);
  return complained;
}

test("a log in a file of its own has no copies to be restored from", async () => {
  expect(await complaintOf([], { log: {} })).toBe(
    "callsign log restore: log.kind is sqlite, and such a log has no copies at other SVs: restore it from a back-up (callsign restore)\n",
  );
});

test("a folder without a copy of the log is no SV's", async () => {
  expect(await complaintOf(["--yes"])).toMatch(
    /data has no log-copy\.db: set callsign\.dataFolder to the folder of an SV/,
  );
});

test.each(["12", `0:${"a".repeat(64)}`, `12:${"A".repeat(64)}`, "12:abc"])(
  "--keep %s names no entry",
  async (word) => {
    expect(await complaintOf(["--keep", word])).toContain(
      `--keep: ${JSON.stringify(word)} is not <number>:<hash>`,
    );
  },
);

test("--keep names one entry for a place", async () => {
  const words = ["a", "b"].map((digit) => `12:${digit.repeat(64)}`).join(",");
  expect(await complaintOf(["--keep", words])).toContain("--keep names two entries with number 12");
});
