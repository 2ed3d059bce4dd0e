// Commands that speak to a network, when there is none: each ends soon, with what to do.

import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { systemHost, type Timers, writeProcessRecord } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { freePort } from "../support/free-port.ts";
import { runHere } from "./run-here.ts";
import { validWordsFor } from "./valid-words.ts";

const OFFLINE = ["up", "logs"];
const commands = [...NETWORK_COMMANDS].filter(([name]) => !OFFLINE.includes(name));

/** Resolves with the port. */
async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

test.each(commands.map(([name]) => name))("%s ends with 4 and says how to start a network", async (name) => {
  const data = join(temporaryFolder(), "net");
  const { exitCode, said, complained } = await runHere([...validWordsFor(name), "--data", data]);
  expect(exitCode).toBe(4);
  expect(said + complained).toMatch(/no local network runs on the data folder|"running": false/);
  if (name !== "status" && name !== "down") expect(complained).toContain("Start one: callsign up");
});

test("logs without a log ends with 3", async () => {
  const { exitCode, complained } = await runHere(["logs", "--data", join(temporaryFolder(), "net")]);
  expect([exitCode, complained]).toEqual([3, expect.stringMatching(/^there is no log .*net\.log/)]);
});

describe("a network that does not answer", () => {
  /** `watch` retries on each scan: see watch.long.test.ts. The others ask nobody, or only send a signal. */
  const exempt = ["watch", "credentials", "down"];
  const asking = commands.filter(([name]) => !exempt.includes(name));

  /** Waits are so many times shorter. */
  function runEach(names: readonly string[], environment: Readonly<Record<string, string>>, haste: number) {
    const { timers } = systemHost;
    const set: Timers["set"] = (callback, milliseconds) => timers.set(callback, milliseconds / haste);
    const host = { ...systemHost, timers: { ...timers, set } };
    return Promise.all(
      names.map(async (name) => ({ name, ...(await runHere(validWordsFor(name), environment, {}, host)) })),
    );
  }

  async function expectEach(port: number, reason: string, haste: number): Promise<void> {
    const url = `http://127.0.0.1:${port}`;
    const complained = `${url} does not answer (${reason}). Does it run? See: callsign status\n`;
    const outcomesOf = (names: readonly string[]) =>
      names.map((name) => ({ name, exitCode: 4, said: "", complained }));
    const ofValidator = asking.filter(([, { options }]) => "validator" in options).map(([name]) => name);
    const target = { CALLSIGN_VALIDATOR: url, CALLSIGN_TOKEN_FILE: writeToken() };
    expect(await runEach(ofValidator, target, haste)).toEqual(outcomesOf(ofValidator));
    const all = asking.map(([name]) => name);
    expect(await runEach(all, { CALLSIGN_DATA: writeRecord(url) }, haste)).toEqual(outcomesOf(all));
  }

  function writeToken(): string {
    const tokenFile = join(temporaryFolder(), "token");
    writeFileSync(tokenFile, "a.b.c");
    return tokenFile;
  }

  /** The record of a local network in this process, all of whose servers are at the address. */
  function writeRecord(url: string): string {
    const dataFolder = join(temporaryFolder(), "net");
    const urls = { validatorUrl: url, ledgerUrl: url, gatewayUrl: url };
    const record = {
      nodes: ["app-user", "app-provider"].map((name) => ({ name, user: name, token: "a.b.c", ...urls })),
      svs: [{ scanUrl: url, sequencerUrl: url, appUrl: url }],
      ...{ developmentUrl: url, metricsUrl: url, serviceToken: "a.b.c" },
    };
    writeProcessRecord(`${dataFolder}.json`, record, systemHost);
    return dataFolder;
  }

  test("each command ends with 4 if connections are refused", async () => {
    const port = await freePort();
    await expectEach(port, `connect ECONNREFUSED 127.0.0.1:${port}`, 1);
  });

  test("each command ends with 4 if no answer comes", async () => {
    await expectEach(await listen(createServer()), "no answer in time", 1000);
  });
});

test("an API that is none of ours ends with a sentence and no stack", async () => {
  const port = await listen(
    createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")),
  );
  const { exitCode, complained } = await runHere(["resolve", "a.b", "--scan", `http://127.0.0.1:${port}`]);
  expect([exitCode, complained]).toEqual([
    1,
    expect.stringMatching(/Is this address that of the right API\?\n$/),
  ]);
});
