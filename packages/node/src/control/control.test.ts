// Commands reach the running process of a data folder, and no other user does.

import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { startControlServer } from "./control-server.ts";
import { callProcess, controlSocketIn, isRunning } from "./control-socket.ts";

const status = {
  role: "participant",
  version: "1.2.3",
  ready: true,
  missing: null,
  addresses: {},
  position: null,
};
const keys = { showKeys: () => ({ members: [] }), rotateKeys: () => ({ members: [] }) };
const network = { network: "", protocolVersion: 3, programVersions: [3], now: "" };
const activated = { version: 3, before: null, sequence: null, signedBy: [], without: [] };
const networks = { getNetwork: () => network, activateVersion: () => activated };
const handlers = { getStatus: () => status, copyStore: () => undefined, ...keys, ...networks };
const parts = { host: systemHost, log: silentLog };

async function start(folder: string) {
  const server = await startControlServer(folder, handlers, parts);
  if (server === null) throw new Error("the folder takes no socket");
  onTestFinished(server.close);
  return server;
}

function ask(folder: string) {
  return callProcess(folder, (client) => client.getStatus(), systemHost);
}

test("the process of a data folder answers its user until it is closed", async () => {
  const folder = join(temporaryFolder(), "data");
  await expect(ask(folder)).rejects.toThrow(`no process runs on the data folder ${folder}`);
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const server = await start(folder);
  expect(await ask(folder)).toEqual(status);
  const modes = [folder, join(folder, "control.sock")].map((path) =>
    (statSync(path).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(["700", "600"]);
  await server.close();
  expect([existsSync(join(folder, "control.sock")), await isRunning(folder, systemHost)]).toEqual([
    false,
    false,
  ]);
});

test("a second process on a data folder is refused, and the first goes on", async () => {
  const folder = temporaryFolder();
  await start(folder);
  await expect(start(folder)).rejects.toThrow(`a process runs on the data folder ${folder} already`);
  expect(await ask(folder)).toEqual(status);
});

test("the socket of a killed process, and the half of one, are replaced", async () => {
  const folder = temporaryFolder();
  // A process that is killed leaves its socket; a closed one unlinks it, so it is linked a second time.
  const left = join(folder, "control.sock");
  const killed = createServer();
  await new Promise<void>((resolve) => killed.listen(`${left}.0`, resolve));
  systemHost.files.move(`${left}.0`, left);
  await new Promise((resolve) => killed.close(resolve));
  writeFileSync(`${left}.new`, "");
  expect([existsSync(left), await isRunning(folder, systemHost)]).toEqual([true, false]);
  await expect(ask(folder)).rejects.toThrow(`no process runs on the data folder ${folder}`);
  await start(folder);
  expect(await ask(folder)).toEqual(status);
});

test("a data folder whose path is too long for a socket starts without one", async () => {
  const folder = join(temporaryFolder(), "a".repeat(100));
  mkdirSync(folder);
  expect(await startControlServer(folder, handlers, parts)).toBeNull();
  await expect(ask(folder)).rejects.toThrow(/would have a path of more than 103 bytes/);
  expect(controlSocketIn("data")).toBe(join("data", "control.sock"));
});
