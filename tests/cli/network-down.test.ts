// Commands that speak to a network, when there is none: each ends soon, with what to do.

import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runHere } from "./run-here.ts";

const GIVEN: Readonly<Record<string, readonly string[]>> = {
  ...{ misbehave: ["1", "lie"], "clock forward": ["1d"], "auto-renewal": ["alice", "on"] },
  ...{ "snapshot list": [] },
  ...{ tap: ["1"], send: ["1", "alice", "--yes"] },
};
const OFFLINE = ["up", "logs"];
const commands = [...NETWORK_COMMANDS].filter(([name]) => !OFFLINE.includes(name));

test.each(commands)(
  "%s ends with 4 and says how to start a network",
  async (name, { words: [least] = [0, 0] }) => {
    const data = join(temporaryFolder(), "net");
    const words = GIVEN[name] ?? ["alice"].slice(0, Math.max(least, name === "primary" ? 1 : 0));
    const { exitCode, said, complained } = await runHere([...name.split(" "), ...words, "--data", data]);
    expect(exitCode).toBe(4);
    expect(said + complained).toMatch(/no local network runs on the data folder|"running": false/);
    if (name !== "status" && name !== "down") expect(complained).toContain("Start one: callsign up");
  },
);

test("logs without a log ends with 3", async () => {
  const { exitCode, complained } = await runHere(["logs", "--data", join(temporaryFolder(), "net")]);
  expect([exitCode, complained]).toEqual([3, expect.stringMatching(/^there is no log .*net\.log/)]);
});

test("a validator that refuses connections, and one that never answers, end with 4", async () => {
  const silent = createServer();
  onTestFinished(() => void silent.close());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  silent.close();
  const { exitCode, complained } = await runHere(["resolve", "alice", "--scan", `http://127.0.0.1:${port}`]);
  expect([exitCode, complained]).toEqual([
    4,
    expect.stringMatching(
      new RegExp(`^http://127\\.0\\.0\\.1:${port} does not answer \\(.*\\)\\. Does it run\\?`),
    ),
  ]);
});

test("an API that is none of ours ends with a sentence and no stack", async () => {
  const server = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { exitCode, complained } = await runHere(["resolve", "a.b", "--scan", `http://127.0.0.1:${port}`]);
  expect([exitCode, complained]).toEqual([
    1,
    expect.stringMatching(/Is this address that of the right API\?\n$/),
  ]);
});
