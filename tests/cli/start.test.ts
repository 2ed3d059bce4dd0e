// Roles that cannot start say why in a sentence; a role that waits for its database says so, and stops by signals.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { Child } from "../support/child-process.ts";
import { freePort } from "../support/free-port.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { runWith } from "./run-here.ts";
import { argumentsOf, type Given, type Values } from "./setup-kit.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");

/** A participant that would start: any free ports, SQLite. */
function participant(change: Values = {}): Values {
  return {
    auth: { jwksUrl: "http://127.0.0.1:9/keys", targetAudience: "https://ledger.acme.example" },
    callsign: {
      adminUser: "operator",
      ...{ port: 0, healthPort: 0, metricsPort: 0, dataFolder: join(temporaryFolder(), "data") },
      log: { level: "ERROR" },
      ...change,
    },
  };
}

/** Without a stack, and whole. */
const SENTENCE = /^callsign \w+ cannot start: \S(?!.*\n {4}at )/s;

async function failsToStart(values: readonly Values[], secrets?: Given["secrets"]): Promise<string> {
  const listeners = process.listenerCount("SIGTERM");
  const given = { files: [participant(), ...values], ...(secrets === undefined ? {} : { secrets }) };
  const { exitCode, complained } = await runWith(["participant"], given);
  expect([exitCode, process.listenerCount("SIGTERM")]).toEqual([1, listeners]);
  expect(complained).toMatch(SENTENCE);
  return complained;
}

test("a port in use, of the role, its probes or its metrics", async () => {
  const { port, close } = await listen((_, response) => void response.end());
  onTestFinished(close);
  for (const name of ["port", "healthPort", "metricsPort"])
    expect(await failsToStart([{ callsign: { [name]: port } }])).toContain(
      `port ${port} of 127.0.0.1 is in use by another program. Stop that one, or give another port`,
    );
});

test("an address that this machine does not have", async () => {
  expect(await failsToStart([{ callsign: { address: "nowhere.invalid" } }])).toMatch(
    /the address nowhere\.invalid cannot be found\. Set callsign\.address/,
  );
  expect(await failsToStart([{ callsign: { address: "192.0.2.1" } }])).toMatch(
    /of 192\.0\.2\.1 cannot be listened on: this machine has no such address\. Set callsign\.address/,
  );
});

test("a data folder whose place a file has, and one on a full or read-only disk", async (context) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const dataFolder = join(folder, "file", "data");
  expect(await failsToStart([{ callsign: { dataFolder } }])).toMatch(
    /ENOTDIR.*\. Set callsign\.dataFolder to/,
  );
  const disk = SmallDisk.mount(1, context);
  const values = { callsign: { dataFolder: join(disk.folder, "data") } };
  disk.fill();
  expect(await failsToStart([values])).toMatch(/full/);
  disk.empty();
  disk.lock();
  expect(await failsToStart([values])).toMatch(/cannot be written: attempt to write a readonly database/);
  const other = { callsign: { dataFolder: join(disk.folder, "other") } };
  expect(await failsToStart([other])).toMatch(/mkdir .*\. Set callsign\.dataFolder to/);
});

test.each([
  [
    "another identifier than that of its first start",
    (folder: string) => void loadMemberIdentity(folder, "first-validator-1", systemHost),
    /: nodeIdentifier is "acme-validator-1", and .* "first-validator-1": .*\n$/,
  ],
  [
    "a damaged identity",
    (folder: string) => writeFileSync(join(folder, "identity.json"), "{}"),
    /: .*identity\.json does not hold a node's identity: restore it .*\n$/,
  ],
])("%s", async (_, damage, sentence) => {
  const dataFolder = temporaryFolder();
  damage(dataFolder);
  const values = { nodeIdentifier: "acme-validator-1", callsign: { dataFolder } };
  expect(await failsToStart([values])).toMatch(sentence);
});

test("a TLS file that is missing", async () => {
  const api = { certChainFile: "/nowhere/tls.crt", privateKeyFile: "/nowhere/tls.key" };
  expect(await failsToStart([{ callsign: { tls: { api } } }])).toMatch(/\/nowhere\/tls\.crt does not exist/);
});

test("a wrong password of the database, which is not shown", async (context) => {
  const { host, port, user, database } = await sharedDatabase(undefined, context);
  const persistence = { host, port, user, databaseName: database };
  const secrets = { "postgres-secrets/postgresPassword": "planted-wrong-password" };
  const said = await failsToStart([{ persistence }], secrets);
  expect(said).toMatch(/the password is wrong\. Check the secret's postgresPassword/);
  expect(said).not.toContain("planted-wrong-password");
});

test.each<[string, readonly string[], RegExp]>([
  ["nothing", [], /^Usage: callsign <command>/],
  [
    "a misspelt command",
    ["validater"],
    /^callsign has no command validater: did you mean validator\?\nUsage/,
  ],
  [
    "a misspelt first word of two",
    ["stor", "move"],
    /^callsign has no command stor: did you mean store move\?\nUsage/,
  ],
  [
    "a misspelt second word of two",
    ["keys", "rotte"],
    /^callsign has no command keys rotte: did you mean keys rotate\?\nUsage/,
  ],
  [
    "half a command",
    ["keys"],
    /^callsign has no command keys\.\nUsage: callsign keys show\nUsage: callsign keys rotate\n$/,
  ],
  ["a word that an object has", ["constructor"], /^callsign has no command constructor\.\nUsage/],
  [
    "a misspelt option",
    ["participant", "--valeus", "x"],
    /^There is no option --valeus: did you mean --values\?\nUsage/,
  ],
  [
    "a misspelt option of the command",
    ["restore", "--replce"],
    /^There is no option --replce: did you mean --replace\?\nUsage/,
  ],
  [
    "an option too few",
    ["backup"],
    /^callsign backup needs --to: the folder that is made for the back-up\.\nUsage/,
  ],
  ["an option without its value", ["participant", "-f"], /-f.*\nUsage/s],
  ["an argument too many", ["participant", "now"], /^callsign participant takes no argument now\.\nUsage/],
  [
    "a role that the doctor does not look at",
    ["doctor", "sv"],
    /^callsign doctor looks at validator or participant, not sv/,
  ],
  [
    "a config command that there is not",
    ["config", "chek"],
    /^callsign config has no chek: did you mean check\?\nUsage/,
  ],
  [
    "two keys to explain",
    ["config", "explain", "a", "b"],
    /^callsign config explain takes one key, not a and b\.\nUsage/,
  ],
])("wrong usage ends with 2: %s", async (_, words, expected) => {
  const { exitCode, said, complained } = await runWith(words);
  expect([exitCode, said, complained]).toEqual([2, "", expect.stringMatching(expected)]);
});

test("mistakes of the configuration end with 2, all of them told", async () => {
  const { exitCode, complained } = await runWith(["participant"], {
    files: [{ disableAuth: "perhaps", callsign: { port: 70_000 }, persistance: {} }],
  });
  expect(exitCode).toBe(2);
  for (const key of ["disableAuth", "callsign.port", "persistance"])
    expect(complained).toMatch(new RegExp(`^ {2}${key}: `, "m"));
  expect((await runWith(["validator"], { files: ["a: ["] })).exitCode).toBe(2);
  expect((await runWith(["validator", "-f", "/nowhere/values.yaml"])).complained).toMatch(/does not exist/);
});

test("help is no mistake", async () => {
  for (const words of [["help"], ["-h"], ["participant", "--help"]]) {
    const { exitCode, said } = await runWith(words);
    expect([exitCode, said]).toEqual([0, expect.stringMatching(/^Usage: /)]);
  }
});

test("the version is that of package.json", async () => {
  const path = join(import.meta.dirname, "../../package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };
  for (const words of [["--version"], ["version"]])
    expect(await runWith(words)).toEqual({ exitCode: 0, said: `${version}\n`, complained: "" });
});

test("localnet takes the options of npm start", async () => {
  expect(await runWith(["localnet", "--help"])).toEqual({
    exitCode: 0,
    said: expect.stringMatching(/^Usage: callsign localnet [\s\S]*--any-ports/),
    complained: "",
  });
  expect(await runWith(["localnet", "--frsh"])).toEqual({
    exitCode: 2,
    said: "",
    complained: expect.stringMatching(/did you mean --fresh\?\nUsage: callsign localnet/),
  });
});

test("a process whose database does not answer waits, is not ready, and stops by a signal", async () => {
  const port = await freePort();
  const values = participant({ log: { level: "WARN" }, healthPort: port });
  const secrets = { "postgres-secrets/postgresPassword": "planted-password" };
  const files = [{ ...values, persistence: { host: "127.0.0.1", port: 9 } }];
  const child = new Child(MAIN, "participant", ...argumentsOf({ files, secrets }));
  onTestFinished(() => child.kill());
  const url = `http://127.0.0.1:${port}`;
  const probe = async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    return answer?.status === 503;
  };
  await until(probe, "it answers that it is not ready");
  const answer = await fetch(`${url}/readyz`);
  expect([answer.status, answer.headers.get("x-callsign-missing")]).toEqual([
    503,
    expect.stringMatching(/starting/),
  ]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const asked = await runWith(["status"], { files, secrets });
  expect([asked.exitCode, asked.said]).toEqual([
    1,
    expect.stringMatching(
      /^callsign participant \d+\.\d+\.\d+ is not ready: the participant is starting; its log/,
    ),
  ]);
  const second = await runWith(["participant"], {
    files: [{ ...files[0] }, { callsign: { healthPort: 0 } }],
    secrets,
  });
  expect([second.exitCode, second.complained]).toEqual([
    1,
    expect.stringMatching(/cannot start: a process runs on the data folder .* already: stop that one first/),
  ]);
  await until(() => child.errors.includes("opening the database failed; it is retried"), "it says so");
  const { code, output, errors } = await child.stop("SIGTERM");
  expect([code, output]).toEqual([0, ""]);
  expect(errors).toMatch(/ECONNREFUSED/);
  expect(errors).not.toContain("planted-password");
});
