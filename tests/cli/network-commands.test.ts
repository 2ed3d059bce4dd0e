// Commands on a local network that `callsign up` has started: what people read, what programs read, exit codes.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { BackgroundNetwork, startCommand } from "./background-network.ts";
import { type CommandOutcome, runHere } from "./run-here.ts";
import { validWordsFor } from "./valid-words.ts";

const atEnd = atEndOfFile();
let network: BackgroundNetwork;
beforeAll(async () => {
  network = await BackgroundNetwork.start(atEnd);
}, 120_000);

interface Entry {
  readonly name: string;
  readonly user: string;
  readonly expires_at: string;
}

function partyOf(user: string): Promise<string> {
  return network
    .ask<{ parties: Record<string, string> }>("parties")
    .then(({ parties }) => parties[user] ?? "");
}

function endOf({ exitCode, complained }: CommandOutcome): readonly [number, string] {
  return [exitCode, complained.trimEnd()];
}

describe("the local network", () => {
  test("up is refused while one runs, with the place of the first", async () => {
    expect(endOf(await network.run("up"))).toEqual([
      1,
      expect.stringContaining(
        `a local network runs on ${network.dataFolder} already, as process ${network.answer.pid}, at ${network.answer.developmentUrl}`,
      ),
    ]);
  });

  test("status says that it is ready; logs has its lines, for people and for programs", async () => {
    expect(await network.ask("status")).toMatchObject({
      running: true,
      ready: true,
      pid: network.answer.pid,
    });
    expect(await network.read("status")).toMatch(/The local network is up.*It is ready\./s);
    await network.run("misbehave", "4", "honest");
    const { said } = await network.run("logs", "-n", "2");
    const lines = said.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ operation: "setScanBehaviour" });
    expect(await network.read("logs", "-n", "1")).toMatch(/^\d{4}-\S+Z AUDIT .* operation=setScanBehaviour/);
  });

  test("env and credentials have addresses, tokens and parties", async () => {
    const variables = await network.ask<Record<string, string>>("env");
    const [node] = network.answer.nodes;
    expect(variables).toMatchObject({
      CALLSIGN_APP_USER_VALIDATOR_URL: `${node?.validatorUrl}/api/validator`,
      CALLSIGN_APP_USER_TOKEN: node?.token,
      CALLSIGN_APP_USER_PARTY: await partyOf("app-user"),
      CALLSIGN_DSO_PARTY: expect.stringMatching(/^DSO::1220/),
    });
    const { said } = await network.run("env", "--shell");
    expect(said.split("\n")).toContain(`export CALLSIGN_APP_USER_TOKEN=${node?.token}`);
    expect(await network.ask("credentials")).toMatchObject({
      users: expect.arrayContaining([{ user: "app-user", node: "app-user", token: node?.token }]),
      token_secret: "unsafe",
    });
  });

  test("a scan that is told to lie does, and resolve goes by the others", async () => {
    await network.ask("tap", "10", "--as", "app-provider");
    const registered = await network.ask<{ entry: Entry }>("register", "carol", "--as", "app-provider");
    await network.ask("misbehave", "2", "lie");
    onTestFinished(async () => void (await network.ask("misbehave", "2", "honest")));
    const scan = network.answer.svs[1]?.scanUrl ?? "";
    expect((await network.run("resolve", "carol.unverified.cns", "--scan", scan)).exitCode).toBe(3);
    expect(await network.ask("resolve", "carol")).toEqual({ entry: registered.entry });
  });
});

describe("names", () => {
  test("a name without enough coin is refused with the missing coin and the tap that is enough; the tap is", async () => {
    const refused = await network.run("register", "alice");
    expect(endOf(refused)).toEqual([
      6,
      "the name costs 200.0 coin, 1.0 dollars; the wallet has 0.0 coin, so that 200.0 are missing. Get free coin on this " +
        "network: callsign tap 10",
    ]);
    await network.ask("tap", "10");
    const said = await network.read(
      "register",
      "alice",
      "--url",
      "https://example.com",
      "--description",
      "Hi",
    );
    const party = await partyOf("app-user");
    expect(said).toMatch(
      new RegExp(
        `^Registered\\.\nalice\\.unverified\\.cns\n  owner +${party}\n  expires +\\S+ \\S+ UTC\n  url +https://example\\.com\n  description +Hi\n$`,
      ),
    );
    const { exitCode, complained } = await network.run("register", "alice");
    expect([exitCode, complained]).toEqual([
      6,
      expect.stringMatching(/^the name alice\.unverified\.cns is taken until/),
    ]);
  });

  test("resolve, whois, search and history know it; a name that nobody has ends with 3", async () => {
    const party = await partyOf("app-user");
    const { entry } = await network.ask<{ entry: Entry }>("resolve", "alice");
    expect(entry).toMatchObject({ name: "alice.unverified.cns", user: party });
    expect(await network.ask("whois", party)).toEqual({ primary: entry, entries: [entry] });
    expect(await network.ask("search", "ali")).toEqual({ entries: [entry], next: null });
    expect(await network.ask("history", "alice")).toMatchObject({
      changes: [{ kind: "registered", name: entry.name, owner: party, amulet: "200.0000000000" }],
    });
    expect(endOf(await network.run("resolve", "nobody"))).toEqual([
      3,
      "nobody has the name nobody.unverified.cns now",
    ]);
    expect((await network.run("search", "zz")).exitCode).toBe(3);
    expect((await network.run("history", "nobody")).exitCode).toBe(3);
  });

  test("search stops at its limit and says how to go on", async () => {
    const first = await network.ask<{ entries: Entry[]; next: string }>("search", "sv", "--limit", "3");
    expect(first.entries.map(({ name }) => name)).toEqual(["sv-1.sv.cns", "sv-2.sv.cns", "sv-3.sv.cns"]);
    const rest = await network.ask<{ entries: Entry[] }>(
      "search",
      "sv",
      "--limit",
      "3",
      "--after",
      first.next,
    );
    expect(rest.entries.map(({ name }) => name)).toEqual(["sv-4.sv.cns"]);
  });

  test("markup and control characters of a description stay text on a terminal", async () => {
    await network.ask("tap", "1");
    const said = await network.read("register", "dave", "--description", "a\u001B[2Jb<b>");
    expect(said).toContain("description  a?[2Jb<b>\n");
  });

  test("renew, auto-renewal, cancel, take-up and primary work on the user's own names", async () => {
    expect(endOf(await network.run("renew", "alice"))).toEqual([6, expect.stringMatching(/it is too early/)]);
    expect(await network.ask("auto-renewal", "alice", "off")).toEqual({
      name: "alice.unverified.cns",
      enabled: false,
    });
    expect(await network.read("names")).toMatch(/^alice\.unverified\.cns .* by hand /m);
    await network.ask("auto-renewal", "alice", "on");
    await network.ask("cancel", "alice");
    expect(await network.read("names")).toMatch(/^alice\.unverified\.cns .* cancelled /m);
    expect(await network.ask("take-up", "alice")).toMatchObject({ state: "subscribed", autoRenewal: true });
    await network.ask("primary", "alice");
    expect(await network.read("names")).toMatch(/^alice\.unverified\.cns \(primary\) /m);
    await network.ask("primary", "--none");
    expect((await network.run("cancel", "nobody")).exitCode).toBe(3);
    expect((await network.run("primary")).exitCode).toBe(2);
  });

  test("sixty days later the name is renewed, and watch tells it behind the offset of its registration", async () => {
    await network.ask("tap", "10");
    const { changes } = await network.ask<{ changes: { offset: string }[] }>("history", "alice");
    const before = await network.ask<{ entry: Entry }>("resolve", "alice");
    await network.ask("clock", "forward", "61d");
    const { entry } = await network.ask<{ entry: Entry }>("resolve", "alice");
    expect(Date.parse(entry.expires_at) - Date.parse(before.entry.expires_at)).toBe(90 * 86_400_000);
    const after = changes.at(-1)?.offset ?? "";
    const child = startCommand("watch", "alice", "--after", after, "--data", network.dataFolder);
    onTestFinished(() => child.kill());
    const line = JSON.parse((await child.said()).split("\n")[0] ?? "") as object;
    expect(line).toMatchObject({
      kind: "renewed",
      name: "alice.unverified.cns",
      expires_at: entry.expires_at,
    });
    const { code, errors } = await child.stop("SIGINT");
    expect([code, errors]).toEqual([130, ""]);
  });

  test.each(["error", "stop"])(
    "watch goes on with the next scan while the first one is told to %s",
    async (behaviour) => {
      await network.ask("misbehave", "1", behaviour);
      onTestFinished(async () => void (await network.ask("misbehave", "1", "honest")));
      const child = startCommand("watch", "alice", "--after", "0", "--data", network.dataFolder);
      onTestFinished(() => child.kill());
      const line = JSON.parse((await child.said()).split("\n")[0] ?? "") as object;
      expect(line).toMatchObject({ kind: "registered", name: "alice.unverified.cns" });
      const { code, errors } = await child.stop("SIGINT");
      expect([code, errors]).toEqual([130, ""]);
    },
  );

  test("the loser of a race is told the refund and its reason", async () => {
    await network.ask("tap", "10");
    await network.ask("tap", "100", "--as", "app-provider");
    // A name that is registered before the other request is sent is refused without a payment.
    for (const name of ["erin", "erica", "ernie", "erwin", "ernest", "ernesto", "errol", "ervin"]) {
      const outcomes = await Promise.all([
        network.run("register", name),
        network.run("register", name, "--as", "app-provider"),
      ]);
      const [won, lost] = outcomes.sort((a, b) => a.exitCode - b.exitCode);
      expect([won?.exitCode, lost?.exitCode, lost?.said]).toEqual([0, 6, ""]);
      const refund = new RegExp(
        `^${name}\\.unverified\\.cns was not registered: .* \\(lost_race\\)\\. 200\\.0 coin came back$`,
        "m",
      );
      if (refund.test(lost?.complained ?? "")) return;
      expect(lost?.complained).toMatch(/taken until|somebody/);
    }
    throw new Error("nobody lost a race after paying");
  });
});

describe("coin", () => {
  test("send asks for --yes where nobody can answer, and sends to the owner of a name", async () => {
    const party = await partyOf("app-provider");
    const question = await network.run("send", "5", "carol");
    expect(endOf(question)).toEqual([
      2,
      `Send 5 coin to carol.unverified.cns, which is ${party}? Nobody is there to answer: give --yes if it is meant`,
    ]);
    const before = await network.ask<{ available: string }>("balance");
    expect(await network.ask("send", "5", "carol", "--yes")).toMatchObject({
      ...{ receiver: party, name: "carol.unverified.cns", state: "offered" },
    });
    const after = await network.ask<{ available: string; locked: string }>("balance");
    expect(Number(before.available) - Number(after.available)).toBe(5);
    expect(after.locked).toBe("5.0000000000");
    expect((await network.run("send", "5", "nobody", "--yes")).exitCode).toBe(3);
    expect((await network.run("send", "-5", "carol", "--yes")).exitCode).toBe(2);
    expect((await network.run("send", "0", "carol", "--yes")).exitCode).toBe(2);
  });

  test("a person answers yes or no; a name whose owner has changed since the last time gets a warning", async () => {
    const asked: string[] = [];
    const sendAs = (answer: string) =>
      runHere(["send", "1", "carol", "--text"], network.environment, {
        ask: async (question) => {
          asked.push(question);
          return answer;
        },
      });
    expect(endOf(await sendAs("n"))).toEqual([1, "Nothing was sent"]);
    expect((await sendAs("y")).said).toMatch(/^Offered 1 coin to carol\.unverified\.cns, which is /);
    expect(asked[0]).toMatch(/^Send 1 coin to carol\.unverified\.cns, which is \S+\? \[y\/N\] $/);
    const file = join(network.environment["XDG_STATE_HOME"] ?? "", "callsign", "known-owners.json");
    const known = JSON.parse(readFileSync(file, "utf8")) as { party: string }[];
    expect(known).toHaveLength(1);
    writeFileSync(file, JSON.stringify([{ ...known[0], party: "other::1220" }]));
    const { exitCode, complained } = await network.run("send", "1", "carol", "--yes");
    expect([exitCode, complained]).toEqual([
      0,
      "Warning: carol.unverified.cns belongs to another party than the last time you sent to it. It was other::1220\n",
    ]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(known);
  });
});

test("a snapshot brings back what was there, and can be listed and deleted", async () => {
  const saved = await network.ask<{ name: string; entries: number }>("snapshot", "save", "before");
  const balance = await network.ask("balance");
  await network.ask("tap", "5");
  expect(await network.ask("snapshot", "list")).toEqual({ snapshots: [saved] });
  expect(await network.read("snapshot", "list")).toMatch(/^before +\d{4}-/m);
  expect(await network.ask("snapshot", "restore", "before")).toEqual(saved);
  expect(await network.ask("balance")).toEqual(balance);
  expect((await network.run("snapshot", "save", "before")).exitCode).toBe(6);
  expect(await network.ask("snapshot", "delete", "before")).toEqual({ deleted: "before" });
  expect((await network.run("snapshot", "restore", "before")).exitCode).toBe(3);
  expect((await network.run("snapshot", "save", "../x")).exitCode).toBe(6);
});

describe("a wrong token", () => {
  /** Files, scans and the development API are read without a token. */
  const tokenless = [
    ...["up", "down", "status", "logs", "credentials", "clock", "clock forward", "misbehave", "watch"],
    ...["snapshot save", "snapshot list", "snapshot restore", "snapshot delete"],
  ];
  const commands = [...NETWORK_COMMANDS].filter(([name]) => !tokenless.includes(name));

  test.each(commands)(
    "%s with a wrong token ends with 5 and the validator's words",
    async (name, { options }) => {
      const token = "wrong.wrong.wrong";
      const tokenFile = join(network.dataFolder, "..", "wrong-token");
      writeFileSync(tokenFile, `${token}\n`);
      const url = network.answer.nodes[0]?.validatorUrl ?? "";
      const changed = () =>
        network.changeRecord(({ nodes: [first, ...nodes] }) => ({ nodes: [{ ...first, token }, ...nodes] }));
      const target =
        "validator" in options ? ["--validator", url, "--token-file", tokenFile] : ["--data", changed()];
      const words = [...validWordsFor(name), ...target];
      const { exitCode, said, complained } = await runHere(words, network.environment);
      expect([exitCode, said]).toEqual([5, ""]);
      expect(complained).toContain(`${url} refuses the token`);
      expect(complained).not.toContain(token);
    },
  );
});

describe("another network", () => {
  test("a validator with its token file, and a scan, by options or by variables", async () => {
    const [, provider] = network.answer.nodes;
    const tokenFile = join(network.dataFolder, "..", "token");
    writeFileSync(tokenFile, `${provider?.token}\n`);
    const target = { CALLSIGN_VALIDATOR: provider?.validatorUrl ?? "", CALLSIGN_TOKEN_FILE: tokenFile };
    const { entries } = JSON.parse((await runHere(["names"], target)).said) as { entries: Entry[] };
    expect(entries.map(({ name }) => name)).toContain("carol.unverified.cns");
    const scan = network.answer.svs[0]?.scanUrl ?? "";
    expect((await runHere(["resolve", "carol"], { CALLSIGN_SCAN: scan })).exitCode).toBe(0);
    expect(endOf(await runHere(["balance", "--validator", provider?.validatorUrl ?? ""]))).toEqual([
      2,
      expect.stringMatching(/needs a token: name its file with --token-file/),
    ]);
    expect(
      (await runHere(["resolve", "carol", "--validator", "ftp://x", "--token-file", tokenFile])).exitCode,
    ).toBe(2);
  });
});

test("a network that was killed leaves a record that is recognised as stale", async () => {
  const dataFolder = join(network.dataFolder, "..", "killed", "net");
  mkdirSync(join(dataFolder, ".."));
  const record = JSON.parse(readFileSync(`${network.dataFolder}.json`, "utf8")) as object;
  // Process numbers are reused: this one is alive, and no local network.
  for (const pid of [process.pid, 2 ** 22 + 1]) {
    writeFileSync(`${dataFolder}.json`, JSON.stringify({ ...record, pid }));
    expect((await runHere(["status", "--data", dataFolder])).exitCode).toBe(4);
    expect((await runHere(["down", "--data", dataFolder])).exitCode).toBe(4);
  }
  expect(existsSync(`${dataFolder}.json`)).toBe(true);
});

test("down stops it, keeps its data, and status says so; up starts it again with its names", async () => {
  const { pid } = network.answer;
  expect(await network.ask("down")).toEqual({ stopped: pid, dataFolder: network.dataFolder });
  await until(() => !existsSync(`${network.dataFolder}.json`), "the record is gone");
  expect((await network.run("status")).exitCode).toBe(4);
  const { code, errors } = await startCommand("up", "--any-ports", "--data", network.dataFolder).ended;
  expect([code, errors]).toEqual([0, ""]);
  expect(await network.ask("resolve", "alice")).toMatchObject({ entry: { name: "alice.unverified.cns" } });
}, 120_000);
