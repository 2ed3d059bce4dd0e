// `npm run` hands signals to a shell that may not hand them on: the role ends all the same.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";

const root = join(import.meta.dirname, "../..");
const atEnd = atEndOfFile();

test.skipIf(process.platform === "win32")(
  "a role ends when the npm that started it is told to stop",
  async () => {
    const ports = ["port", "healthPort", "metricsPort"].map((port) => `callsign.${port}=0`);
    const sets = [
      ...[...ports, "disableAuth=true", `callsign.dataFolder=${temporaryFolder(atEnd)}`],
      "callsign.log.level=ERROR",
    ];
    const npm = spawn(
      "npm",
      ["run", "-s", "callsign", "--", "participant", ...sets.flatMap((set) => ["--set", set])],
      { cwd: root, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    // All of its descendants are in its group.
    atEnd(() => {
      try {
        process.kill(-(npm.pid ?? 0), "SIGKILL");
      } catch {
        // They have ended.
      }
    });
    let [output, errors] = ["", ""];
    npm.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    npm.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    await until(() => output.includes("callsign participant listens"), "the participant listens", 60_000);
    // The pipe is closed when its last writer, the role, is gone.
    const ended = new Promise((resolve) => npm.once("close", resolve));
    npm.kill("SIGTERM");
    await ended;
    // Warnings are told at every start, once, whatever the level of the log.
    expect(errors.match(/disableAuth is true/g)).toHaveLength(1);
  },
);
