// The action's script starts a network in the background and hands on its URLs; the action's outputs are those it writes.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { parseVariables } from "./compose-project.ts";

const root = join(import.meta.dirname, "../..");
const ACTION = join(root, "deploy/github-action");
const atEnd = atEndOfFile();

test("a job gets a network whose validator and scan answer, until the job ends", async () => {
  const folder = temporaryFolder(atEnd);
  const [outputFile, environmentFile] = [join(folder, "output"), join(folder, "environment")];
  for (const file of [outputFile, environmentFile]) writeFileSync(file, "");
  const run = spawnSync("bash", [join(ACTION, "start-network.sh")], {
    encoding: "utf8",
    cwd: folder,
    env: {
      ...process.env,
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: outputFile,
      GITHUB_ENV: environmentFile,
      CALLSIGN_OPTIONS: "--acronym cns",
      CALLSIGN_COMMAND: `${process.execPath} --disable-warning=ExperimentalWarning ${join(root, "packages/cli/src/main.ts")}`,
    },
  });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  const outputs = parseVariables(readFileSync(outputFile, "utf8"));
  const environment = parseVariables(readFileSync(environmentFile, "utf8"));
  const pid = Number(environment["CALLSIGN_NETWORK_PID"]);
  const isRunning = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  atEnd(() => void (isRunning() && process.kill(pid, "SIGKILL")));

  const { outputs: declared } = parse(readFileSync(join(ACTION, "action.yml"), "utf8")) as {
    outputs: object;
  };
  expect(Object.keys(outputs)).toEqual(Object.keys(declared));
  expect(environment["CALLSIGN_VALIDATOR_URL"]).toBe(outputs["validator-url"]);
  const get = (url: string) => fetch(url, { headers: { authorization: `Bearer ${outputs["token"]}` } });
  expect((await get(`${outputs["validator-url"]}/api/validator/v0/wallet/balance`)).status).toBe(200);
  const names = await get(`${outputs["scan-url"]}/api/scan/v0/splice-instance-names`);
  expect(await names.json()).toMatchObject({ name_service_name_acronym: "CNS" });
  process.kill(pid, "SIGTERM");
  await until(() => !isRunning(), "the network has ended");
}, 120_000);
