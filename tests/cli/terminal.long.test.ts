// Every example of the help of commands that speak to a network, in a real terminal: progress, colour, Ctrl-C, questions.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { askForService } from "../support/ask-for-service.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { RealTerminal } from "./real-terminal.ts";

const root = join(import.meta.dirname, "../..");
const atEnd = atEndOfFile();
const folder = temporaryFolder(atEnd);
const examples = [...NETWORK_COMMANDS].flatMap(([, command]) => command.examples);
const tried = new Set<string>();
let terminal: RealTerminal;

/** Networks of tests listen on free ports. */
const CALLSIGN = `callsign() { local more=""; [ "$1" = up ] && more=--any-ports; ${process.execPath} --disable-warning=ExperimentalWarning ${root}/packages/cli/src/main.ts "$@" $more; }`;

beforeAllOrSkip(async (context) => {
  await askForService("package/tmux", context);
  mkdirSync(join(folder, "home"));
  terminal = await RealTerminal.open(
    `cd ${folder}; export HOME=${folder}/home NODE_COMPILE_CACHE=${root}/.cache/compile; ${CALLSIGN}`,
  );
  atEnd(async () => {
    await terminal.run("callsign down; callsign down --data second");
    terminal.close();
  });
}, 120_000);

/** Types an example as the help shows it. Folders of the machine are those of the test. */
async function type(example: string): Promise<{ readonly code: number; readonly screen: string }> {
  tried.add(example);
  return terminal.run(example.replace("/tmp/second", "second"));
}

async function typeUntil(
  example: string,
  shown: RegExp,
): Promise<{ readonly code: number; readonly screen: string }> {
  tried.add(example);
  await terminal.begin(example);
  await terminal.shows(shown);
  terminal.press("C-c");
  return terminal.ended();
}

describe("a person at a terminal", () => {
  test("starts a network with progress, and finds its addresses in colour", async () => {
    await terminal.begin("callsign up");
    tried.add("callsign up");
    await terminal.shows(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] starting the local network, \d+\.\d s/);
    const { code, screen } = await terminal.ended();
    expect([code, screen]).toEqual([
      0,
      expect.stringMatching(/✓ starting the local network.*\nThe local network is up, as process \d+/s),
    ]);
    expect(terminal.colours()).toContain("\u001B[32mup");
    const second = await terminal.run("callsign up");
    expect([second.code, second.screen]).toEqual([
      1,
      expect.stringMatching(/runs on .* already, as process \d+/),
    ]);
    const plain = await terminal.run("NO_COLOR=1 callsign status | cat; NO_COLOR=1 callsign status");
    expect(plain.code).toBe(0);
    expect(terminal.colours()).not.toContain("\u001B[32m");
  });

  test("is told how much coin is missing, taps, and owns a name step by step", async () => {
    const poor = await terminal.run("callsign register alice");
    expect([poor.code, poor.screen]).toEqual([
      6,
      expect.stringMatching(/✗ checking the name alice\nthe name costs 200\.0 coin.*callsign tap 10$/ms),
    ]);
    expect((await type("callsign tap 100")).screen).toMatch(
      /Tapped 100 dollars; the wallet has 20000\.0 coin now\./,
    );
    const { code, screen } = await type(
      'callsign register alice --url https://example.com --description "Hello"',
    );
    expect(code).toBe(0);
    for (const step of [
      "checking the name alice",
      "asking for alice",
      "paying 200.0 coin",
      "the SVs confirm the payment",
    ])
      expect(screen).toContain(`✓ ${step}`);
    expect(screen).toMatch(/^Registered\.\nalice\.unverified\.cns$/m);
    expect((await terminal.run("callsign tap 10 --as app-provider")).code).toBe(0);
    expect((await type("callsign register bob --as app-provider")).code).toBe(0);
  });

  test.each([
    ["callsign status", /It is ready\./],
    ["callsign credentials", /^user +node +token$/m],
    ["callsign parties", /^app-user +app_user_/m],
    ["callsign env --json", /"CALLSIGN_APP_USER_TOKEN": "eyJ/],
    ["callsign clock", /^\d{4}-\S+Z$/m],
    ["callsign resolve alice", /^alice\.unverified\.cns\n {2}owner +app_user/m],
    ["callsign resolve alice.unverified.cns --json", /^ {4}"name": "alice\.unverified\.cns",$/m],
    ["callsign search al", /^alice\.unverified\.cns /m],
    ["callsign search sv --limit 2", /^more: callsign search sv --after sv-2\.sv\.cns$/m],
    ["callsign history alice", /registered alice\.unverified\.cns, until .*200\.0 coin burned/],
    ["callsign names", /^alice\.unverified\.cns .* by itself +1\.0 dollars$/m],
    ["callsign names --as app-provider", /^bob\.unverified\.cns /m],
    ["callsign auto-renewal alice off", /renewed by hand alone/],
    ["callsign auto-renewal alice on", /renewed by itself/],
    ["callsign cancel alice", /is cancelled: it lapses/],
    ["callsign take-up alice", /✓ the SVs decide.*renewed again as before/s],
    ["callsign primary alice", /You are called alice/],
    ["callsign primary --none", /No name is chosen now/],
    ["callsign balance", /^19800\.0 coin, 99\.0 dollars$/m],
    ["callsign balance --as app-provider --json", /"available": "1800\.0000000000"/],
    ["callsign send 5 bob --yes", /^Offered 5 coin to bob\.unverified\.cns, which is app_provider_/m],
    ["callsign misbehave 3 lie", /From now on scan 3 is told to: lie\./],
    ["callsign misbehave 3 honest", /From now on scan 3 is told to: honest\./],
    ["callsign snapshot save before-races", /✓ saving the network as before-races.*Saved before-races/s],
    ["callsign snapshot list", /^before-races /m],
    ["callsign snapshot restore before-races", /The network is back at before-races/],
    ["callsign snapshot delete before-races", /Deleted before-races\./],
    ["callsign clock forward 60d", /✓ moving the clock 60d forward.*The network's clock stands at /s],
    ["callsign clock forward 1h --every-round", /The network's clock stands at /],
    ["callsign logs", /^\d{4}-\S+Z (INFO|AUDIT|WARN) /m],
    ["callsign logs -n 200", /^\d{4}-\S+Z (INFO|AUDIT|WARN) /m],
  ])("%s", async (example, shown) => {
    const { code, screen } = await type(example);
    expect(screen).toMatch(shown);
    expect(code).toBe(0);
  });

  test("variables of env serve other commands", async () => {
    const evaluated = await type('eval "$(callsign env --shell)"');
    expect(evaluated.code).toBe(0);
    await terminal.run("PARTY=$CALLSIGN_APP_USER_PARTY");
    expect((await type('callsign whois "$PARTY"')).screen).toMatch(/^alice\.unverified\.cns /m);
    expect((await type('callsign send 0.5 "$PARTY" --as app-provider --yes')).screen).toMatch(
      /0\.5 coin to app_user_/,
    );
  });

  test("a renewal by hand is paid when it is due", async () => {
    await terminal.run("callsign auto-renewal alice off && callsign clock forward 95d");
    const { code, screen } = await type("callsign renew alice");
    expect([code, screen]).toEqual([
      0,
      expect.stringMatching(/The renewal of alice\.unverified\.cns is paid/),
    ]);
  });

  test("send asks, and no means no", async () => {
    await terminal.begin("callsign send 1 bob");
    await terminal.shows(/Send 1 coin to bob\.unverified\.cns, which is app_provider_\S+\? \[y\/N\]/);
    terminal.press("n", "Enter");
    const { code, screen } = await terminal.ended();
    expect([code, screen]).toEqual([1, expect.stringContaining("Nothing was sent")]);
  });

  test("Ctrl-C ends watch, logs --follow, a question and a start with 130 and no stack", async () => {
    const outcomes = [
      await typeUntil("callsign watch", /waiting for changes/),
      await typeUntil("callsign watch alice --after 0", /renewed alice\.unverified\.cns/),
      await typeUntil("callsign logs --follow", /^\d{4}-\S+Z /m),
      await typeUntil("callsign send 1 bob", /\[y\/N\]/),
      await typeUntil("callsign up --data second", /starting the local network/),
    ];
    for (const { code, screen } of outcomes) {
      expect(code).toBe(130);
      expect(screen).not.toMatch(/^\s+at /m);
    }
  });

  test("Ctrl-C in the middle of a registration says what goes on, and the next command shows it", async () => {
    expect((await terminal.run("callsign up --data second --pause decide-first-payments")).code).toBe(0);
    await terminal.run("callsign tap 10 --data second");
    await terminal.begin("callsign register dora --data second");
    await terminal.shows(/the SVs confirm the payment/);
    terminal.press("C-c");
    const { code, screen } = await terminal.ended();
    expect([code, screen]).toEqual([
      130,
      expect.stringMatching(
        /✗ the SVs confirm the payment\ndora\.unverified\.cns is asked for .*: callsign names$/m,
      ),
    ]);
    expect((await terminal.run("callsign names --data second")).screen).toMatch(/^dora\.unverified\.cns: /m);
    expect((await terminal.run("callsign down --data second")).code).toBe(0);
  });

  test("stops it, and starts others", async () => {
    expect((await type("callsign down")).screen).toMatch(/✓ stopping the local network.*Its data is kept/s);
    expect((await type("callsign up --fresh --acronym ans")).code).toBe(0);
    expect((await terminal.run("callsign resolve sv-1.sv.ans")).code).toBe(0);
    expect((await type("callsign up --data /tmp/second --any-ports")).code).toBe(0);
    expect((await terminal.run("callsign down --data second && callsign down")).code).toBe(0);
    const gone = await terminal.run("callsign status");
    expect([gone.code, gone.screen]).toEqual([
      4,
      expect.stringMatching(/it is down\. Start one: callsign up/),
    ]);
  });

  test("every example was typed", () => {
    const roles = examples.filter((example) => example.includes(" -f "));
    expect(examples.filter((example) => !tried.has(example))).toEqual(roles);
  });
});
