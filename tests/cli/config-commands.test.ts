// callsign config check, show and explain, with their exit codes.

import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { runConfigCommand } from "../../packages/cli/src/config-commands/run-config-command.ts";
import { PARTICIPANT_BASE, SV_BASE } from "./participant-effects.ts";
import { argumentsOf, type Given } from "./setup-kit.ts";
import { BASE_SECRETS, VALIDATOR_BASE } from "./validator-base.ts";

function run(words: readonly string[], given: Given = {}) {
  const said: string[] = [];
  const complained: string[] = [];
  const args = [...words, ...argumentsOf({ secrets: BASE_SECRETS, ...given })];
  const exitCode = runConfigCommand(args, {
    environment: given.environment ?? {},
    files: systemHost.files,
    write: (text) => void said.push(text),
    complain: (text) => void complained.push(text),
  });
  return { exitCode, said: said.join(""), complained: complained.join("") };
}

test("check tells all mistakes at once, and which role was meant", () => {
  const faulty = run(["check"], { files: [{ ...VALIDATOR_BASE, scanAdress: "x", enableWallet: "maybe" }] });
  expect([faulty.exitCode, faulty.said]).toEqual([1, ""]);
  expect(faulty.complained).toMatch(
    /^The configuration of this validator has 2 mistakes:\n {2}\S.*\n {2}\S.*\n$/,
  );
  for (const [base, role] of [
    [VALIDATOR_BASE, "validator"],
    [PARTICIPANT_BASE, "participant"],
    [SV_BASE, "sv"],
  ] as const) {
    const { exitCode, said } = run(["check"], { files: [base] });
    expect([exitCode, said.split("\n")[0]]).toEqual([0, `The configuration of this ${role} is good.`]);
  }
});

test("check of a good configuration tells warnings and keys without an effect", () => {
  const { said } = run(["check", "validator"], {
    files: [{ ...VALIDATOR_BASE, disableAuth: true, imageRepo: "x" }],
  });
  expect(said).toMatch(/warning: disableAuth is true/);
  expect(said).toMatch(/no effect: imageRepo: it is for Kubernetes/);
});

test("show prints YAML that says the same, with the origin of each value and without secrets", () => {
  const environment = { LOG_LEVEL: "WARN" };
  const { exitCode, said } = run(["show", "validator"], { files: [VALIDATOR_BASE], environment });
  expect(exitCode).toBe(0);
  const { callsign, ...rest } = parse(said);
  const { callsign: _, ...expected } = VALIDATOR_BASE;
  expect(rest).toMatchObject(expected);
  expect(callsign.participantAuth.clientSecret).toBe("(not shown)");
  expect(said).toMatch(/level: "WARN" # environment variable LOG_LEVEL/);
  expect(said).toMatch(/onboardingSecret: "\(not shown\)" # secret file .*onboarding-validator\/secret/);
  expect(said).toMatch(/id: 7 # .*values\.yaml:1:\d+/);
});

test("show hides the user and password of a URL", () => {
  const { said } = run(["show", "validator"], {
    files: [{ ...VALIDATOR_BASE, scanAddress: "https://user:hunter2@scan.example" }],
  });
  expect(said).toContain('scanAddress: "https://…@scan.example"');
  expect(said).not.toContain("hunter2");
});

test.each([
  ["persistence.host", /^persistence\.host \(validator\)\n {2}meaning: the PostgreSQL server/],
  ["topup", /^topup\.enabled .*topup\.reservedTraffic /s],
  ["MIN_TRAFFIC_TOPUP_INTERVAL", /^topup\.minTopupInterval \(validator\)/],
  ["canton.validator-apps.validator_backend.contact-point", /^contactPoint \(validator\)/],
  ["svs[].name", /^svs\[\]\.name \(sv\)/],
  ["imageRepo", /no effect here: it is for Kubernetes/],
])("explain %s", (name, text) => {
  const { exitCode, said } = run(["explain", name]);
  expect([exitCode, said]).toEqual([0, expect.stringMatching(text)]);
});

test("explain names the nearest of an unknown key, and lists all without one", () => {
  const { exitCode, complained } = run(["explain", "persistance.host"]);
  expect([exitCode, complained]).toEqual([1, expect.stringContaining("did you mean persistence.host?")]);
  expect(run(["explain", "sv"]).said).toMatch(/^sv:\n {2}svs\[\]\.name: /);
});

test.each([[["check", "nobody"]], [["shout"]], [[]], [["check", "--nonsense"]], [["explain", "a", "b"]]])(
  "%j is wrong usage",
  (words) => {
    const { exitCode, complained } = run(words);
    expect([exitCode, complained]).toEqual([2, expect.stringContaining("Usage: callsign config")]);
  },
);
