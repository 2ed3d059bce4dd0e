// An operator rotates keys of running processes, exports an identity, and restores a participant from it alone.

import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { createPreference, listActive } from "../participant/preferences.ts";
import { Child } from "../support/child-process.ts";
import { ledgerClient, SECRET } from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { runWith } from "./run-here.ts";
import { argumentsOf, type Values } from "./setup-kit.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const ADMIN = "operator";
const FINGERPRINT = /1220[0-9a-f]{64}/g;

let network: SvNodes;
beforeAll(async () => {
  network = await startSvNodes(1, atEndOfFile());
});

function participantValues(dataFolder: string): Values {
  return {
    nodeIdentifier: "acme-validator-1",
    auth: { targetAudience: "https://ledger_api.example.com" },
    callsign: {
      ...{ dataFolder, adminUser: ADMIN, port: 0, healthPort: 0, metricsPort: 0 },
      sequencers: network.sequencers,
      auth: { algorithm: "hs-256-unsafe", secret: SECRET },
      log: { level: "ERROR" },
    },
  };
}

const run = (words: readonly string[], values: Values) => runWith(words, { files: [values] });

/** A participant's process that is ready, and the URL of its ledger API. */
async function start(values: Values) {
  const child = new Child(MAIN, "participant", ...argumentsOf({ files: [values] }));
  onTestFinished(() => child.kill());
  const url = /JSON Ledger API: (\S+)/.exec(await child.said(2))?.[1] ?? "";
  await until(async () => (await fetch(`${url}/readyz`)).ok, "the participant is ready", 30_000);
  return { child, url };
}

const auditsOf = ({ errors }: Child) => errors.split("\n").filter((line) => line.includes('"audit":true'));

test("keys are shown and rotated while the process runs; an identity alone brings a lost participant back", async () => {
  const folder = temporaryFolder();
  const values = participantValues(join(folder, "first"));
  const first = await start(values);
  const admin = ledgerClient(first.url, ADMIN);
  await admin.createUser({ body: { user: { id: "alice" }, rights: [] } });
  const { party } = (await admin.allocateParty({ body: { partyIdHint: "alice", userId: "alice" } }))
    .partyDetails;
  await ledgerClient(first.url, "alice").submitAndWait({ body: createPreference(party) });

  const shown = await run(["keys", "show"], values);
  const [namespace = "", old = ""] = new Set(shown.said.match(FINGERPRINT));
  expect(shown).toEqual({
    exitCode: 0,
    said: `acme-validator-1::${namespace}\n  namespace key: ${namespace}\n  signing key: ${old}\n  registered with the network: ${old} (serial 1)\n`,
    complained: "",
  });
  const rotated = await run(["keys", "rotate"], values);
  const [, key = ""] = new Set(rotated.said.match(FINGERPRINT));
  expect(key).not.toBe(old);
  expect(rotated).toEqual({
    exitCode: 0,
    said: `Rotated: ${shown.said.replaceAll(old, key).replace("serial 1", "serial 3")}`,
    complained: "",
  });
  // The line may be on its way while the command has its answer.
  const audited = new RegExp(`"operation":"rotateKeys".*"formerKey":"${old}","key":"${key}","serial":"3"`);
  const isAudited = async () => auditsOf(first.child).some((line) => audited.test(line));
  await until(isAudited, "the rotation is in the audit log");

  const file = join(folder, "identity-export.json");
  const exported = await run(["identity", "export", "--to", file], values);
  expect([exported.exitCode, exported.complained]).toEqual([0, ""]);
  expect(exported.said).toContain(`acme-validator-1::${namespace}`);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect((await run(["identity", "export", "--to", file], values)).complained).toContain("is there already");
  expect((await run(["identity", "import", "--from", file], values)).complained).toMatch(
    /runs on the data folder/,
  );
  await first.child.kill();
  expect((await run(["identity", "import", "--from", file], values)).complained).toMatch(/is there already/);

  const lost = participantValues(join(folder, "second"));
  const imported = await run(["identity", "import", "--from", file], lost);
  expect([imported.exitCode, imported.complained]).toEqual([0, ""]);
  expect(imported.said).toMatch(/Lost for good: users other than the configured ones/);
  const second = await start(lost);
  const again = ledgerClient(second.url, ADMIN);
  const rights = [{ kind: { CanActAs: { value: { party } } } }];
  expect((await again.listUsers()).users?.map(({ id }) => id)).not.toContain("alice");
  await again.createUser({ body: { user: { id: "alice" }, rights } });
  const alice = ledgerClient(second.url, "alice");
  expect(await listActive(alice, party)).toHaveLength(1);
  await alice.submitAndWait({ body: createPreference(party) });
  expect((await run(["keys", "show"], lost)).said).toBe(rotated.said.replace("Rotated: ", ""));
});
