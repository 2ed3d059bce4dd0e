// The units, read by systemd's own tools where they are installed, and the script that hands credentials to the command.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSecret } from "../../packages/cli/src/secrets/read-secret.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { read } from "../repository/configuration-page.ts";
import { skipWithout } from "../support/needs.ts";

const UNITS = join(import.meta.dirname, "../../deploy/systemd");
const ROLES = ["participant", "validator", "sv"] as const;
const atEnd = atEndOfFile();

function analyze(...args: readonly string[]) {
  return spawnSync("systemd-analyze", args, { encoding: "utf8" });
}

const systemd = {
  name: "systemd-analyze",
  isPresent: () => analyze("--version").status === 0,
  install: "apt-get install systemd",
};

/** The unit of a role, as systemd makes it of the template, in a folder where its programs exist: systemd looks for them. */
function installUnit(folder: string, role: string): string {
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "callsign"), "#!/bin/sh\n", { mode: 0o755 });
  cpSync(join(UNITS, "link-credentials.sh"), join(folder, "link-credentials.sh"));
  const unit = join(folder, `callsign@${role}.service`);
  const template = readFileSync(join(UNITS, "callsign@.service"), "utf8");
  writeFileSync(unit, template.replaceAll("/opt/callsign", folder));
  return unit;
}

test("systemd finds no fault with the units, and would find one", (context) => {
  skipWithout(systemd, context);
  const folder = temporaryFolder(atEnd);
  const units = ROLES.map((role) => installUnit(folder, role));
  const { status, stderr } = analyze("verify", "--man=no", ...units);
  expect([status, stderr]).toEqual([0, ""]);
  writeFileSync(join(folder, "callsign@sv.service"), "[Service]\nExecStart=/nowhere\nRestrat=always\n");
  expect(analyze("verify", "--man=no", ...units).stderr).toContain("Restrat");
});

test("the units leave little open: systemd rates each 2.0 of 10 or better", (context) => {
  skipWithout(systemd, context);
  const folder = temporaryFolder(atEnd);
  for (const role of ROLES) {
    const unit = installUnit(folder, role);
    const { status, stdout, stderr } = analyze("security", "--offline=true", "--threshold=20", unit);
    expect([role, status, status === 0 ? "" : `${stdout}${stderr}`]).toEqual([role, 0, ""]);
  }
});

test("the commands of docs/operating.md put the unit's programs where it looks for them", () => {
  const unit = readFileSync(join(UNITS, "callsign@.service"), "utf8");
  const programs = [...unit.matchAll(/^ExecStart\w*=(\S+)/gm)].map(([, program]) => program);
  const commands = read("docs/operating.md").split("### systemd")[1]?.split("###")[0] ?? "";
  const folder = /npm install .*--prefix (\S+)/.exec(commands)?.[1];
  const script = /install -m 755 \S*\/(link-credentials\.sh) (\S+\/)/.exec(commands);
  expect(programs).toEqual([`${script?.[2]}${script?.[1]}`, `${folder}/node_modules/.bin/callsign`]);
});

test("credentials become a folder for each secret, which the command reads", () => {
  const folder = temporaryFolder(atEnd);
  const [credentials, runtime] = ["credentials", "runtime"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  mkdirSync(credentials);
  // The names that systemd gives to the files of a folder that is loaded as "secrets".
  writeFileSync(join(credentials, "secrets_postgres-secrets_postgresPassword"), "supersafe\n");
  writeFileSync(join(credentials, "secrets_splice-app-validator-ledger-api-auth_client-id"), "acme");
  writeFileSync(
    join(credentials, "secrets_splice-app-validator-ledger-api-auth_ledger-api-user"),
    "acme@clients",
  );
  const link = () =>
    spawnSync(join(UNITS, "link-credentials.sh"), {
      env: { PATH: process.env["PATH"], CREDENTIALS_DIRECTORY: credentials, RUNTIME_DIRECTORY: runtime },
    }).status;
  expect([link(), link()]).toEqual([0, 0]);
  const found = (name: string, key: string) => {
    const secret = readSecret(systemHost.files, join(runtime, "secrets"), { name, key });
    return secret.kind === "found" ? secret.value : secret.kind;
  };
  expect(found("postgres-secrets", "postgresPassword")).toBe("supersafe");
  expect(found("splice-app-validator-ledger-api-auth", "client-id")).toBe("acme");
  expect(found("splice-app-validator-ledger-api-auth", "ledger-api-user")).toBe("acme@clients");
  expect(found("splice-app-validator-ledger-api-auth", "token")).toBe("missing");
});
