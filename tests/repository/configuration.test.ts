// Keeps docs/configuration.md true: options, ports, users, keys, environment variables and limits are compared with
// the source that they come from.

import { describe, expect, test } from "vitest";
import { NODE_NAMES, STANDARD_PORTS } from "../../packages/localnet/src/ports.ts";
import {
  NODE_SETTINGS,
  SERVICE_USER,
  TOKEN_AUDIENCE,
  TOKEN_SECRET,
} from "../../packages/localnet/src/tokens.ts";
import { SV_AUTOMATION_NAMES } from "../../packages/sv/src/automation/automations.ts";
import { VALIDATOR_AUTOMATION_NAMES } from "../../packages/validator/src/automation/validator-automation.ts";
import { keysOf, markdown, read, rowsOf, sectionOf, stated, written } from "./configuration-page.ts";
import { listTrackedFiles } from "./tracked-files.ts";

describe("the local network", () => {
  test("every option of npm start is listed, with its default", () => {
    const source = read("packages/localnet/src/arguments.ts");
    const options = source.matchAll(
      /^ +"?([a-z-]+)"?: \{ type: "(boolean|string)",(?: short: "\w",)? default: (.+) \},$/gm,
    );
    const expected = [...options].map(([, name, type, given = ""]) => {
      const value = given
        .replace(/^join\((.*)\)$/, "$1")
        .replaceAll('", "', "/")
        .replaceAll('"', "");
      return [`--${name}`, type === "boolean" ? "" : value];
    });
    expect(expected.length).toBeGreaterThan(3);
    const listed = rowsOf(markdown, "| option | meaning | default |").map(([option = "", meaning, value]) => [
      option.split(" ")[0],
      value,
      meaning,
    ]);
    expect(listed.map(([option, value]) => [option, value])).toEqual(expected);
    const levels = /LEVELS = \[(.*)\] as const/.exec(source)?.[1]?.match(/\w+/g) ?? [];
    expect(listed.find(([option]) => option === "--log")?.[2]?.match(/\w+/g)).toEqual([
      ...levels.slice(0, -1),
      "or",
      levels.at(-1),
    ]);
  });

  test("every port of the local network is the one it listens on", () => {
    const nodes = rowsOf(markdown, "| node | JSON Ledger API | validator | gateway |");
    expect(nodes).toEqual(
      NODE_NAMES.map((name) => {
        const { ledger, validator, gateway } = STANDARD_PORTS.nodes[name];
        return [name, ...[ledger, validator, gateway].map(String)];
      }),
    );
    const svs = rowsOf(markdown, "| SV | scan | sequencer | SV app |");
    expect(svs).toEqual(
      STANDARD_PORTS.svs.map(({ scan, sequencer, app }, i) => [i + 1, scan, sequencer, app].map(String)),
    );
    const known = new Set(`${JSON.stringify(STANDARD_PORTS)}`.match(/\d{4,}/g));
    const named = sectionOf("Ports").match(/\b\d{4,5}\b/g) ?? [];
    expect(named.filter((port) => !known.has(port))).toEqual([]);
    expect(sectionOf("Ports")).toContain(`Port ${STANDARD_PORTS.development} is`);
  });

  test("the users are those who have tokens", () => {
    const users = rowsOf(markdown, "| node | user | party hint |");
    expect(users).toEqual(
      NODE_NAMES.map((name) => [name, NODE_SETTINGS[name].walletUser, NODE_SETTINGS[name].partyHint]),
    );
    const section = sectionOf("Users");
    for (const word of [SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET]) expect(section).toContain(`\`${word}\``);
  });
});

test.each([
  ["startLocalnet", "packages/localnet/src/localnet-options.ts", "LocalnetOptions"],
  ["startSvNode", "packages/sv/src/sv-node-config.ts", "SvNodeConfig"],
  ["startParticipant", "packages/participant/src/start-participant.ts", "ParticipantConfig"],
  ["startValidator", "packages/validator/src/validator-config.ts", "ValidatorConfig"],
  ["signFounding", "packages/ledger/src/transition/draft-founding.ts", "FoundingTerms"],
])("every key of %s is listed, and whether it has a default", (section, path, name) => {
  const expected = keysOf(path, name);
  expect(expected.length).toBeGreaterThan(3);
  const rows = rowsOf(sectionOf(section), "| key | meaning | default |");
  expect(rows.map(([key, , value]) => [key, value !== ""])).toEqual(expected);
});

test("every key of a port's TLS and rates is listed", () => {
  const section = sectionOf("Ports of a node");
  const namesOf = (path: string, name: string) => keysOf(path, name).map(([key]) => key);
  const config = "packages/node/src/tls/tls-config.ts";
  const tls = rowsOf(section, "| key of `tls` | Canton's name | meaning | default |").map(([key]) => key);
  expect(tls).toEqual([...namesOf(config, "CertificateFiles"), ...namesOf(config, "TlsServerConfig")]);
  const rates = rowsOf(section, "| key of `callRates` | meaning | default |").map(([key]) => key);
  expect(rates).toEqual(namesOf("packages/node/src/http/listening.ts", "CallRates"));
});

test.each([
  ["an SV's", SV_AUTOMATION_NAMES],
  ["a validator's", VALIDATOR_AUTOMATION_NAMES],
])("every automation is listed: %s", (whose, names) => {
  expect(rowsOf(markdown, `| ${whose} | what it does |`).map(([name]) => name)).toEqual(names);
});

test("every environment variable that is read is listed, and no other", () => {
  const ofNpm = ["PATH", "npm_execpath", "npm_lifecycle_event"];
  const sources = listTrackedFiles().filter(({ path }) => /\.(ts|js)$/.test(path));
  const used = new Set(
    sources
      .flatMap(({ text }) => [...text.matchAll(/process\.env(?:\["|\.)(\w+)/g)])
      .map(([, name = ""]) => name)
      .filter((name) => !ofNpm.includes(name)),
  );
  const listed = rowsOf(markdown, "| variable | meaning |").map(([name]) => name);
  expect([...listed].sort()).toEqual([...used].sort());
  const inPackages = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
  // The command hands the whole environment to the reader of an operator's configuration, whose keys name the variables.
  expect(inPackages.filter(({ text }) => text.includes("process.env")).map(({ path }) => path)).toEqual([
    "packages/cli/src/main.ts",
  ]);
});

describe("limits", () => {
  const limits = rowsOf(markdown, "| limit | value | where |");

  test("there are some, each told once", () => {
    expect(limits.length).toBeGreaterThan(30);
    expect(new Set(limits.map(([, , where]) => where)).size).toBe(limits.length);
  });

  test.each(limits)("%s: %s", (_, value = "", where = "") => {
    const [path = "", constant = ""] = where.split(" › ");
    expect(stated(value, constant)).toBe(written(path, constant));
  });
});
