// A start that cannot succeed ends with one sentence for the operator, and no stack.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../packages/cli/src/run-command.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

const atEnd = atEndOfFile();

test.each([
  [
    "another identifier than that of its first start",
    (folder: string) => void loadMemberIdentity(folder, "first-validator-1", systemHost),
    /^callsign participant cannot start: nodeIdentifier is "acme-validator-1", and .* "first-validator-1": .*\n$/,
  ],
  [
    "a damaged identity",
    (folder: string) => writeFileSync(join(folder, "identity.json"), "{}"),
    /^callsign participant cannot start: .*identity\.json does not hold a node's identity: restore it .*\n$/,
  ],
])("a participant with %s says so", async (_, damage, sentence) => {
  const folder = temporaryFolder(atEnd);
  damage(folder);
  expect(await runParticipant(folder)).toEqual({ exitCode: 1, complaint: expect.stringMatching(sentence) });
});

async function runParticipant(folder: string): Promise<{ exitCode: number; complaint: string }> {
  const complaints: string[] = [];
  const sets = ["nodeIdentifier=acme-validator-1", "disableAuth=true", `callsign.dataFolder=${folder}`];
  const ports = ["port", "healthPort", "metricsPort"].map((port) => `callsign.${port}=0`);
  const exitCode = await runCommand(
    [
      "participant",
      ...[...sets, ...ports].flatMap((set) => ["--set", set]),
      "--set",
      "callsign.log.level=ERROR",
    ],
    {
      terminal: { write: () => undefined, complain: (text) => complaints.push(text) },
      environment: {},
      host: systemHost,
    },
  );
  return { exitCode, complaint: complaints.at(-1) ?? "" };
}
