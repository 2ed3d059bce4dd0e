// Commands about keys and identities that cannot be carried out say why.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { loadMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runWith } from "./run-here.ts";
import type { Values } from "./setup-kit.ts";

function participantValues(dataFolder: string): Values {
  return {
    nodeIdentifier: "acme-validator-1",
    auth: { jwksUrl: "http://127.0.0.1:9/keys", targetAudience: "https://ledger.acme.example" },
    callsign: { dataFolder, adminUser: "operator", log: { level: "ERROR" } },
  };
}

const run = (words: readonly string[], values: Values) => runWith(words, { files: [values] });

test("a file that is no identity, and one of another node, are not imported", async () => {
  const folder = temporaryFolder();
  const values = participantValues(join(folder, "data"));
  const file = join(folder, "file");
  const refusal = async () => {
    const { exitCode, complained } = await run(["identity", "import", "--from", file], values);
    expect([exitCode, existsSync(join(folder, "data", "identity.json"))]).toEqual([1, false]);
    return complained;
  };
  expect(await refusal()).toContain("does not exist");
  writeFileSync(file, "{}");
  expect(await refusal()).toContain("is no identity");
  loadMemberIdentity(join(folder, "other"), "umbrella-validator-1", systemHost);
  writeFileSync(file, readFileSync(join(folder, "other", "identity.json")));
  expect(await refusal()).toMatch(
    /nodeIdentifier is "acme-validator-1".* was made as "umbrella-validator-1"/,
  );
});

test("the keys of a process that does not run cannot be asked for", async () => {
  const values = participantValues(join(temporaryFolder(), "data"));
  for (const command of ["show", "rotate"]) {
    const { exitCode, complained } = await run(["keys", command], values);
    expect([exitCode, complained]).toEqual([
      1,
      expect.stringContaining("no process runs on the data folder"),
    ]);
  }
  expect((await run(["keys", "shuffle"], values)).complained).toContain(
    "callsign has no command keys shuffle",
  );
  expect((await run(["identity", "export"], values)).complained).toContain("needs --to");
});
