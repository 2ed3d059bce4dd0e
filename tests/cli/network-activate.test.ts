// SVs that work activate a protocol version by a draft that goes from SV to SV.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog, startControlServer, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { controlHandlers } from "../../packages/cli/src/run/control-handlers.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { draft as draftFounding, organisations, readJson, succeeded } from "./founding-kit.ts";
import { runWith } from "./run-here.ts";

const NAMES = ["sv-1", "sv-2", "sv-3", "sv-4"];

interface Drafted {
  readonly tag: string;
  readonly value: Readonly<Record<string, string>>;
}

/** Four SVs of protocol version 1 that work, and the commands of an operator who has some of them. */
async function startEarlierNetwork() {
  const folder = temporaryFolder();
  const dataFolder = join(folder, "sv");
  const founding = { protocolVersion: 1n };
  const { svs, close } = await startSvsIn({
    dataFolder,
    migrationId: 0n,
    names: NAMES,
    founding,
    isQuiet: true,
  });
  onTestFinished(close);
  const running = {
    ...{
      addresses: {},
      missing: () => null,
      position: async () => ({}),
      copyStore: undefined,
      keys: [],
      close,
    },
    activation: svs[0]?.activation,
  };
  const handlers = controlHandlers("sv", {
    running: () => running,
    missing: () => null,
    addresses: () => ({}),
  });
  const socket = await startControlServer(dataFolder, handlers, { host: systemHost, log: silentLog });
  onTestFinished(async () => socket?.close());
  const run = (words: readonly string[], names: readonly string[] = NAMES) =>
    runWith(words, {
      files: [{ ...{ svs: names.map((name) => ({ name })) }, disableAuth: true, callsign: { dataFolder } }],
    });
  const at = (name: string) => join(folder, name);
  const complaint = async (words: readonly string[], names?: readonly string[]) => {
    const { exitCode, complained } = await run(words, names);
    expect(exitCode).toBe(1);
    return complained;
  };
  const draft = async (name: string, ...names: readonly string[]) => {
    succeeded(await run(["network", "draft", "--activation", "--to", at(name)], names));
    return at(name);
  };
  const sign = async (path: string, ...names: readonly string[]) => {
    const to = `${path}-${names.join("-")}`;
    succeeded(await run(["network", "sign", path, "--to", to], names));
    return to;
  };
  const change = (path: string, name: string, value: Readonly<Record<string, string>>) => {
    const drafted = readJson(path) as Drafted;
    writeFileSync(at(name), JSON.stringify({ ...drafted, value: { ...drafted.value, ...value } }));
    return at(name);
  };
  return { svs, run, at, complaint, draft, sign, change };
}

test("SVs that work activate this program's version once a quorum has signed, and once only", async () => {
  const { svs, run, at, complaint, draft, sign } = await startEarlierNetwork();
  const ids = svs.map(({ identity }) => identity.id);
  const path = await draft("draft.json", "sv-2");
  const [one, others] = [await sign(path, "sv-2"), await sign(path, "sv-1", "sv-4")];
  expect(await complaint(["network", "activate", path, one])).toBe(
    `callsign network activate: 3 of 4 SVs must sign, and 1 have: run network sign at ${ids[0]}, ${ids[2]}, ${ids[3]}\n`,
  );
  const versions = () => svs.map(({ replica }) => replica.state.network?.protocolVersion);
  expect(versions()).toEqual([1n, 1n, 1n, 1n]);
  const said = succeeded(await run(["network", "activate", path, others, one]));
  const { sequence } = (svs[0] as (typeof svs)[number]).replica.state.head;
  expect(said.split("\n").slice(0, 3)).toEqual([
    `The network has protocol version 5 from entry ${sequence} on; it had 1.`,
    `  signed by: ${ids[0]}, ${ids[1]}, ${ids[3]}`,
    `  without: ${ids[2]}`,
  ]);
  for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(10_000));
  expect(versions()).toEqual([5n, 5n, 5n, 5n]);
  expect(succeeded(await run(["network", "activate", path, one, others]))).toBe(
    "The network has protocol version 5 already.\n",
  );
  for (const words of [
    ["draft", "--activation"],
    ["sign", path],
  ])
    expect(await complaint(["network", ...words, "--to", at("late.json")])).toBe(
      `callsign network ${words[0]}: the network has protocol version 5 already\n`,
    );
});

test("an SV signs no activation for another network, and none of a version that its program does not apply", async () => {
  const { svs, complaint, draft, change } = await startEarlierNetwork();
  const path = await draft("draft.json", "sv-1");
  const id = svs[0]?.replica.state.network?.id;
  const sign = (changed: string) => complaint(["network", "sign", changed, "--to", `${changed}.signed`]);
  expect(await sign(change(path, "other.json", { network: "ab" }))).toBe(
    `callsign network sign: the draft is for network ab, and this SV's is ${id}\n`,
  );
  expect(await sign(change(path, "later.json", { version: "9" }))).toMatch(
    /activates protocol version 9, and the program that runs applies 1, 2, 3, 4, 5: start a release that knows it first/,
  );
});

test("an activation is refused after its time, without its drafter's signature, and as a founding", async () => {
  const { svs, complaint, draft, sign, change } = await startEarlierNetwork();
  const path = await draft("draft.json", "sv-1");
  const late = change(path, "late.json", { maxRecordTime: "2020-01-01T00:00:00Z" });
  expect(await complaint(["network", "activate", late, await sign(late, ...NAMES)])).toMatch(
    /the draft could be appended until 2020-01-01T00:00:00Z: draft again, and sign again/,
  );
  expect(await complaint(["network", "activate", path, await sign(path, "sv-2", "sv-3", "sv-4")])).toBe(
    `callsign network activate: ${svs[0]?.identity.id} made the draft and has not signed it: run network sign there\n`,
  );
  const all = await sign(path, ...NAMES);
  expect(await complaint(["network", "found", path, all])).toMatch(
    /draft\.json is the draft of an activation: give it to callsign network activate/,
  );
  const founding = await draftFounding(await organisations(1));
  expect(await complaint(["network", "activate", founding, all])).toMatch(
    /draft\.json is the draft of a founding: give it to callsign network found/,
  );
  expect(svs.map(({ replica }) => replica.state.network?.protocolVersion)).toEqual([1n, 1n, 1n, 1n]);
});

test("an activation on a shared log needs the SVs' processes, and says how it is done", async () => {
  const log = { kind: "nats", nats: { servers: ["nats://127.0.0.1:9"] } };
  const values = {
    svs: [{ name: "sv-1" }],
    disableAuth: true,
    log,
    callsign: { dataFolder: temporaryFolder() },
  };
  const run = (...words: readonly string[]) => runWith(["network", ...words], { files: [values] });
  expect((await run("activate")).complained).toBe(
    "callsign network activate: it works on the SQLite log alone, and log.kind is nats: run callsign network draft " +
      "--activation, callsign network sign at every SV, and callsign network activate <draft> <signatures>…, while the SVs work\n",
  );
  expect((await run("draft", "--activation", "--to", "x")).complained).toMatch(
    /no process runs on the data folder/,
  );
  expect(await run("draft", "card.json", "--activation", "--to", "x")).toMatchObject({
    exitCode: 2,
    complained: expect.stringMatching(/^callsign network draft takes no argument card\.json/),
  });
});
