// The compose files and the scripts around them: what docker is called with, and which node that configures.

import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { parseVariables, readComposeProject } from "./compose-project.ts";
import { COMPOSE, filesOf, projectOf, runScript, type ScriptRun } from "./start-script.ts";

const atEnd = atEndOfFile();
const NEEDED = ["-s", "https://sv.sv-1.example.com", "-o", "s3cret", "-p", "acme-validator-1", "-m", "4"];

function start(...args: readonly string[]): ScriptRun {
  return runScript(temporaryFolder(atEnd), "start.sh", [...NEEDED, ...args]);
}

/** The setups that the services' variables give. */
function setupsOf(run: ScriptRun) {
  const { services } = projectOf(run);
  const parts = (service: string) => ({
    source: {
      files: [],
      sets: [],
      environment: { ...services[service]?.environment },
    },
    files: systemHost.files,
  });
  return {
    participant: readParticipantSetup(parts("participant")),
    validator: readValidatorSetup(parts("validator")),
  };
}

describe("start.sh", () => {
  test("starts the services without tokens by default, and says so", () => {
    const run = start();
    expect(run.docker).toEqual([
      "compose",
      ...["-f", "compose.yaml", "-f", "compose-traffic-topups.yaml", "-f", "compose-disable-auth.yaml"],
      ...["up", "--detach"],
    ]);
    expect(run.stderr).toBe(
      "start.sh: without -a nobody needs a token at the ledger API. Use it on one machine alone.\n",
    );
    expect(run.environment).toMatchObject({
      SPONSOR_SV_ADDRESS: "https://sv.sv-1.example.com",
      SCAN_ADDRESS: "https://scan.sv-1.example.com",
      ONBOARDING_SECRET: "s3cret",
      PARTY_HINT: "acme-validator-1",
      PARTICIPANT_IDENTIFIER: "acme-validator-1",
      MIGRATION_ID: "4",
    });
  });

  test("hands every option on", () => {
    const folder = temporaryFolder(atEnd);
    writeFileSync(join(folder, "identity.json"), "{}");
    const options =
      "-a -b -q https://sequencer.sv-1.example.com -c https://scan.example.com " +
      "-P acme-2 -n splice -M -i identity.json -w -E";
    const run = runScript(folder, "start.sh", [...NEEDED, ...options.split(" ")]);
    expect(run.stderr).toBe("");
    expect(filesOf(run)).toEqual([
      "compose.yaml",
      "compose-traffic-topups.yaml",
      "compose-trust-single.yaml",
      "compose-migrate.yaml",
      "compose-restore-from-id.yaml",
      "compose-network.yaml",
    ]);
    expect(run.docker?.slice(-5)).toEqual(["up", "--detach", "--wait", "--wait-timeout", "600"]);
    expect(run.before.map((call) => call.slice(-7))).toEqual([
      ["run", "--rm", "participant", "identity", "import", "--from", "/etc/callsign/identity.json"],
    ]);
    const { services, networks } = projectOf(run);
    expect(networks).toEqual({ default: { name: "splice", external: true } });
    expect(services["validator"]?.ports).toEqual(["0.0.0.0:5003:5003"]);
    expect(services["participant"]?.environment).toMatchObject({ PARTICIPANT_IDENTIFIER: "acme-2" });
    expect(services["participant"]?.volumes).toEqual([
      "participant-data:/var/lib/callsign",
      `${join(folder, "identity.json")}:/etc/callsign/identity.json:ro`,
    ]);
  });

  test.each([
    [
      ["-l"],
      /^start\.sh: -l \(the SV of a local compose file\) is not offered: found a network with "callsign sv"/,
    ],
    [
      ["-C", "http://scan.localhost"],
      /^start\.sh: -C \(the scan as this machine sees it\) is not needed: the validator itself asks/,
    ],
    [["-b"], /^start\.sh: -b needs the URL of the sequencer: -q URL/],
    [["-m", "four"], /^start\.sh: the migration id "four" is no whole number: -m ID/],
    [
      ["-i", "nowhere.json"],
      /^start\.sh: -i needs the identifier of the participant that is restored: -P ID/,
    ],
    [["-i", "nowhere.json", "-P", "acme-2"], /^start\.sh: there is no file nowhere\.json: -i FILE/],
    [["-x"], /^start\.sh: -x is no option; -h lists them/],
    [["-q"], /^start\.sh: -q needs a value/],
    [["word"], /^start\.sh: word is no option/],
  ])("refuses %j", (args, sentence) => {
    const run = start(...args);
    expect([run.status, run.docker]).toEqual([2, null]);
    expect(run.stderr).toMatch(sentence);
  });

  test.each(["-s", "-o", "-p", "-m"])("asks for %s", (option) => {
    const given = NEEDED.flatMap((arg, i) => (arg === option || NEEDED[i - 1] === option ? [] : [arg]));
    const run = runScript(temporaryFolder(atEnd), "start.sh", given);
    expect([run.status, run.docker]).toEqual([2, null]);
    expect(run.stderr).toContain(`is missing: ${option} `);
  });

  test("-h lists every option", () => {
    const run = runScript(temporaryFolder(atEnd), "start.sh", ["-h"]);
    expect([run.status, run.docker]).toEqual([0, null]);
    const listed = [...run.stdout.matchAll(/^ {2}-(\w) /gm)].map(([, letter]) => letter).sort();
    expect(listed).toEqual([..."EMPabchimnopqsw"].sort());
  });
});

test("stop.sh ends the services and keeps their volumes", () => {
  const run = runScript(temporaryFolder(atEnd), "stop.sh", []);
  expect(run.docker).toEqual(["compose", "-f", "compose.yaml", "down"]);
  expect(projectOf(run).name).toBe("callsign-validator");
  expect(runScript(temporaryFolder(atEnd), "stop.sh", ["-v"])).toMatchObject({ status: 2, docker: null });
});

test("get-token.sh signs a token for the validator's API", () => {
  const { stdout } = spawnSync("bash", [join(COMPOSE, "get-token.sh"), "administrator"], {
    encoding: "utf8",
  });
  const [header = "", payload = "", signature] = stdout.trim().split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
    sub: "administrator",
    aud: "https://validator.example.com",
  });
  expect(signature).toBe(createHmac("sha256", "unsafe").update(`${header}.${payload}`).digest("base64url"));
});

describe("the services", () => {
  test("without -a: no token at the ledger API, tokens signed by a known word at the validator's", () => {
    const { participant, validator } = setupsOf(start());
    expect(participant).toMatchObject({
      ok: true,
      setup: {
        config: {
          auth: { kind: "none" },
          nodeIdentifier: "acme-validator-1",
          database: {
            ...{ host: "postgres-splice", port: 5432, user: "cnadmin", password: "supersafe" },
            ...{ database: "participant-4", schema: "participant" },
          },
        },
      },
    });
    expect(validator).toMatchObject({
      ok: true,
      setup: {
        config: {
          auth: { kind: "hs256", secret: "unsafe", audience: "https://validator.example.com" },
          migrationId: 4,
          operatorPartyHint: "acme-validator-1",
          walletUsers: ["administrator"],
          participantUrl: "http://participant:7575",
          onboarding: { svUrl: "https://sv.sv-1.example.com/api/sv", secret: "s3cret" },
          scans: { kind: "bft", seedUrls: ["https://scan.sv-1.example.com/api/scan"] },
          topup: { targetThroughput: 20_000, minTopupIntervalSeconds: 60 },
          database: { host: "postgres-splice", database: "validator", schema: "validator" },
        },
        serviceUser: { userId: "ledger-api-user", credentials: { kind: "none" } },
      },
    });
  });

  test("with -a: tokens of the identity provider that .env names", () => {
    const provider = {
      AUTH_JWKS_URL: "https://login.example.com/jwks",
      AUTH_WELLKNOWN_URL: "https://login.example.com/.well-known/openid-configuration",
      VALIDATOR_AUTH_CLIENT_ID: "acme",
      VALIDATOR_AUTH_CLIENT_SECRET: "the client's secret",
      LEDGER_API_ADMIN_USER: "acme@clients",
      WALLET_ADMIN_USER: "auth0|alice",
    };
    const run = runScript(temporaryFolder(atEnd), "start.sh", [...NEEDED, "-a"], provider);
    const { participant, validator } = setupsOf(run);
    expect(participant).toMatchObject({
      ok: true,
      setup: {
        config: {
          auth: { kind: "jwks", jwksUrl: provider.AUTH_JWKS_URL, audience: "https://ledger_api.example.com" },
          adminUsers: ["acme@clients"],
        },
      },
    });
    expect(validator).toMatchObject({
      ok: true,
      setup: {
        config: {
          auth: { kind: "jwks", jwksUrl: provider.AUTH_JWKS_URL, audience: "https://validator.example.com" },
          walletUsers: ["auth0|alice"],
        },
        serviceUser: {
          userId: "acme@clients",
          credentials: {
            kind: "client-credentials",
            clientId: "acme",
            audience: "https://ledger_api.example.com",
          },
        },
      },
    });
  });

  test("-b: one scan and one sequencer alone", () => {
    const { validator } = setupsOf(start("-b", "-q", "https://sequencer.sv-1.example.com"));
    expect(validator).toMatchObject({
      ok: true,
      setup: {
        config: {
          scans: { kind: "trust-single", url: "https://scan.sv-1.example.com/api/scan" },
          sequencers: { kind: "trust-single", url: "https://sequencer.sv-1.example.com" },
        },
      },
    });
  });

  test("-M: both roles carry over what they have of the id before", () => {
    const { participant, validator } = setupsOf(start("-M"));
    expect(participant).toMatchObject({
      ok: true,
      setup: {
        config: {
          migrating: true,
          database: { database: "participant-4" },
          previousDatabase: { database: "participant-3" },
        },
      },
    });
    expect(validator).toMatchObject({
      ok: true,
      setup: { config: { migrating: true, migrationId: 4, database: { database: "validator" } } },
    });
  });

  test("they have the ports, volumes and names that others rely on", () => {
    const { services, volumes } = projectOf(start());
    expect(Object.keys(services)).toEqual(["postgres-splice", "participant", "validator"]);
    expect(Object.keys(volumes)).toEqual(["postgres-splice", "participant-data", "validator-data"]);
    expect(services["participant"]?.ports).toEqual(["127.0.0.1:7575:7575"]);
    expect(services["validator"]?.ports).toEqual(["127.0.0.1:5003:5003"]);
    for (const name of ["participant", "validator"])
      expect(services[name]?.volumes).toEqual([`${name}-data:/var/lib/callsign`]);
  });
});

test(".env has every variable that the compose files name without a default, but for those that start.sh sets, and no other", () => {
  const known = parseVariables(readFileSync(join(COMPOSE, ".env"), "utf8"));
  const set = Object.keys(start("-i", COMPOSE.concat("/.env"), "-P", "a", "-n", "b").environment);
  const text = readdirSync(COMPOSE)
    .filter((name) => /^compose.*\.yaml$/.test(name))
    .map((name) => readFileSync(join(COMPOSE, name), "utf8"))
    .join("");
  const named = [...text.matchAll(/\$\{(\w+)(\}|:-)/g)].map(([, name = "", end]) => ({ name, end }));
  expect(named.length).toBeGreaterThan(30);
  const isMissing = (name: string) => known[name] === undefined && !set.includes(name);
  expect(named.filter(({ name, end }) => end === "}" && isMissing(name))).toEqual([]);
  expect(Object.keys(known).filter((name) => !named.some((each) => each.name === name))).toEqual([]);
  expect(() => readComposeProject(COMPOSE, ["compose.yaml"], {})).toThrow("MIGRATION_ID is set neither");
});
